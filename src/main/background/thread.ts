import type { Config } from '../../base/config/schema.ts';
import { AppError } from '../../base/errors.ts';
import type { WorkerModule } from '../../base/worker/module.ts';
import { restarting } from '../../base/worker/restarting.ts';
import { startThread, type Thread } from '../../base/worker/thread.ts';
import type { BackgroundAccess, Examination } from '../../db/open-database.ts';

import { storageRefusalFrom } from '../../db/sqlite/storage.ts';
import type { App } from '../../kernel/app.ts';
import type { Background } from '../../kernel/app.ts';
import { createSlots } from '../../base/fair/slots.ts';
import { checkpointTask } from './checkpoint.ts';
import type { BackgroundProtocol } from './protocol.ts';

export type BackgroundThread = Background & {
  /** Copies everything committed to a file, which is then on disk. Other background tasks, and all reads and writes, go on meanwhile. */
  copyTo(file: string): Promise<void>;
  /**
   * Examines a copy of the database (db/sqlite/integrity.ts) on a thread of its own, because that reads the whole file without a pause.
   * `signal` ends it.
   * @throws an Error when the file cannot be read, or the thread was ended
   */
  examineCopy(file: string, signal: AbortSignal): Promise<Examination>;
  /**
   * Refuses tasks that have not begun, waits up to `graceMs` of real time for those that run, and ends the thread. Call it before the
   * database is closed.
   */
  close(graceMs: number): Promise<void>;
};

export type BackgroundParts = {
  config: Config;
  clock: Pick<App['clock'], 'now'>;
  access: BackgroundAccess;
  wake: App['wake'];
};

const module: WorkerModule = { asset: 'background.cjs', url: () => new URL('worker.ts', import.meta.url) };

/** Reads that may wait per organization, some seconds' worth. The number of writes is bounded by the jobs and uploads they belong to. */
const maxWaitingReads = 100;

/**
 * Runs background tasks on one worker thread, started with the first task. It stays, because what the first question loads (some 40 MB)
 * makes the next ones fast. A thread that died is replaced for the next task.
 */
export function createBackgroundThread({ config, clock, access, wake }: BackgroundParts): BackgroundThread {
  const reads = createSlots({ max: 1, waiting: { max: maxWaitingReads, full: tooManyReads } });
  const writes = createSlots({ max: 1 });
  const startNamed = async (name: string, onExit?: () => void): Promise<Thread<BackgroundProtocol>> =>
    startThread(module, {
      name,
      data: { shared: (await access.share()) as BackgroundProtocol['data']['shared'], config },
      onMessage: wake,
      ...(onExit && { onExit }),
    });
  const thread = restarting<BackgroundProtocol>(() => startNamed('background', () => access.releaseAbandoned()));

  async function request(task: string, args: unknown): Promise<never> {
    try {
      return (await thread.request({ task, args, now: clock.now() })) as never;
    } catch (error) {
      throw access.reportFailure(error);
    }
  }

  let isClosing = false;
  let isCheckpointing = false;

  /**
   * Runs at once instead of waiting in the queue of writes: reads and writes go on meanwhile. A failure is ignored, because the next
   * checkpoint meets it again.
   */
  async function checkpoint(): Promise<void> {
    if (isClosing || isCheckpointing) return;
    isCheckpointing = true;
    await request(checkpointTask.name, undefined).catch(() => undefined);
    isCheckpointing = false;
  }
  access.onLargeLog(() => void checkpoint());

  return {
    run: (task, args, owner = '') => (task.writes ? writes : reads).run(owner, () => request(task.name, args)),
    async copyTo(file) {
      try {
        await thread.request({ copyTo: file, now: clock.now() });
      } catch (error) {
        throw storageRefusalFrom(error); // concerns the copy's disk, which may not be the database's
      }
    },
    async examineCopy(file, signal) {
      const examiner = await startNamed('examination');
      const stop = (): void => void examiner.kill();
      signal.addEventListener('abort', stop);
      if (signal.aborted) stop();
      try {
        return (await examiner.request({ examine: file })) as Examination;
      } finally {
        signal.removeEventListener('abort', stop);
        await examiner.end();
      }
    },
    async close(graceMs) {
      isClosing = true;
      const idle = [reads, writes].map((slots) => slots.close(stopping));
      await thread.end(graceMs); // rejects tasks that take longer, so both become idle
      await Promise.all(idle);
    },
  };
}

const tooManyReads = (): AppError =>
  new AppError(
    'unavailable',
    `${maxWaitingReads} searches, lists, exports and reports of your organization are waiting already; try again in a few seconds.`,
  );

const stopping = (): AppError => new AppError('unavailable', 'The server is stopping.');
