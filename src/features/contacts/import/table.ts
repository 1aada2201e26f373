/**
 * `row` counts from 1 after the header, without empty lines. A row whose cells are all empty has no cells. `error` means that the file
 * cannot be read from this row on.
 */
export type TableRow = { row: number; cells: string[] } | { row: number; error: string };

/** `rows` yields undefined after reading for a while without completing a row, so that other imports continue in between. */
export type Table = { header: string[]; rows: AsyncGenerator<TableRow | undefined> };

/** The number of rows that a spreadsheet's sheet can have. */
const maxRows = 1_048_576;

/** The largest row of a file: far more than a contact with 64 KiB of metadata needs, although CSV doubles each quote in it. */
export const maxRowBytes = 1_048_576;

/**
 * Columns of a header. A spreadsheet's last column is number 16,384: with a cell there, each row of 30 bytes would become an array of that
 * length.
 */
export const maxColumns = 1000;

/** Numbers the rows, leaves out empty rows at the end, and ends after `maxRows`. */
export async function* numbered(rows: AsyncIterable<string[] | undefined>): AsyncGenerator<TableRow | undefined> {
  let row = 0;
  let empty = 0;
  for await (const cells of rows) {
    if (cells === undefined) yield undefined;
    else if (cells.every((cell) => cell.trim() === '')) {
      empty += 1; // there may be a million of them
      if (empty % 1000 === 0) yield undefined;
    } else {
      for (; empty > 0 && row < maxRows; empty -= 1) yield { row: (row += 1), cells: [] };
      if (row === maxRows) return yield { row: row + 1, error: tooManyRows };
      yield { row: (row += 1), cells };
    }
  }
}

const tooManyRows = `The file has more than ${maxRows} rows; the others were not read. Split it into smaller files`;
