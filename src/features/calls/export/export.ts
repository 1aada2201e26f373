import { isoOf, nextMacrotask } from '../../../base/clock.ts';
import { parseExactly } from '../../../base/json.ts';
import type { App } from '../../../kernel/app.ts';
import type { Download } from '../../../kernel/route.ts';
import { csvLine } from '../../contacts/csv/cells.ts';
import type { Call } from '../call.ts';
import { callData } from '../call-data.ts';
import { callsForExport, type CallFilter, metadataKeysOf } from '../call-list-store.ts';
import { namesOf } from '../names.ts';

/** More columns than spreadsheets show. The values of further keys stay together, as JSON in the column `metadata`. */
export const maxMetadataColumns = 500;

type Cells = (call: Call, campaignName: string | null) => Array<string | number | boolean | null>;

/** Columns as in a call's `data`, apart from what is no single value there. */
const plain = [
  'call_id',
  'call_session_id',
  'campaign_id',
  'contact_id',
  'agent_id',
  'agent_name',
  'direction',
  'phone',
  'status',
  'duration_sec',
  'attempt',
  'recording_url',
  'caller_number',
  'callee_number',
  'caller_name',
  'caller_email',
  'channel',
  'disconnect_reason',
  'cost_total',
  'call_latency_ms',
  'started_at',
  'ended_at',
  'created_at',
] as const;
const results = ['summary', 'disposition', 'sentiment', 'goals_met', 'agent_edition', 'campaign_name'] as const;

const cellsOf: Cells = (call, campaignName) => {
  const data = callData(call);
  const { disposition = null, sentiment = null, goals_met: goalsMet = null } = call.analysis ?? {};
  return [
    ...plain.map((column) => data[column]),
    call.summary,
    disposition,
    sentiment,
    goalsMet,
    call.agentEdition,
    campaignName,
  ];
};

/** The calls that a filter finds as CSV, newest first: a row for each, as it is when the row is written. */
export function exportCalls(app: App, orgId: string, filter: CallFilter): Download {
  return { fileName: `calls-${isoOf(app.clock.now()).slice(0, 10)}.csv`, content: linesOf(app, orgId, filter) };
}

async function* linesOf(app: App, orgId: string, filter: CallFilter): AsyncGenerator<string> {
  const keys = await keysOf(app, orgId, filter);
  const own = keys.slice(0, maxMetadataColumns);
  const hasMore = keys.length > maxMetadataColumns;
  yield csvLine([...plain, ...results, ...own.map((key) => `metadata.${key}`), ...(hasMore ? ['metadata'] : [])]);
  const metadataCells = metadataCellsFor(own, hasMore);
  for await (const calls of pagesOf(app, orgId, filter)) {
    const names = await namesOf(app.db, orgId, 'campaign', [
      ...new Set(calls.map(({ campaignId }) => campaignId).filter((id) => id !== null)),
    ]);
    const lineOf = (call: Call): string =>
      csvLine([...cellsOf(call, names.get(call.campaignId ?? '') ?? null), ...metadataCells(call)].map(textOf));
    yield calls.map(lineOf).join('');
  }
}

const textOf = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
};

function metadataCellsFor(keys: readonly string[], hasMore: boolean): (call: Call) => unknown[] {
  const known = new Set(keys);
  return ({ metadata }) => {
    if (keys.length === 0) return [];
    const values = parseExactly(metadata.text) as Record<string, unknown>;
    const cells = keys.map((key) => (Object.hasOwn(values, key) ? values[key] : null));
    if (!hasMore) return cells;
    return [...cells, Object.fromEntries(Object.entries(values).filter(([key]) => !known.has(key)))];
  };
}

const pageSize = 100;

async function* pagesOf(app: App, orgId: string, filter: CallFilter): AsyncGenerator<Call[]> {
  for (let after: string | null = null; ;) {
    const page: Call[] = await callsForExport(app.db, orgId, filter, { after, limit: pageSize });
    if (page.length === 0) return;
    yield page;
    after = page.at(-1)!.id;
    await nextMacrotask();
  }
}

/** The metadata keys of all calls, cut to one more than `maxMetadataColumns`: the extra key shows that not all have a column. */
async function keysOf(app: App, orgId: string, filter: CallFilter): Promise<string[]> {
  const keys = new Set<string>();
  for (let after: string | null = null; keys.size <= maxMetadataColumns;) {
    const step: Awaited<ReturnType<typeof metadataKeysOf>> = await metadataKeysOf(app.db, orgId, filter, after);
    for (const key of step.keys) keys.add(key);
    if (step.last === null) break;
    after = step.last;
  }
  return [...keys].slice(0, maxMetadataColumns + 1);
}
