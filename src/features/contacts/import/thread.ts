import { AppError, invalid } from '../../../base/errors.ts';
import { createSlots } from '../../../base/fair/slots.ts';
import type { WorkerModule } from '../../../base/worker/module.ts';
import { restarting } from '../../../base/worker/restarting.ts';
import { startThread, ThreadDied } from '../../../base/worker/thread.ts';
import type { App } from '../../../kernel/app.ts';
import { appLocal } from '../../../kernel/node.ts';
import type { ImportProtocol } from './protocol.ts';
import type { ColumnReport } from './columns.ts';
import type { ReadingOptions, ReadRow } from './reader.ts';
import { isSheet } from './sheet-table.ts';

/** A file that is being read. */
export type OpenTable = {
  columns: ColumnReport[];
  /** The first rows as they are in the file; complete once all batches have been read. */
  sample(): readonly string[][];
  /** Yields the rows in batches; a batch may be empty. */
  batches(): AsyncGenerator<ReadRow[]>;
  /** The cells of some rows of the batch that was yielded last, as they are in the file. */
  cellsOf(rows: readonly number[]): Promise<string[][]>;
};

export type TableFiles = {
  /**
   * Opens a CSV or XLSX file for `use`, once the organization gets a slot.
   * @throws invalid when the file cannot be read, or its header or the mapping is of no use; too_large for a workbook above
   *   `http.body_limits.file`
   */
  using<T>(orgId: string, options: ReadingOptions, use: (table: OpenTable) => Promise<T>): Promise<T>;
  close(): Promise<void>;
};

const module: WorkerModule = { asset: 'import.cjs', url: () => new URL('worker.ts', import.meta.url) };

/** Bounds the memory of the thread. One organization reads at most two workbooks, so that another's need not wait for them. */
const maxOpenSheets = 3;
/** A CSV is read in portions. Those of a million rows take minutes, and a short one of another organization runs beside them. */
const maxOpenCsvs = 8;
const resourceLimits = { maxOldGenerationSizeMb: 320, maxYoungGenerationSizeMb: 16 };

/** Reads the files of imports on one thread, started with the first of them. */
export const tableFilesOf: (app: App) => TableFiles = appLocal(createTableFiles);

function createTableFiles({ config }: App): TableFiles {
  const maxSheetBytes = config.http.body_limits.file;
  const [sheets, csvs] = [createSlots({ max: maxOpenSheets }), createSlots({ max: maxOpenCsvs })];
  const thread = restarting<ImportProtocol>(() =>
    Promise.resolve(startThread(module, { name: 'import', data: undefined, resourceLimits })),
  );
  let lastId = 0;

  async function request<R>(message: ImportProtocol['request']): Promise<R> {
    const reply = await thread.request(message).catch((error: unknown) => {
      throw error instanceof ThreadDied ? interrupted(error) : error;
    });
    if ('tooLarge' in reply) throw new AppError('too_large', reply.tooLarge);
    return reply as R;
  }

  async function* batchesOf(id: number, onSample: (sample: readonly string[][]) => void): AsyncGenerator<ReadRow[]> {
    for (;;) {
      const { batch, sample } = await request<Extract<ImportProtocol['reply'], { batch: unknown }>>({ next: id });
      onSample(sample);
      yield batch.rows;
      if (batch.isLast) return;
    }
  }

  async function open(id: number, options: ReadingOptions): Promise<OpenTable> {
    const reply = await request<ImportProtocol['reply']>({ open: id, options });
    if ('refused' in reply) throw invalid(reply.refused);
    let sample: readonly string[][] = [];
    return {
      columns: (reply as { columns: ColumnReport[] }).columns,
      sample: () => sample,
      batches: () => batchesOf(id, (rows) => (sample = rows)),
      cellsOf: async (rows) =>
        (await request<Extract<ImportProtocol['reply'], { cells: unknown }>>({ cells: id, rows })).cells,
    };
  }

  return {
    using: async (orgId, options, use) => {
      const isWorkbook = isSheet(options.file);
      if (isWorkbook && options.file.size > maxSheetBytes) throw tooLargeSheet(maxSheetBytes);
      return (isWorkbook ? sheets : csvs).run(orgId, async () => {
        const id = (lastId += 1);
        try {
          return await use(await open(id, options));
        } finally {
          // Wait for the thread to close the file: its descriptor may belong to another file as soon as the request has been answered.
          await thread.request({ close: id }).catch(() => undefined);
        }
      });
    },
    close: () => thread.end(),
  };
}

const tooLargeSheet = (maxBytes: number): AppError =>
  new AppError(
    'too_large',
    `The workbook is larger than ${maxBytes} bytes. Save the sheet as CSV, which may be larger.`,
  );

const interrupted = (cause: ThreadDied): AppError =>
  new AppError('unavailable', 'Reading the file was interrupted. What was imported stays; send the file again.', {
    cause,
  });
