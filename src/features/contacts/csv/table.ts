import { pipeline } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { parse as parseAtOnce } from 'csv-parse/sync';
import { csvDialect } from '../../../base/csv-dialect.ts';
import { invalidAt } from '../../../base/errors.ts';
import { type Column, columnsOf, countFieldColumns } from './columns.ts';

/** A UTF-8 file; each `read()` starts again at its first byte. */
type Source = { read(): AsyncIterable<Buffer> };

/** `row` counts from 1 after the header; empty lines are not counted. `error`: the file cannot be read from this row on. */
export type TableRow = { row: number; cells: string[] } | { row: number; error: string };

export type Table = { columns: Column[]; rows: AsyncIterable<TableRow> };

/** The header must fit into the first chunk of the file, which has 64 KiB. */
const maxHeaderBytes = 32_768;
/** Far more than a contact with 64 KiB of metadata needs, although CSV doubles each quote in it. */
const maxRowBytes = 1_048_576;

/** In order of preference. */
const separators = [',', ';', '\t'];

/**
 * Opens a CSV file. Its separator is whichever yields the most contact fields in the header or, in a tie, the most columns.
 * @throws invalid when the file is empty, or its header is too long, names no contact field, or names a column twice
 */
export async function openTable(source: Source): Promise<Table> {
  const head = await firstChunk(source);
  const headers = separators.map((separator) => ({ separator, names: parseHeader(head, separator) }));
  const [best] = headers.toSorted(
    (a, b) => countFieldColumns(b.names) - countFieldColumns(a.names) || b.names.length - a.names.length,
  );
  if (!best || best.names.length === 0) throw invalidAt('', 'The file is empty; it needs a header row.');
  return { columns: columnsOf(best.names), rows: parseRows(source, best.separator) };
}

async function firstChunk(source: Source): Promise<Buffer> {
  for await (const chunk of source.read()) return chunk;
  return Buffer.alloc(0);
}

function parseHeader(head: Buffer, delimiter: string): string[] {
  try {
    const [names] = parseAtOnce(head, { ...csvDialect, delimiter, to: 1, max_record_size: maxHeaderBytes });
    return names ?? [];
  } catch (cause) {
    if (!(cause instanceof CsvError)) throw cause;
    throw invalidAt('', `The header row is longer than ${maxHeaderBytes} bytes, or a quote in it is never closed.`);
  }
}

/** The two errors that `csvDialect` does not tolerate, by the parser's code. No rows follow either of them. */
const errorMessages: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'has a quote that is never closed, so the rest of the file was read as one cell',
  CSV_MAX_RECORD_SIZE: `is longer than ${maxRowBytes} bytes, possibly because a quote is not closed; the rest of the file was not read`,
};

async function* parseRows(source: Source, delimiter: string): AsyncGenerator<TableRow> {
  let parseError: CsvError | undefined;
  const parser = parse({
    ...csvDialect,
    delimiter,
    from: 2,
    max_record_size: maxRowBytes,
    // Without this an error destroys the parser and loses the rows that are parsed but not consumed yet.
    skip_records_with_error: true,
    on_skip: (error) => {
      parseError ??= error;
      return undefined;
    },
  });
  // An error of the source destroys the parser, so the loop below throws it.
  pipeline(source.read(), parser, () => undefined);
  let row = 0;
  for await (const cells of parser) {
    row += 1;
    yield { row, cells: cells as string[] };
  }
  if (parseError) yield { row: row + 1, error: `The row ${errorMessages[parseError.code] ?? parseError.message}` };
}
