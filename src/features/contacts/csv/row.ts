import type { Fault } from '../../../base/errors.ts';
import { isDeeper, parseExactly } from '../../../base/json.ts';
import { restore } from './cells.ts';
import type { Column } from './columns.ts';

/** A row as a body would give the contact: only what is not empty. Judged by nobody yet, but for what `faults` says. */
export type RowInput = { input: Record<string, unknown>; faults: Fault[] };

/** As deep as a body of JSON can bring it (http/bodies.ts). */
const maxMetadataDepth = 99;

/** Reads the cells of a row by the columns of its header. */
export function rowInput(columns: readonly Column[], cells: readonly string[]): RowInput {
  if (cells.length !== columns.length) {
    return refused('', `has ${count(cells.length, 'cell')}, the header has ${columns.length}`);
  }
  if (cells.every((cell) => cell.trim() === '')) return refused('', 'is empty');
  const input: Record<string, unknown> = {};
  const keys: Array<[string, string]> = [];
  let own: Record<string, unknown> = {};
  for (const [index, column] of columns.entries()) {
    const cell = restore(cells[index]!);
    if (cell.trim() === '') continue;
    if (column.to === 'field') input[column.field] = valueOf(column.field, cell);
    else if (column.to === 'key') keys.push([column.key, cell]);
    else if (column.to === 'nameless') return refused('', `has a value in column ${index + 1}, which has no name`);
    else if (column.to === 'metadata') {
      const parsed = parseObject(cell);
      if (!parsed) return refused('metadata', `must be a JSON object, at most ${maxMetadataDepth} levels deep`);
      own = parsed;
    }
  }
  const metadata = { ...own, ...Object.fromEntries(keys) };
  if (Object.keys(metadata).length > 0) input['metadata'] = metadata;
  return { input, faults: [] };
}

const refused = (path: string, message: string): RowInput => ({ input: {}, faults: [{ path, message }] });

const count = (many: number, noun: string): string => `${many} ${noun}${many === 1 ? '' : 's'}`;

const truths: Readonly<Record<string, boolean>> = { true: true, yes: true, 1: true, false: false, no: false, 0: false };

/** Texts that people read stay as they are; blanks around a value that is looked up are nobody's intention. */
function valueOf(field: string, cell: string): unknown {
  if (field === 'do_not_call') return truths[cell.trim().toLowerCase()] ?? cell;
  return field === 'email' || field === 'phone' || field === 'timezone' ? cell.trim() : cell;
}

function parseObject(text: string): Record<string, unknown> | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined; // the caller says what would have been right
  }
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return undefined;
  return isDeeper(value, maxMetadataDepth) ? undefined : (parseExactly(text) as Record<string, unknown>);
}

/** One sentence for all that is wrong with a row. */
export const reasonOf = (faults: readonly Fault[]): string =>
  faults.map(({ path, message }) => (path === '' ? `The row ${message}` : `${path} ${message}`)).join('; ');
