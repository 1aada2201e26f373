import type { Fault } from '../../../base/errors.ts';
import { JsonObject } from '../../../base/json.ts';
import { scanJson } from '../../../base/json-scan.ts';
import { unescapeFormula } from './cells.ts';
import type { Column } from './columns.ts';

/** A row in the form of a request body, without its empty cells. Field values are not validated yet; `faults` concern the row's form. */
export type RowInput = { input: Record<string, unknown>; faults: Fault[] };

/** Metadata may nest as deep as in a JSON body, where the body itself adds one level (http/input/parse-body.ts). */
const maxMetadataDepth = 63;

/** Reads the cells of a row by the columns of the header. */
export function rowInput(columns: readonly Column[], cells: readonly string[]): RowInput {
  if (cells.length !== columns.length) {
    return rejected('', `has ${pluralize(cells.length, 'cell')}, the header has ${columns.length}`);
  }
  if (cells.every((cell) => cell.trim() === '')) return rejected('', 'is empty');
  const input: Record<string, unknown> = {};
  const metadataEntries: Array<[string, string]> = [];
  let metadataCell: JsonObject | undefined;
  for (const [index, column] of columns.entries()) {
    const cell = unescapeFormula(cells[index]!);
    if (cell.trim() === '') continue;
    if (column.to === 'field') input[column.field] = valueOf(column.field, cell);
    else if (column.to === 'key') metadataEntries.push([column.key, cell]);
    else if (column.to === 'unnamed') return rejected('', `has a value in column ${index + 1}, which has no name`);
    else if (column.to === 'metadata') {
      const parsed = parseObject(cell);
      if (!parsed) return rejected('metadata', `must be a JSON object, at most ${maxMetadataDepth} levels deep`);
      metadataCell = parsed;
    }
  }
  const metadata = withEntries(metadataCell, metadataEntries);
  if (metadata) input['metadata'] = metadata;
  return { input, faults: [] };
}

const rejected = (path: string, message: string): RowInput => ({ input: {}, faults: [{ path, message }] });

const pluralize = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

const booleanByText: Readonly<Record<string, boolean>> = {
  true: true,
  yes: true,
  1: true,
  false: false,
  no: false,
  0: false,
};

/** Trims values with a fixed form, where surrounding spaces are never meant; names and companies stay exactly as written. */
function valueOf(field: string, cell: string): unknown {
  if (field === 'do_not_call') return booleanByText[cell.trim().toLowerCase()] ?? cell;
  return field === 'email' || field === 'phone' || field === 'timezone' ? cell.trim() : cell;
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

/** All faults of a row in one sentence. */
export const reasonOf = (faults: readonly Fault[]): string =>
  faults.map(({ path, message }) => (path === '' ? `The row ${message}` : `${path} ${message}`)).join('; ');
