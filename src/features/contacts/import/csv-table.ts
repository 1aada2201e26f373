import { pipeline, Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { parse as parseAtOnce } from 'csv-parse/sync';
import { csvDialect } from '../../../base/csv-dialect.ts';
import { invalidAt } from '../../../base/errors.ts';
import { charsetOf, utf8Of } from './charset.ts';
import { countKnownColumns, type Mapping } from './columns.ts';
import type { UploadedFile } from './file.ts';
import { maxRowBytes, numbered, type Table, type TableRow } from './table.ts';

/** The header must fit into the first chunk of the file, which has 64 KiB. */
const maxHeaderBytes = 32_768;

/** In order of preference. */
const separators = [',', ';', '\t', '|'];

/** A first line that names the separator, as spreadsheets write and read it. */
const separatorLine = /^\uFEFF?"?sep=(.)"?[ \t]*(?:\r\n|\r|\n|$)/i;

/**
 * Opens a CSV file. Its separator is the one that a first line `sep=;` names, else whichever yields the most known columns in the header
 * or, in a tie, the most columns.
 * @throws invalid when the file is empty or not text, or its header is too long
 */
export function openCsv(file: UploadedFile, declaredCharset: string | null, mapping: Mapping): Table {
  const charset = charsetOf(file, declaredCharset);
  const read = (): Generator<Buffer> => utf8Of(file, charset);
  const head: Buffer = read().next().value ?? Buffer.alloc(0);
  const named = separatorLine.exec(head.toString('utf8', 0, 16));
  const skippedLines = named ? 1 : 0;
  const candidates = named ? [named[1]!] : separators;
  const headers = candidates.map((separator) => ({ separator, names: parseHeader(head, separator, skippedLines) }));
  const [best] = headers.toSorted(
    (a, b) =>
      countKnownColumns(b.names, mapping) - countKnownColumns(a.names, mapping) || b.names.length - a.names.length,
  );
  if (!best || best.names.length === 0) throw invalidAt('', 'The file is empty; it needs a header row.');
  return { header: best.names, rows: parseRows(read(), best.separator, skippedLines) };
}

function parseHeader(head: Buffer, delimiter: string, skippedLines: number): string[] {
  try {
    const [names] = parseAtOnce(head, {
      ...csvDialect,
      delimiter,
      from_line: 1 + skippedLines,
      to: 1,
      max_record_size: maxHeaderBytes,
    });
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

async function* parseRows(
  content: Iterable<Buffer>,
  delimiter: string,
  skippedLines: number,
): AsyncGenerator<TableRow | undefined> {
  let parseError: CsvError | undefined;
  const parser = parse({
    ...csvDialect,
    delimiter,
    from_line: 1 + skippedLines,
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
  pipeline(Readable.from(content, { objectMode: false }), parser, () => undefined);
  let last = 0;
  for await (const row of numbered(parser as AsyncIterable<string[]>)) {
    if (row) last = row.row;
    yield row;
    if (row && 'error' in row) return;
  }
  if (parseError) yield { row: last + 1, error: `The row ${errorMessages[parseError.code] ?? parseError.message}` };
}
