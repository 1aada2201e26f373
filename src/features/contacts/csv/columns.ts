import { invalidAt } from '../../../base/errors.ts';

const textFields = ['first_name', 'last_name', 'email', 'phone', 'company', 'timezone', 'do_not_call'] as const;
export type TextField = (typeof textFields)[number];

/** Where the cells of a column go. */
export type Column =
  | { to: 'field'; field: TextField }
  /** The cell is a JSON object that becomes the metadata. */
  | { to: 'metadata' }
  /** The cell is the value of one metadata key. */
  | { to: 'key'; key: string }
  /** The system sets this field itself; only an export has the column. */
  | { to: 'ignored' }
  /** A column without a name, as spreadsheets leave at the end of a header. */
  | { to: 'unnamed' };

/** Columns of an export that the system sets itself. */
const exportOnlyColumns = ['id', 'created_at', 'updated_at'];

/** `First Name`, `first-name`, `firstName` and `FIRST_NAME` are the same name. */
const normalizeName = (name: string): string => name.toLowerCase().replaceAll(/[\s_-]/g, '');
const fieldByNormalizedName = new Map<string, TextField>(textFields.map((field) => [normalizeName(field), field]));

/** How many columns of a header are contact fields. */
export const countFieldColumns = (names: readonly string[]): number =>
  names.filter((name) => fieldByNormalizedName.has(normalizeName(name))).length;

/**
 * Reads a header. A name that is not a contact field becomes a metadata key, spelled as in the file. `id`, `created_at` and
 * `updated_at` are ignored where all three are present, since the file is then an export; elsewhere they are metadata too.
 * @throws invalid for a header that names no contact field, or the same column twice
 */
export function columnsOf(names: readonly string[]): Column[] {
  if (countFieldColumns(names) === 0) {
    throw invalidAt(
      '',
      `The first row names no field of a contact. It must be a header with at least one of ${textFields.join(', ')}.`,
    );
  }
  const seen = new Set<string>();
  const isExport = exportOnlyColumns.every((name) => names.includes(name));
  return names.map((name, index) => {
    const column = columnOf(name.trim(), isExport);
    const identity = JSON.stringify(column);
    if ((column.to === 'field' || column.to === 'key' || column.to === 'metadata') && seen.has(identity)) {
      throw invalidAt(
        '',
        `The header names "${name.trim()}" again in column ${index + 1}; each column needs a name of its own.`,
      );
    }
    seen.add(identity);
    return column;
  });
}

function columnOf(name: string, isExport: boolean): Column {
  if (name === '') return { to: 'unnamed' };
  if (isExport && exportOnlyColumns.includes(name)) return { to: 'ignored' };
  const field = fieldByNormalizedName.get(normalizeName(name));
  if (field) return { to: 'field', field };
  return normalizeName(name) === 'metadata' ? { to: 'metadata' } : { to: 'key', key: name };
}
