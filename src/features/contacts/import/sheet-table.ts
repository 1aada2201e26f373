import { AppError, invalidAt } from '../../../base/errors.ts';
import { detectFormat } from '../../../extraction/detect-format.ts';
import { ExtractionError, TooMuchText } from '../../../extraction/errors.ts';
import { firstSheetRows } from '../../../extraction/office/sheet-rows.ts';
import type { SheetRow } from '../../../extraction/office/sheet.ts';
import { firstChunk, type UploadedFile, wholeFile } from './file.ts';
import { maxColumns, maxRowBytes, numbered, type Table, type TableRow } from './table.ts';

const limits = {
  maxUnpackedBytes: 268_435_456,
  /** Up to three workbooks are read at a time (thread.ts), in a thread limited to 320 MiB. */
  maxStringBytes: 67_108_864,
  maxRowChars: maxRowBytes,
  maxTextBytes: 67_108_864,
};

/** The first bytes of ZIP files, and of the files of old office programs. */
const zipSignature = 'PK\u0003\u0004';
const oldOfficeSignature = '\u00D0\u00CF\u0011\u00E0\u00A1\u00B1\u001A\u00E1';

/**
 * Whether a file is a workbook, by its content.
 * @throws invalid for other kinds of office files
 */
export function isSheet(file: UploadedFile): boolean {
  const start = firstChunk(file).toString('latin1', 0, 8);
  if (start.startsWith(oldOfficeSignature))
    throw invalidAt('', 'The file is an old .xls file. Save it as XLSX or CSV.');
  return start.startsWith(zipSignature);
}

/**
 * Opens the first sheet of a workbook. Its first row that is not empty is the header.
 * @throws invalid when the file cannot be read or has no header; too_large, also from `rows`, when it has too much text
 */
export async function openSheet(file: UploadedFile): Promise<Table> {
  const bytes = wholeFile(file);
  if (detectFormat(bytes) !== 'xlsx') throw invalidAt('', 'The file is neither CSV nor XLSX. Save it as one of them.');
  const rows = firstSheetRows(bytes, limits);
  try {
    const header = await firstRow(rows);
    return { header, rows: reportDamage(withWidth(rows, header.length)) };
  } catch (error) {
    if (error instanceof TooMuchText) throw tooLarge(error);
    throw error instanceof ExtractionError ? invalidAt('', error.message) : error;
  }
}

const tooLarge = ({ message }: TooMuchText): AppError => new AppError('too_large', message);

async function firstRow(rows: AsyncGenerator<SheetRow | undefined>): Promise<string[]> {
  for (;;) {
    const { value, done } = await rows.next();
    if (done) throw invalidAt('', 'The first sheet is empty; it needs a header row.');
    if (value && [...value.values()].some((text) => text.trim() !== '')) return cellsOf(value, 0);
  }
}

/** The cells of a row, filled up to `width`. Further cells count only if they are not empty, and only up to `maxLength`. */
const cellsOf = (row: SheetRow, width: number, maxLength = Number.POSITIVE_INFINITY): string[] => {
  const ends = [...row].map(([column, text]) => (text.trim() === '' ? 0 : column + 1));
  const length = Math.min(maxLength, Math.max(width, ...ends));
  return Array.from({ length }, (_, column) => row.get(column) ?? '');
};

async function* withWidth(
  rows: AsyncGenerator<SheetRow | undefined>,
  width: number,
): AsyncGenerator<string[] | undefined> {
  for await (const row of rows) {
    if (row === undefined) yield undefined;
    // One cell too many is enough to reject a row.
    else if (row.size > 0) yield cellsOf(row, width, maxColumns + 1);
  }
}

/** Turns an error in the middle of a damaged file into a last row that reports it. */
async function* reportDamage(rows: AsyncIterable<string[] | undefined>): AsyncGenerator<TableRow | undefined> {
  let last = 0;
  try {
    for await (const row of numbered(rows)) {
      if (row) last = row.row;
      yield row;
    }
  } catch (error) {
    if (error instanceof TooMuchText) throw tooLarge(error);
    if (!(error instanceof ExtractionError)) throw error;
    yield { row: last + 1, error: `${error.message.replace(/\.$/, '')}; the rows from here on were not read` };
  }
}
