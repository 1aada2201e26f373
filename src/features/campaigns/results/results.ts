import { nextMacrotask } from '../../../base/clock.ts';
import { conflict } from '../../../base/errors.ts';
import { parseExactly } from '../../../base/json.ts';
import type { App } from '../../../kernel/app.ts';
import type { Download } from '../../../kernel/route.ts';
import { csvLine, type CsvSeparator, escapeFormula } from '../../contacts/csv/cells.ts';
import { readMetadataKeys } from '../background-tasks.ts';
import type { Campaign } from '../campaign.ts';
import { type MetadataKeys, resultPage, type ResultRow } from './results-store.ts';
import { getCampaign } from '../service.ts';
import { maxSheetRows, type SheetCell, sheetType, workbookOf } from './sheet.ts';

export const resultFormats = ['csv', 'jsonl', 'xlsx'] as const;
export type ResultFormat = (typeof resultFormats)[number];

/** How the CSV is written. `excel`: so that a spreadsheet opens it by double click, where a comma is the decimal sign, too. */
export const csvDialects = ['standard', 'excel'] as const;
export type CsvDialect = (typeof csvDialects)[number];

export const resultContentTypes = { csv: 'text/csv', jsonl: 'application/jsonl', xlsx: sheetType } as const;

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
  ['final', (row) => row.isFinal === 1],
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
 * @throws notFound when the organization has no such campaign; conflict when it has more contacts than a sheet has rows
 */
export async function campaignResults(
  app: App,
  orgId: string,
  id: string,
  { format, dialect }: { format: ResultFormat; dialect: CsvDialect },
): Promise<Download> {
  const campaign = await getCampaign(app, orgId, id);
  if (format === 'xlsx' && campaign.stats.total >= maxSheetRows)
    throw conflict(`A sheet has at most ${maxSheetRows} rows, and the campaign has more contacts. Use format=csv.`);
  const keys = await keysOf(app, orgId, id);
  const fields = [...fieldsIn(campaign.schedule.timezone), ...metadataFields(keys)];
  return {
    fileName: `campaign-${id}-results.${format}`,
    contentType: resultContentTypes[format],
    content: contentOf(app, campaign, fields, { format, dialect }),
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

function contentOf(
  app: App,
  campaign: Campaign,
  fields: readonly Field[],
  { format, dialect }: { format: ResultFormat; dialect: CsvDialect },
): Download['content'] {
  if (format === 'csv') return csvOf(app, campaign, fields, dialect);
  return format === 'xlsx' ? workbookOf(sheetRows(app, campaign, fields)) : jsonLinesOf(app, campaign, fields);
}

async function* sheetRows(app: App, campaign: Campaign, fields: readonly Field[]): AsyncGenerator<SheetCell[][]> {
  yield [fields.map(([name]) => escapeFormula(name))];
  for await (const rows of pagesOf(app, campaign)) yield rows.map((row) => sheetRowOf(fields, row));
}

function sheetRowOf(fields: readonly Field[], row: ResultRow): SheetCell[] {
  const metadata = metadataOf(row);
  return fields.map(([name, valueOf]) => {
    const value = valueOf(row, metadata);
    return typeof value === 'number' || typeof value === 'boolean' ? value : escapeFormula(cellOf(name, value));
  });
}

const byteOrderMark = '\uFEFF';

async function* csvOf(
  app: App,
  campaign: Campaign,
  fields: readonly Field[],
  dialect: CsvDialect,
): AsyncGenerator<string> {
  const separator = dialect === 'excel' ? ';' : ',';
  yield `${dialect === 'excel' ? byteOrderMark : ''}${csvLine(
    fields.map(([name]) => name),
    separator,
  )}`;
  for await (const rows of pagesOf(app, campaign)) yield rows.map((row) => csvLineOf(fields, row, separator)).join('');
}

async function* jsonLinesOf(app: App, campaign: Campaign, fields: readonly Field[]): AsyncGenerator<string> {
  for await (const rows of pagesOf(app, campaign)) yield rows.map((row) => jsonLineOf(fields, row)).join('');
}

async function* pagesOf(app: App, { id: campaignId, orgId }: Campaign): AsyncGenerator<ResultRow[]> {
  let after = -1;
  for (;;) {
    const page = await resultPage(app.db, { orgId, campaignId, after, limit: pageSize });
    if (page.length === 0) return;
    yield page;
    after = page.at(-1)!.position;
    await nextMacrotask();
  }
}

const metadataOf = ({ metadata }: ResultRow): Record<string, unknown> =>
  metadata === null || metadata === '{}' ? {} : (parseExactly(metadata) as Record<string, unknown>);

function csvLineOf(fields: readonly Field[], row: ResultRow, separator: CsvSeparator): string {
  const metadata = metadataOf(row);
  return csvLine(
    fields.map(([name, valueOf]) => cellOf(name, valueOf(row, metadata))),
    separator,
  );
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
