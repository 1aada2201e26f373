import { nextMacrotask } from '../../../base/clock.ts';
import { parseExactly } from '../../../base/json.ts';
import type { App } from '../../../kernel/app.ts';
import type { Download } from '../../../kernel/route.ts';
import { csvLine } from '../../contacts/csv/cells.ts';
import { readMetadataKeys } from '../background-tasks.ts';
import type { Campaign } from '../campaign.ts';
import { type MetadataKeys, resultPage, type ResultRow } from './results-store.ts';
import { getCampaign } from '../service.ts';

export const resultFormats = ['csv', 'jsonl'] as const;
export type ResultFormat = (typeof resultFormats)[number];

export const resultContentTypes = { csv: 'text/csv', jsonl: 'application/jsonl' } as const;

type Value = unknown;
type Field = readonly [name: string, valueOf: (row: ResultRow, metadata: Record<string, unknown>) => Value];

const fieldsIn = (timezone: string): readonly Field[] => [
  ['contact_id', (row) => row.contactId],
  ['phone', (row) => row.phone],
  ['first_name', (row) => row.firstName],
  ['last_name', (row) => row.lastName],
  ['email', (row) => row.email],
  ['company', (row) => row.company],
  ['status', (row) => row.status],
  ['attempts', (row) => row.attempts],
  ['last_attempted_at', ({ lastAttemptedAt: at }) => (at === null ? null : localTime(at, timezone))],
  ['duration_sec', (row) => row.durationSec],
  ['disconnect_reason', (row) => row.disconnectReason],
  ['error_message', (row) => row.errorMessage],
  ['summary', (row) => row.summary],
  ['call_session_id', (row) => row.callSessionId],
  ['tags', (row) => parseExactly(row.tags)],
];

/** ISO 8601 with milliseconds and the offset of a time zone. */
const localTime = (at: number, timeZone: string): string =>
  Temporal.Instant.fromEpochMilliseconds(at).toString({ timeZone, fractionalSecondDigits: 3 });

/** More columns than spreadsheets show. The values of further keys stay together, as JSON in the column `metadata`. */
export const maxMetadataColumns = 500;

/** A column for each key that the metadata of any contact has. */
const metadataFields = (keys: readonly string[]): Field[] => {
  const own = keys.slice(0, maxMetadataColumns);
  const fields: Field[] = own.map((key) => [
    `metadata.${key}`,
    (_row, metadata) => (Object.hasOwn(metadata, key) ? metadata[key] : null),
  ]);
  if (keys.length <= maxMetadataColumns) return fields;
  const known = new Set(own);
  const others = (metadata: Record<string, unknown>): Record<string, unknown> =>
    Object.fromEntries(Object.entries(metadata).filter(([key]) => !known.has(key)));
  return [...fields, ['metadata', (_row, metadata) => others(metadata)]];
};

/**
 * The results of a campaign as a file: a row for each contact, in the order of the queue, as it is when the row is written.
 * @throws notFound when the organization has no such campaign
 */
export async function campaignResults(app: App, orgId: string, id: string, format: ResultFormat): Promise<Download> {
  const campaign = await getCampaign(app, orgId, id);
  const keys = await keysOf(app, orgId, id);
  const fields = [...fieldsIn(campaign.schedule.timezone), ...metadataFields(keys)];
  return {
    fileName: `campaign-${id}-results.${format}`,
    contentType: resultContentTypes[format],
    content: lines(app, campaign, fields, format),
  };
}

/** The metadata keys of all contacts, cut to one more than `maxMetadataColumns`: the extra key shows that not all have a column. */
async function keysOf(app: App, orgId: string, campaignId: string): Promise<string[]> {
  const keys = new Set<string>();
  let after: number | null = -1;
  while (after !== null && keys.size <= maxMetadataColumns) {
    const step: MetadataKeys = await app.background.run(readMetadataKeys, { campaignId, after }, orgId);
    for (const key of step.keys) keys.add(key);
    after = step.last;
  }
  return [...keys].slice(0, maxMetadataColumns + 1);
}

const pageSize = 100;

async function* lines(
  app: App,
  { id: campaignId, orgId }: Campaign,
  fields: readonly Field[],
  format: ResultFormat,
): AsyncGenerator<string> {
  const lineOf = format === 'csv' ? csvLineOf : jsonLineOf;
  if (format === 'csv') yield csvLine(fields.map(([name]) => name));
  let after = -1;
  for (;;) {
    const page = await resultPage(app.db, { orgId, campaignId, after, limit: pageSize });
    if (page.length === 0) return;
    yield page.map((row) => lineOf(fields, row)).join('');
    after = page.at(-1)!.position;
    await nextMacrotask();
  }
}

const metadataOf = ({ metadata }: ResultRow): Record<string, unknown> =>
  metadata === null || metadata === '{}' ? {} : (parseExactly(metadata) as Record<string, unknown>);

function csvLineOf(fields: readonly Field[], row: ResultRow): string {
  const metadata = metadataOf(row);
  return csvLine(fields.map(([name, valueOf]) => cellOf(name, valueOf(row, metadata))));
}

/** Writes texts unchanged, null as an empty cell, tags separated by commas as an import reads them, and everything else as JSON. */
function cellOf(name: string, value: Value): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value;
  return name === 'tags' ? (value as string[]).join(', ') : JSON.stringify(value);
}

function jsonLineOf(fields: readonly Field[], row: ResultRow): string {
  const metadata = metadataOf(row);
  return `${JSON.stringify(Object.fromEntries(fields.map(([name, valueOf]) => [name, valueOf(row, metadata)])))}\n`;
}
