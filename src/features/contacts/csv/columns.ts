import { invalidAt } from '../../../base/errors.ts';

const textFields = ['first_name', 'last_name', 'email', 'phone', 'company', 'timezone', 'do_not_call'] as const;
export type TextField = (typeof textFields)[number];

/** Where the cells of a column go. */
export type Column =
  | { to: 'field'; field: TextField }
  /** A JSON object with any number of keys of the metadata. */
  | { to: 'metadata' }
  /** One key of the metadata. */
  | { to: 'key'; key: string }
  /** What only an export has. */
  | { to: 'nothing' }
  /** A column without a name, as spreadsheets leave at the end. */
  | { to: 'nameless' };

/** Columns of an export that the system sets by itself. */
const exportOnly = ['id', 'created_at', 'updated_at'];

/** `First Name`, `first-name`, `firstName` and `FIRST_NAME` are one name. */
const plain = (name: string): string => name.toLowerCase().replaceAll(/[\s_-]/g, '');
const fieldByPlainName = new Map<string, TextField>(textFields.map((field) => [plain(field), field]));

/** How many columns of a header are fields of a contact. */
export const knownColumns = (names: readonly string[]): number =>
  names.filter((name) => fieldByPlainName.has(plain(name))).length;

/**
 * Reads a header. What is no field of a contact becomes a key of the metadata, as it is written; `id`, `created_at` and
 * `updated_at` are ignored in an export (which has all three), and are the caller's own columns in any other file.
 * @throws invalid for a header that names no field, or the same column twice
 */
export function columnsOf(names: readonly string[]): Column[] {
  if (knownColumns(names) === 0) {
    throw invalidAt('', `The first row names no field of a contact. It is the header: name ${textFields.join(', ')}.`);
  }
  const seen = new Set<string>();
  const isExport = exportOnly.every((name) => names.includes(name));
  return names.map((name, index) => {
    const column = columnOf(name.trim(), isExport);
    const identity = JSON.stringify(column);
    if ((column.to === 'field' || column.to === 'key' || column.to === 'metadata') && seen.has(identity)) {
      throw invalidAt('', `The header names "${name.trim()}" in column ${index + 1}, and has named it before.`);
    }
    seen.add(identity);
    return column;
  });
}

function columnOf(name: string, isExport: boolean): Column {
  if (name === '') return { to: 'nameless' };
  if (isExport && exportOnly.includes(name)) return { to: 'nothing' };
  const field = fieldByPlainName.get(plain(name));
  if (field) return { to: 'field', field };
  return plain(name) === 'metadata' ? { to: 'metadata' } : { to: 'key', key: name };
}
