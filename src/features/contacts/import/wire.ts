import { invalidAt } from '../../../base/errors.ts';
import type { Upload, UploadSpec } from '../../../kernel/route.ts';
import {
  boolean,
  id,
  integer,
  list,
  nullable,
  object,
  oneOf,
  optional,
  type Static,
  Type,
} from '../../../kernel/schema.ts';
import { contactInputSchema } from '../contact-input.ts';
import type { Mapping } from './columns.ts';
import { dedupeModes, duplicateModes } from './decide.ts';
import type { ImportOptions } from './import.ts';
import {
  type ImportCounts,
  type ImportResult,
  maxContactIds,
  maxListed,
  maxRejectedChars,
  maxSampleRows,
} from './outcome.ts';

const sheetType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** The file of an import. */
export const uploadSpec = {
  contentTypes: ['text/csv', sheetType],
  description:
    'CSV (separated by commas, semicolons or tabs; UTF-8, UTF-16 or windows-1252) or XLSX (its first sheet), with a header row. ' +
    'Common names of columns in several languages set the field that they mean, `metadata` holds a JSON object, and any other column ' +
    'becomes a key of the metadata; `columns` in the answer says which. Empty cells change nothing.',
  rowSchema: contactInputSchema,
} satisfies UploadSpec;

export const importQuery = {
  import_id: optional(
    id('The id of the import, chosen by the caller, who can ask for its progress meanwhile. Taken already: 409'),
  ),
  dry_run: optional(boolean({ description: 'Answers what an import would do, and writes nothing', default: false })),
  mapping: optional(
    Type.String({
      description:
        'A JSON object: name of a column → a field of the contact, `tags`, `metadata`, `metadata.<key>`, or null to leave it out. ' +
        'Columns that it does not name are understood by their names.',
    }),
  ),
  default_country: optional(
    Type.String({
      format: 'country',
      description: 'Country of numbers that are written without one. Default: the setting `contacts.default_country`',
    }),
  ),
  dedupe: optional(
    oneOf(dedupeModes, {
      description: 'phone: a row with a known phone is about that contact; none: every row creates a contact',
      default: 'phone',
    }),
  ),
  on_duplicate: optional(
    oneOf(duplicateModes, {
      description: 'Treatment of the contact of a known phone. update: the row changes it; skip: it stays as it is',
      default: 'update',
    }),
  ),
  strict: optional(
    boolean({
      description: 'Whether a row with any cell that cannot be read is rejected; else only that cell is left out',
      default: false,
    }),
  ),
  ids: optional(boolean({ description: 'Whether the answer has `contact_ids`', default: false })),
  cells: optional(
    boolean({ description: 'Whether the answer has `rejected_cells` and `stored_cells`', default: false }),
  ),
  charset: optional(
    Type.String({
      maxLength: 40,
      description: 'Character set of a CSV file. Default: that of the content type, else detected',
    }),
  ),
};
const importQuerySchema = object(importQuery);

const count = (description?: string) => integer({ minimum: 0, ...(description === undefined ? {} : { description }) });
const row = integer({ minimum: 1, description: 'Row number, from 1 after the header; empty lines are not counted' });
export const rowReason = object({ row, reason: Type.String() });

export const importData = {
  import_id: nullable(id('import')),
  created: count(),
  updated: count(),
  rejected: list(rowReason, { maxItems: maxListed, description: `The first ${maxListed} rejected rows` }),
  rejected_count: count('All rejected rows'),
  warnings: list(object({ row, field: Type.String(), reason: Type.String() }), {
    maxItems: maxListed,
    description: `The first ${maxListed} cells that could not be read, so their rows were imported without them`,
  }),
  warning_count: count('All such cells'),
  rejected_cells: optional(
    list(list(Type.String()), {
      maxItems: maxListed,
      description:
        'With cells=true, the cells of each row in `rejected` as they are in the file, so that the rows can be corrected and sent again. ' +
        `A row is empty if it could not be read, or if the rows before it have more than ${maxRejectedChars} characters`,
    }),
  ),
  skipped: list(rowReason, {
    maxItems: maxListed,
    description: `The first ${maxListed} rows that did nothing although they are valid: contacts that are known, with on_duplicate=skip`,
  }),
  repeated: list(object({ row, first_row: row }), {
    maxItems: maxListed,
    description: `The first ${maxListed} rows with the phone of an earlier row`,
  }),
  total: count('Rows in the file'),
  columns: list(
    object({
      name: Type.String(),
      to: nullable(Type.String({ description: 'The target, as in `mapping`; null if the column was left out' })),
    }),
    { description: 'The target of each column' },
  ),
  sample: list(list(Type.String()), {
    maxItems: maxSampleRows,
    description: `The cells of the first ${maxSampleRows} rows as they are in the file, up to 200 characters each`,
  }),
  stored_cells: optional(
    list(nullable(list(nullable(Type.String()))), {
      maxItems: maxSampleRows,
      description:
        'With cells=true, for each row in `sample` its cells as they will be stored, such as a number with its country code, up to 200 ' +
        'characters each; a cell of which nothing is stored is null, and so is a rejected row',
    }),
  ),
  contact_ids: Type.Unsafe<string[] | null>({
    type: ['array', 'null'],
    items: id('contact'),
    maxItems: maxContactIds,
    description: `With ids=true, the contact of each row that was not rejected, in order, up to ${maxContactIds}. Null otherwise, and in a dry run`,
  }),
};

/** @throws invalid for an empty file */
export function requireFile({ file }: Upload): void {
  if (file.size === 0) throw invalidAt('', 'The file is empty; it needs a header row.');
}

/** @throws invalid for a mapping that is not a JSON object of strings and nulls */
export function importOptionsOf(query: Static<typeof importQuerySchema>): ImportOptions {
  return {
    importId: query.import_id?.toLowerCase() ?? null,
    dedupe: query.dedupe ?? 'phone',
    onDuplicate: query.on_duplicate ?? 'update',
    mapping: parseMapping(query.mapping ?? '{}'),
    country: query.default_country?.toUpperCase() ?? null,
    charset: query.charset ?? null,
    dryRun: query.dry_run ?? false,
    strict: query.strict ?? false,
    withIds: query.ids ?? false,
    withCells: query.cells ?? false,
  };
}

function parseMapping(text: string): Mapping {
  const expectation = 'must be a JSON object of column names, each with a string or null';
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw invalidAt('mapping', expectation);
  }
  if (value === null || typeof value !== 'object' || Array.isArray(value)) throw invalidAt('mapping', expectation);
  const isTarget = (target: unknown): boolean => target === null || typeof target === 'string';
  if (!Object.values(value).every(isTarget)) throw invalidAt('mapping', expectation);
  const repeated = repeatedKey(text);
  if (repeated !== undefined) throw invalidAt('mapping', `names the column ${JSON.stringify(repeated)} twice`);
  return value as Mapping;
}

/** The first key that a flat JSON object has twice; JSON.parse() would keep its last value only. */
function repeatedKey(text: string): string | undefined {
  const keys = new Set<string>();
  // In a flat object, only keys are followed by a colon.
  for (const [, token, colon] of text.matchAll(/("(?:[^"\\]|\\.)*")(\s*:)?/g)) {
    if (colon === undefined) continue;
    const key = JSON.parse(token!) as string;
    if (keys.has(key)) return key;
    keys.add(key);
  }
  return undefined;
}

/** The counts of an import as a sentence. `campaign` tells whether its contacts join a campaign. */
export function summarize(
  result: ImportResult,
  counts: ImportCounts,
  { dryRun, campaign }: { dryRun: boolean; campaign: boolean },
): string {
  const parts = [`${result.created} created`, `${result.updated} updated`];
  if (campaign) parts.push(`${counts.added} added to the campaign`);
  if (campaign || counts.skipped > 0) parts.push(withListed(counts.skipped, 'skipped', result.skipped.length));
  parts.push(withListed(result.rejected_count, 'rejected', result.rejected.length));
  if (result.warning_count > 0) parts.push(`${result.warning_count} unreadable cells left out`);
  return `${dryRun ? 'Nothing was written. The import would give' : 'Contacts imported'}: ${parts.join(', ')}.`;
}

const withListed = (all: number, what: string, shown: number): string =>
  `${all} ${what}${all > shown ? `, of which the first ${shown} are listed` : ''}`;
