import { isE164 } from '../../../base/phone.ts';

/** A cell that spreadsheets may run as a formula (docs/api/contacts.md, "Export"), even after any number of apostrophes. */
const formulaStart = /^'*[=+\-@\t\r]/;
const escapedFormulaStart = /^'+[=+\-@\t\r]/;

/**
 * Prefixes an apostrophe to a cell that a spreadsheet might run as a formula. Phone numbers stay as they are. A cell that already
 * starts with apostrophes gets one more, so that `unescapeFormula` restores any text exactly.
 */
export const escapeFormula = (cell: string): string => (formulaStart.test(cell) && !isE164(cell) ? `'${cell}` : cell);

/** Removes the apostrophe that `escapeFormula`, or another program with the same convention, added. */
export const unescapeFormula = (cell: string): string => (escapedFormulaStart.test(cell) ? cell.slice(1) : cell);

/** One line of CSV (RFC 4180) with formulas escaped. */
export const csvLine = (cells: readonly string[], separator: CsvSeparator = ','): string =>
  `${cells.map((cell) => quoteIfNeeded(escapeFormula(cell), separator)).join(separator)}\r\n`;

export type CsvSeparator = ',' | ';';

const quoteIfNeeded = (cell: string, separator: CsvSeparator): string =>
  /["\r\n]/.test(cell) || cell.includes(separator) ? `"${cell.replaceAll('"', '""')}"` : cell;
