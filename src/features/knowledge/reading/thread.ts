import type { ResourceLimits } from 'node:worker_threads';
import { after } from '../../../base/clock.ts';
import { messageOf } from '../../../base/errors.ts';
import type { WorkerModule } from '../../../base/worker/module.ts';
import * as worker from '../../../base/worker/thread.ts';
import type { ExtractionLimits } from '../../../extraction/limits.ts';
import { ExtractionError } from '../../../extraction/errors.ts';
import type { ExtractInput } from '../../../extraction/model.ts';
import type { ReadDocument } from './extractor.ts';
import type { ReadingProtocol } from './protocol.ts';

export type ThreadLimits = ExtractionLimits & { memoryMb: number; timeoutMs: number };

/** The bytes fill a buffer of their own, which moves to the thread. */
type OwnedInput = ExtractInput & { bytes: Uint8Array<ArrayBuffer> };

/** A thread that reads one document at a time. A document that exceeds the time or memory limit ends the thread. */
export type Thread = {
  /**
   * Moves the bytes to the thread, so that the caller can no longer use them.
   * @throws ExtractionError when the document cannot be read or exceeds a limit. If it exceeds the time or memory limit, the thread is
   *   about to end.
   */
  run(input: OwnedInput): Promise<ReadDocument>;
  /** Ends the thread, and rejects what it is reading with the reason. */
  stop(reason: unknown): void;
  /** Whether it can read another document. */
  isAlive(): boolean;
  /** Calls back once the thread has ended and its memory is free. */
  onEnd(callback: () => void): void;
};

const module: WorkerModule = { asset: 'reading.cjs', url: () => new URL('worker.ts', import.meta.url) };

const mebibyte = 2 ** 20;
/** V8's young generation gets the memory limit divided by this. */
const youngDivisor = 8;
/**
 * A thread that still uses more than this share of the memory limit after a document is not reused: the next document would get only the
 * rest.
 */
const maxSharePerReuse = 0.4;
/** How often the memory is measured while a document is read, in real time. */
const measureEveryMs = 50;

export function startThread(limits: ThreadLimits): Thread {
  const { memoryMb, timeoutMs, ...extraction } = limits;
  const thread = worker.startThread<ReadingProtocol>(module, {
    name: 'reading',
    data: { limits: extraction },
    resourceLimits: heapLimits(memoryMb),
    silent: true, // keeps the parsers' own warnings out of the log
  });
  const stop = (reason: unknown): void => void thread.kill(reason);

  /**
   * Kills the thread when its buffers, which V8's own limits do not count, need too much: a stream in a PDF may
   * decompress to gigabytes.
   */
  async function watchMemory(isReading: () => boolean): Promise<void> {
    while (isReading()) {
      const used = await thread.usedBytes();
      if (used > memoryMb * mebibyte && isReading()) stop(tooMuchMemory(memoryMb));
      await new Promise<void>((resolve) => after(measureEveryMs, resolve));
    }
  }

  async function enforceLimits(isReading: () => boolean): Promise<void> {
    await thread.ready; // time and memory that the thread needs to start, on a busy machine, are not the document's
    if (!isReading()) return;
    const cancel = after(timeoutMs, () => isReading() && stop(tooMuchTime(timeoutMs)));
    await watchMemory(isReading);
    cancel();
  }

  async function read(input: OwnedInput): Promise<ReadingProtocol['reply']> {
    let isReading = true;
    void enforceLimits(() => isReading && thread.isAlive());
    try {
      return await thread.request(input, [input.bytes.buffer]);
    } catch (error) {
      throw error instanceof worker.ThreadDied ? causeOfDeath(error.cause, memoryMb) : error;
    } finally {
      isReading = false;
    }
  }

  async function callAtEnd(callback: () => void): Promise<void> {
    await thread.ended;
    callback();
  }

  return {
    onEnd: (callback) => void callAtEnd(callback),
    stop,
    isAlive: () => thread.isAlive(),
    async run(input) {
      const reply = await read(input);
      if (thread.isAlive() && (await thread.usedBytes()) > memoryMb * mebibyte * maxSharePerReuse) stop(undefined);
      if ('refused' in reply) throw new ExtractionError(reply.refused);
      return reply.extracted;
    },
  };
}

function heapLimits(memoryMb: number): ResourceLimits {
  const young = Math.max(2, Math.floor(memoryMb / youngDivisor));
  return { maxOldGenerationSizeMb: memoryMb - young, maxYoungGenerationSizeMb: young };
}

function causeOfDeath(cause: unknown, memoryMb: number): ExtractionError {
  if (cause === undefined) return new ExtractionError('Reading it ended in the middle; give it in another format.');
  if ((cause as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY') return tooMuchMemory(memoryMb);
  return new ExtractionError(`Reading it failed (${messageOf(cause)}).`, { cause });
}

const tooMuchMemory = (memoryMb: number): ExtractionError =>
  new ExtractionError(`Reading it needs more memory than ${memoryMb} MiB; divide it into smaller files.`);

const tooMuchTime = (timeoutMs: number): ExtractionError =>
  new ExtractionError(`Reading it takes longer than ${timeoutMs / 1000} s; divide it into smaller files.`);
