import { monotonicMs } from '../../../base/clock.ts';
import type { Fault } from '../../../base/errors.ts';
import { type ColumnReport, columnsOf, type Mapping, targetName } from './columns.ts';
import { openCsv } from './csv-table.ts';
import type { UploadedFile } from './file.ts';
import { maxSampleChars, maxSampleRows } from './outcome.ts';
import { phoneColumnsOf, readPhones } from './phone-columns.ts';
import { rowInput, type RowInput } from './row.ts';
import { isSheet, openSheet } from './sheet-table.ts';
import type { Table, TableRow } from './table.ts';

export type ReadingOptions = {
  file: UploadedFile;
  /** As the caller declares it; null means that it is detected. */
  charset: string | null;
  mapping: Mapping;
  takesTags: boolean;
  /** Reads only phone numbers: the input of a row is `{phones}`, and the mapping is not used. */
  phonesOnly?: boolean;
  /** Two letters; null means that numbers without a country are rejected. */
  country: string | null;
};

/**
 * A row as the fields of a contact. `characters` is its approximate size; `faults` are the reasons against importing it that reading found.
 */
export type ReadRow = {
  row: number;
  input: Record<string, unknown>;
  /** The text of a JSON object. */
  metadata: string | null;
  tags: string[];
  faults: Fault[];
  /** Set instead of `faults` for a row that could not be read at all. */
  error: string | null;
  characters: number;
};

export type Batch = { rows: ReadRow[]; isLast: boolean };

export type TableReader = {
  columns: ColumnReport[];
  /** The cells of the first ten rows, as they are in the file; fewer until ten rows have been read. */
  sample: readonly string[][];
  /** Reads on until a batch is full, the file ends, or it has worked for a while; a batch may be empty. */
  next(): Promise<Batch>;
  /** The cells of some rows of the last batch, as they are in the file; empty for a row that could not be read. */
  cellsOf(rows: readonly number[]): string[][];
  close(): Promise<void>;
};

/** Rows per batch: validating and writing them, for a campaign too, holds the main thread for 5 to 8 ms. */
const maxBatchRows = 128;
/** Rows can be large, so a batch also ends at this many characters. */
const maxBatchCharacters = 1_048_576;
/** A batch ends after this time, so that other imports continue in between. */
const maxBatchMs = 50;

/**
 * Opens a CSV or XLSX file.
 * @throws invalid when the file cannot be read, or its header or the mapping is of no use
 */
export async function openReader(options: ReadingOptions): Promise<TableReader> {
  const { file, charset, mapping } = options;
  const table: Table = isSheet(file) ? await openSheet(file) : openCsv(file, charset, mapping);
  const {
    columns,
    rows: tableRows,
    read,
  } = options.phonesOnly ? phoneTable(table, options) : contactTable(table, options);
  const sample: string[][] = [];
  const lastCells = new Map<number, string[]>();
  async function next(): Promise<Batch> {
    const startedMs = monotonicMs();
    lastCells.clear();
    const rows: ReadRow[] = [];
    for (let characters = 0; rows.length < maxBatchRows && characters < maxBatchCharacters;) {
      const { value, done } = await tableRows.next();
      if (done) return { rows, isLast: true };
      if (value) {
        if ('cells' in value && value.cells.length > 0 && sample.length < maxSampleRows)
          sample.push(sampleOf(value.cells));
        const row = readRow(value, read);
        if ('cells' in value) lastCells.set(value.row, value.cells);
        rows.push(row);
        characters += row.characters;
      }
      if (monotonicMs() - startedMs > maxBatchMs) break;
    }
    return { rows, isLast: false };
  }
  return {
    columns,
    sample,
    next,
    cellsOf: (rows) => rows.map((row) => lastCells.get(row) ?? []),
    close: async () => void (await tableRows.return(undefined)),
  };
}

/** How the rows of a table are read. */
type Reading = { columns: ColumnReport[]; rows: Table['rows']; read: (cells: readonly string[]) => RowInput };

function contactTable({ header, rows }: Table, { mapping, takesTags, country }: ReadingOptions): Reading {
  const columns = columnsOf(header, { mapping, takesTags });
  return {
    columns: columns.map(({ name, target }) => ({ name, to: targetName(target) })),
    rows,
    read: (cells) => rowInput(columns, cells, country),
  };
}

function phoneTable({ header, rows }: Table, { country }: ReadingOptions): Reading {
  const columns = phoneColumnsOf(header, country);
  return {
    columns: header.map((name, index) => ({ name, to: columns.indexes.includes(index) ? 'phone' : null })),
    rows: columns.hasHeader ? rows : withFirstRow(header, rows),
    read(cells) {
      const found = readPhones(cells, columns, country);
      if ('phones' in found) return { input: found, tags: [], faults: [] };
      return { input: {}, tags: [], faults: [{ path: '', message: found.fault }] };
    },
  };
}

/** The rows of a table whose first row was taken for a header. */
async function* withFirstRow(cells: string[], rows: Table['rows']): Table['rows'] {
  yield { row: 1, cells };
  for await (const row of rows) yield row && { ...row, row: row.row + 1 };
}

const sampleOf = (cells: readonly string[]): string[] => cells.map((cell) => cell.slice(0, maxSampleChars));

function readRow(row: TableRow, read: Reading['read']): ReadRow {
  const empty = {
    row: row.row,
    input: {},
    metadata: null,
    tags: [],
    faults: [],
    error: null,
    characters: 0,
  };
  if ('error' in row) return { ...empty, error: row.error };
  const { input, metadata = null, tags, faults } = read(row.cells);
  const characters = row.cells.reduce((sum, cell) => sum + cell.length, row.cells.length);
  return { ...empty, input, metadata, tags, faults, characters };
}
