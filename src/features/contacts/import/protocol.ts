import type { Fault } from '../../../base/errors.ts';
import type { WorkerProtocol } from '../../../base/worker/messages.ts';
import type { ColumnReport } from './columns.ts';
import type { Batch, ReadingOptions } from './reader.ts';

/**
 * Files are named by a number. `refused`: the file, its header or the mapping cannot be used; `tooLarge`: it has too
 * much text.
 */
export type ImportProtocol = WorkerProtocol & {
  data: undefined;
  request:
    | { open: number; options: ReadingOptions }
    | { next: number }
    | { cells: number; rows: readonly number[] }
    | { close: number };
  reply:
    | { columns: ColumnReport[] }
    | { refused: readonly Fault[] }
    | { tooLarge: string }
    | { batch: Batch; sample: readonly string[][] }
    | { cells: string[][] }
    | { closed: true };
  toThread: never;
  fromThread: never;
};
