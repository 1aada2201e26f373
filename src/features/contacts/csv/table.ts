import { pipeline } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { parse as parseAtOnce } from 'csv-parse/sync';
import { csvDialect } from '../../../base/csv-dialect.ts';
import { invalidAt } from '../../../base/errors.ts';
import { type Column, columnsOf, knownColumns } from './columns.ts';

/** What a table is read from: its bytes, UTF-8, from the beginning as often as wanted. */
type Source = { read(): AsyncIterable<Buffer> };

/** `row` counts from 1 after the header; lines without a character are not counted. */
export type TableRow = { row: number; cells: string[] } | { row: number; unreadable: string };

export type Table = { columns: Column[]; rows: AsyncIterable<TableRow> };

/** Of a header; it must fit into the first piece of a file, which has 64 KiB. */
const maxHeaderBytes = 32_768;
/** A contact's largest metadata, 1 MiB of JSON, doubles when its quotes are doubled. */
const maxRowBytes = 4 * 1_048_576;

/** In the order in which they are preferred. */
const separators = [',', ';', '\t'];

/**
 * Opens a CSV file: cells are separated by whichever of comma, semicolon and tab makes most of the header.
 * @throws invalid for a file without a usable header
 */
export async function openTable(source: Source): Promise<Table> {
  const head = await firstPiece(source);
  const headers = separators.map((separator) => ({ separator, names: headerBy(head, separator) }));
  const [best] = headers.toSorted(
    (a, b) => knownColumns(b.names) - knownColumns(a.names) || b.names.length - a.names.length,
  );
  if (!best || best.names.length === 0) throw invalidAt('', 'The file is empty; it needs a header row.');
  return { columns: columnsOf(best.names), rows: rowsBy(source, best.separator) };
}

async function firstPiece(source: Source): Promise<Buffer> {
  for await (const piece of source.read()) return piece;
  return Buffer.alloc(0);
}

function headerBy(head: Buffer, delimiter: string): string[] {
  try {
    const [names] = parseAtOnce(head, { ...csvDialect, delimiter, to: 1, max_record_size: maxHeaderBytes });
    return names ?? [];
  } catch (cause) {
    if (!(cause instanceof CsvError)) throw cause;
    throw invalidAt('', `The header row is longer than ${maxHeaderBytes} bytes, or a quote in it is never closed.`);
  }
}

/** The two faults that `csvDialect` does not forgive. After either of them there are no more rows. */
const unreadable: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'has a quote that is never closed: all from there to the end of the file is one cell',
  CSV_MAX_RECORD_SIZE: `is longer than ${maxRowBytes} bytes, perhaps for a quote that is not closed: what follows was not read`,
};

async function* rowsBy(source: Source, delimiter: string): AsyncGenerator<TableRow> {
  let fault: CsvError | undefined;
  const parser = parse({
    ...csvDialect,
    delimiter,
    from: 2,
    max_record_size: maxRowBytes,
    // An error would destroy the parser, and the rows with it that it has read and nobody has taken yet.
    skip_records_with_error: true,
    on_skip: (error) => {
      fault ??= error;
      return undefined;
    },
  });
  // What breaks the source breaks the parser, which the loop meets.
  pipeline(source.read(), parser, () => undefined);
  let row = 0;
  for await (const cells of parser) {
    row += 1;
    yield { row, cells: cells as string[] };
  }
  if (fault) yield { row: row + 1, unreadable: `The row ${unreadable[fault.code] ?? fault.message}` };
}
