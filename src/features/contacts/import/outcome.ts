import type { ColumnReport } from './columns.ts';

export type RowReason = { row: number; reason: string };
export type RowWarning = { row: number; field: string; reason: string };
export type RepeatedRow = { row: number; first_row: number };

/** Each list holds its first 1,000 entries; the counts include all. */
export type ImportResult = {
  /** By which the rejected rows and the warnings are had for a day; null for a dry run. */
  import_id: string | null;
  created: number;
  updated: number;
  rejected: RowReason[];
  rejected_count: number;
  /** Cells that could not be read, so their rows were imported without them. */
  warnings: RowWarning[];
  warning_count: number;
  /** The cells of the rejected rows, if they were asked for. */
  rejected_cells?: string[][];
  /** With a campaign: rows whose contact was not added to it. Without one: rows whose contact existed and was left unchanged. */
  skipped: RowReason[];
  repeated: RepeatedRow[];
  total: number;
  columns: ColumnReport[];
  sample: string[][];
  /** The rows of `sample` as they will be stored, if they were asked for; null for a rejected row. */
  stored_cells?: Array<Array<string | null> | null>;
  contact_ids: string[] | null;
};

export type ImportCounts = { rejectedChars: number; skipped: number; added: number };

export const maxListed = 1000;
/** The first rows of a file are answered as they were read. */
export const maxSampleRows = 10;
export const maxSampleChars = 200;
/** With more ids than this, an answer would be larger than 4 MiB. */
export const maxContactIds = 100_000;

/** Cells of rejected rows are answered up to about this size, in characters. */
export const maxRejectedChars = 1_048_576;

/** Appends to a list of an answer until it is full. */
export function listed<T>(entries: T[], entry: T): void {
  if (entries.length < maxListed) entries.push(entry);
}

export const emptyResult = (columns: ColumnReport[]): ImportResult => ({
  import_id: null,
  created: 0,
  updated: 0,
  rejected: [],
  rejected_count: 0,
  warnings: [],
  warning_count: 0,
  skipped: [],
  repeated: [],
  total: 0,
  columns,
  sample: [],
  contact_ids: null,
});
