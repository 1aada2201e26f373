import { isE164 } from '../../../base/phone.ts';

/** What a spreadsheet takes for the beginning of a formula (contract, section 12), whatever number of apostrophes before it. */
const formula = /^'*[=+\-@\t\r]/;
const defused = /^'+[=+\-@\t\r]/;

/**
 * A cell that no spreadsheet runs: an apostrophe stands before what could be a formula. Telephone numbers stay as they are. What
 * has an apostrophe there already gets one more, so that `restore` gives back any text as it was.
 */
export const defuse = (cell: string): string => (formula.test(cell) && !isE164(cell) ? `'${cell}` : cell);

/** Takes back what `defuse`, or another program that follows the same custom, did to a cell. */
export const restore = (cell: string): string => (defused.test(cell) ? cell.slice(1) : cell);

/** One line of CSV (RFC 4180), defused. */
export const csvLine = (cells: readonly string[]): string =>
  `${cells.map((cell) => quoteIfNeeded(defuse(cell))).join(',')}\r\n`;

const quoteIfNeeded = (cell: string): string => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
