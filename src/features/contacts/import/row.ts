import type { Fault } from '../../../base/errors.ts';
import { JsonObject } from '../../../base/json.ts';
import { scanJson } from '../../../base/json-scan.ts';
import { unescapeFormula } from '../csv/cells.ts';
import type { TextField } from './column-names.ts';
import type { Column } from './columns.ts';
import { maxMetadataBytes } from '../../../kernel/schema.ts';
import { readPhoneCell } from './phone-cell.ts';
import { maxColumns } from './table.ts';

/**
 * A row in the form of a request body, without its empty cells. `faults` are those that reading found; the values of other fields are not
 * validated yet. `metadata` is the text of a JSON object, because rows are passed between threads.
 */
export type RowInput = { input: Record<string, unknown>; metadata?: string; tags: string[]; faults: Fault[] };

/** Metadata may nest as deep as in a JSON body, where the body itself adds one level (http/input/parse-body.ts). */
const maxMetadataDepth = 63;

/** More than any field of a contact may have, so a longer cell is still found too long after it has been cut. */
const maxFieldChars = 1000;

type Draft = { input: Record<string, unknown>; entries: Array<[string, string]>; cell?: JsonObject; tags: string[] };

/**
 * Reads the cells of a row by the columns of the header.
 * @returns the fault of a row that does not fit the header
 */
export function rowInput(columns: readonly Column[], cells: readonly string[], country: string | null): RowInput {
  if (cells.every((cell) => cell.trim() === '')) return rejected('', 'is empty');
  if (cells.length !== columns.length) {
    const count = cells.length > maxColumns ? `more than ${maxColumns} cells` : pluralize(cells.length, 'cell');
    return rejected('', `has ${count}, the header has ${columns.length}`);
  }
  const draft: Draft = { input: {}, entries: [], tags: [] };
  const faults: Fault[] = [];
  for (const [index, { target }] of columns.entries()) {
    // Spreadsheets pad names, which would then be sorted and greeted wrongly. Metadata stays exactly as written.
    const cell = textOf(target.to === 'field' ? cells[index]!.trim().slice(0, maxFieldChars) : cells[index]!);
    if (cell.trim() === '' || target.to === 'nothing') continue;
    if (target.to === 'unnamed') return rejected('', `has a value in column ${index + 1}, which has no name`);
    const fault = addCell(draft, target, cell, country);
    if (fault) faults.push(fault);
  }
  const metadata = withEntries(draft.cell, draft.entries);
  if (metadata && Buffer.byteLength(metadata.text) > maxMetadataBytes) {
    faults.push({ path: 'metadata', message: `must have at most ${maxMetadataBytes / 1024} KiB of JSON` });
    return { input: draft.input, tags: draft.tags, faults };
  }
  return { input: draft.input, tags: draft.tags, faults, ...(metadata ? { metadata: metadata.text } : {}) };
}

type FilledTarget = Exclude<Column['target'], { to: 'nothing' | 'unnamed' }>;

function addCell(draft: Draft, target: FilledTarget, cell: string, country: string | null): Fault | undefined {
  if (target.to === 'key') draft.entries.push([target.key, cell]);
  else if (target.to === 'tags') {
    const tags = tagsOf(cell);
    const fits = tags.length <= maxTags && tags.every((tag) => tag.length <= maxTagChars);
    if (!fits)
      return { path: 'tags', message: `must be at most ${maxTags}, of at most ${maxTagChars} characters each` };
    draft.tags = tags;
  } else if (target.to === 'metadata') {
    const parsed = parseObject(cell);
    if (!parsed) {
      return { path: 'metadata', message: `must be a JSON object, at most ${maxMetadataDepth} levels deep` };
    }
    draft.cell = parsed;
  } else if (target.field === 'phone') {
    const read = readPhoneCell(cell, country);
    if ('fault' in read) return { path: 'phone', message: read.fault };
    draft.input['phone'] = read.phone;
  } else draft.input[target.field] = valueOf(target.field, cell);
  return undefined;
}

/** Removes `="…"`: programs write `="0301"` to keep spreadsheets from reading a text as a number. */
function textOf(raw: string): string {
  const quoted = /^="([^]*)"$/.exec(raw)?.[1];
  return quoted === undefined ? unescapeFormula(raw) : quoted.replaceAll('""', '"');
}

/** The same limits as in a JSON body. */
const maxTags = 50;
const maxTagChars = 100;
const tagsOf = (cell: string): string[] => [
  ...new Set(
    cell
      .split(/[,;|\n]/)
      .map((tag) => tag.trim())
      .filter((tag) => tag !== ''),
  ),
];

const rejected = (path: string, message: string): RowInput => ({ input: {}, tags: [], faults: [{ path, message }] });

const pluralize = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

const yes = [
  'true',
  'yes',
  'y',
  '1',
  'x',
  'ja',
  'j',
  'wahr',
  'oui',
  'vrai',
  'sí',
  'si',
  'verdadero',
  'sì',
  'vero',
  'sim',
  'да',
];
const no = ['false', 'no', 'n', '0', 'nein', 'falsch', 'non', 'faux', 'falso', 'não', 'nee', 'нет'];
const booleanByText: ReadonlyMap<string, boolean> = new Map([
  ...yes.map((text) => [text, true] as const),
  ...no.map((text) => [text, false] as const),
]);

/** Trims values with a fixed form also inside `="…"`, because spaces around them are never meant. */
function valueOf(field: TextField, cell: string): unknown {
  if (field === 'do_not_call') return booleanByText.get(cell.trim().toLowerCase()) ?? cell;
  return field === 'email' || field === 'timezone' ? cell.trim() : cell;
}

/** The text as an object; undefined when it is not a JSON object or nests too deep. */
function parseObject(text: string): JsonObject | undefined {
  const limits = { maxDepth: maxMetadataDepth, maxValues: Number.POSITIVE_INFINITY };
  if (scanJson(Buffer.from(text), limits).exceeded) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  return value === null || typeof value !== 'object' || Array.isArray(value) ? undefined : new JsonObject(text.trim());
}

/** The object with the entries added; undefined if there is no object and there are no entries. */
function withEntries(object: JsonObject | undefined, entries: ReadonlyArray<[string, string]>): JsonObject | undefined {
  if (entries.length === 0) return object;
  return JsonObject.of({ ...object?.parsed(), ...Object.fromEntries(entries) });
}
