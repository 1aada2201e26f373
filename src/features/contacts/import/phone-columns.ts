import { invalidAt } from '../../../base/errors.ts';
import { recognize } from './column-names.ts';
import { readPhoneCell } from './phone-cell.ts';

/** The columns of a list of phone numbers that have the numbers. `hasHeader`: the first row is no entry of the list. */
export type PhoneColumns = { indexes: readonly number[]; hasHeader: boolean };

const isPhone = (cell: string, country: string | null): boolean => 'phone' in readPhoneCell(cell, country);

/**
 * Finds the columns by their names, or by the numbers in the first row of a list without a header. Other columns are never read, because a
 * customer number may look like a national phone number.
 * @throws invalid when no column has phone numbers
 */
export function phoneColumnsOf(firstRow: readonly string[], country: string | null): PhoneColumns {
  const indexesOf = (matches: (cell: string) => boolean): number[] =>
    firstRow.flatMap((cell, index) => (matches(cell) ? [index] : []));
  const named = indexesOf((cell) => recognize(cell)?.as === 'phone');
  if (named.length > 0) return { indexes: named, hasHeader: true };
  const filled = indexesOf((cell) => isPhone(cell, country));
  if (filled.length > 0) return { indexes: filled, hasHeader: false };
  if (firstRow.length === 1) return { indexes: [0], hasHeader: true };
  throw invalidAt('', 'No column has phone numbers. Give the column a header like "phone".');
}

/** The phone numbers of a row, or why it has none. */
export type RowPhones = { phones: string[] } | { fault: string };

/** A row with several numbers is read if one of them can be read; all that can be read count. */
export function readPhones(cells: readonly string[], { indexes }: PhoneColumns, country: string | null): RowPhones {
  const read = indexes.flatMap((index) => {
    const cell = cells[index] ?? '';
    return cell.trim() === '' ? [] : [readPhoneCell(cell, country)];
  });
  const phones = read.flatMap((cell) => ('phone' in cell ? [cell.phone] : []));
  if (phones.length > 0) return { phones };
  const [first] = read;
  return { fault: first && 'fault' in first ? `has no phone that can be read: it ${first.fault}` : 'has no phone' };
}
