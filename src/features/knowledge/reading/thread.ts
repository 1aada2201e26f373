import type { WorkerOptions } from 'node:worker_threads';
import { after } from '../../../base/clock.ts';
import { messageOf } from '../../../base/errors.ts';
import { startWorker, type WorkerModule } from '../../../base/worker.ts';
import { ExtractionError } from '../../../extraction/errors.ts';
import type { ExtractInput } from '../../../extraction/model.ts';
import type { ReadDocument } from './extractor.ts';
import type { Ready, Reply, WorkerData } from './protocol.ts';
import type { ExtractionLimits } from '../../../extraction/limits.ts';

export type ThreadLimits = ExtractionLimits & { memoryMb: number; timeoutMs: number };

/** Its bytes are all of their buffer, and nobody else's. */
type Owned = ExtractInput & { bytes: Uint8Array<ArrayBuffer> };

/** One worker thread, which does one job at a time and may die of it. */
export type Thread = {
  /**
   * Takes the bytes for its own.
   * @throws ExtractionError when the document is refused, or breaks a limit; the thread is then on its way out
   */
  run(input: Owned): Promise<ReadDocument>;
  /** Rejects what is running with the error, and ends the thread. */
  stop(reason: unknown): void;
  /** Whether it can be given another job. */
  isAlive(): boolean;
  /** Calls back once it has ended and given its memory back; ask before it does. */
  onEnd(callback: () => void): void;
};

/** main.ts. */
const reading: WorkerModule = { asset: 'reading.cjs', url: () => new URL('worker.ts', import.meta.url) };

const mebibyte = 2 ** 20;
/** Of the memory, what V8 needs for what is young. */
const youngShare = 8;
/** A thread that still has more of it after a document is not kept: the next one would have to do with the rest. */
const keptShare = 0.4;
/** How often the memory is looked at that V8's own limit leaves out: that of buffers. Real time. */
const watchMs = 50;

export function startThread(limits: ThreadLimits): Thread {
  const { memoryMb, timeoutMs } = limits;
  const worker = startWorker(reading, optionsOf(limits));
  worker.stdout.resume();
  worker.stderr.resume();
  let alive = true;
  let settle: ((outcome: Outcome) => void) | undefined;
  const stop = (failed: unknown): void => {
    alive = false;
    settle?.({ failed });
    worker.ref(); // somebody waits for its end
    void worker.terminate();
  };
  const ready = Promise.withResolvers<void>();
  worker.once('exit', () => {
    ready.resolve();
    stop(new ExtractionError('Reading it ended in the middle; give it in another format.'));
  });
  worker.on('message', (message: Reply | Ready) => (message === 'ready' ? ready.resolve() : settle?.(message)));
  worker.on('error', (error) => stop(isOutOfMemory(error) ? tooMuchMemory(memoryMb) : crashed(error)));
  worker.unref();
  return {
    onEnd: (callback) => void worker.once('exit', callback),
    stop,
    isAlive: () => alive,
    async run(input) {
      const outcome = Promise.withResolvers<Outcome>();
      settle = outcome.resolve;
      worker.ref();
      await ready.promise; // the document is not to blame for what a busy machine takes to start a thread
      worker.postMessage(input, [input.bytes.buffer]);
      const cancel = after(timeoutMs, () => stop(tooMuchTime(timeoutMs)));
      void watchMemory(() => settle === outcome.resolve);
      const ending = await outcome.promise;
      cancel();
      settle = undefined;
      if (alive && (await usedBytes()) > memoryMb * mebibyte * keptShare) stop(undefined);
      if (alive) worker.unref();
      if ('failed' in ending) throw ending.failed;
      if ('refused' in ending) throw new ExtractionError(ending.refused);
      return ending.extracted;
    },
  };

  /** V8 limits its own heap only; a packed stream in a PDF unpacks into buffers. */
  async function watchMemory(isRunning: () => boolean): Promise<void> {
    while (alive && isRunning()) {
      const used = await usedBytes();
      if (used > memoryMb * mebibyte && isRunning()) stop(tooMuchMemory(memoryMb));
      await new Promise<void>((resolve) => after(watchMs, resolve));
    }
  }

  async function usedBytes(): Promise<number> {
    try {
      const { used_heap_size: heap, external_memory: external } = await worker.getHeapStatistics();
      return heap + external;
    } catch {
      return 0; // it has just ended
    }
  }
}

type Outcome = Reply | { failed: unknown };

function optionsOf({ memoryMb, ...limits }: ThreadLimits): WorkerOptions {
  const young = Math.max(2, Math.floor(memoryMb / youngShare));
  return {
    name: 'knowledge',
    workerData: { limits } satisfies WorkerData,
    resourceLimits: { maxOldGenerationSizeMb: memoryMb - young, maxYoungGenerationSizeMb: young },
    env: {},
    // What a parser prints is for its makers, not for the log.
    stdout: true,
    stderr: true,
  };
}

const isOutOfMemory = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY';

const tooMuchMemory = (memoryMb: number): ExtractionError =>
  new ExtractionError(`Reading it needs more memory than ${memoryMb} MiB; divide it into smaller files.`);

const tooMuchTime = (timeoutMs: number): ExtractionError =>
  new ExtractionError(`Reading it takes longer than ${timeoutMs / 1000} s; divide it into smaller files.`);

const crashed = (error: unknown): ExtractionError =>
  new ExtractionError(`Reading it failed (${messageOf(error)}).`, { cause: error });
