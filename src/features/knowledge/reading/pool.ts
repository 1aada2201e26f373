import { after } from '../../../base/clock.ts';
import type { Config } from '../../../base/config/schema.ts';
import { AppError } from '../../../base/errors.ts';
import type { ExtractInput } from '../../../extraction/model.ts';
import type { Extractor, LazyInput, ReadDocument } from './extractor.ts';
import { startThread, type Thread, type ThreadLimits } from './thread.ts';

/** Limits of the queue. Beyond them requests are refused, because queued pages hold their bytes in memory. */
const maxQueued = 64;
const maxQueuedBytes = 64 * 2 ** 20;
/** How long an idle thread is kept for the next document. */
const defaultIdleMs = 30_000;
/** Share of the memory limit that the unpacked parts of a ZIP-based file may take. */
const maxUnpackedShare = 0.5;

const limitsOf = (settings: Config['knowledge']['extraction']): ThreadLimits => ({
  memoryMb: settings.memory_mb,
  timeoutMs: settings.timeout_ms,
  maxTextChars: settings.max_text_chars,
  maxUnpackedBytes: settings.memory_mb * 2 ** 20 * maxUnpackedShare,
});

type Job = {
  input: ExtractInput | LazyInput;
  signal: AbortSignal;
  resolve: (extracted: ReadDocument) => void;
  reject: (reason: unknown) => void;
};
type Slot = { thread: Thread; isBusy: boolean; stopEnding(): void };

/**
 * Runs extraction in up to `workers` threads, which are started on demand and ended after `idleMs` without work. A
 * thread that a document kills is replaced for the next one.
 */
export function createExtractor(
  settings: Config['knowledge']['extraction'],
  idleMs: number = defaultIdleMs,
): Extractor {
  const limits = limitsOf(settings);
  const slots = new Set<Slot>();
  const queue: Job[] = [];
  let closed = false;

  const start = (): Slot => {
    const slot: Slot = { thread: startThread(limits), isBusy: false, stopEnding: () => undefined };
    slots.add(slot);
    // Free the slot only when the thread has ended, because until then its memory is still in use.
    slot.thread.onEnd(() => {
      slots.delete(slot);
      pump();
    });
    return slot;
  };
  const freeSlot = (): Slot | undefined => {
    const idle = [...slots].find(({ isBusy, thread }) => !isBusy && thread.isAlive());
    return idle ?? (slots.size < settings.workers ? start() : undefined);
  };
  const pump = (): void => {
    while (!closed && queue.length > 0) {
      const slot = freeSlot();
      if (!slot) return;
      void work(slot, queue.shift()!);
    }
  };
  const work = async (slot: Slot, { input, signal, resolve, reject }: Job): Promise<void> => {
    slot.isBusy = true;
    slot.stopEnding();
    const abort = (): void => slot.thread.stop(signal.reason);
    signal.addEventListener('abort', abort);
    try {
      const document = typeof input === 'function' ? await input() : { ...input, bytes: new Uint8Array(input.bytes) };
      signal.throwIfAborted();
      resolve(await slot.thread.run(document));
    } catch (error) {
      reject(error);
    } finally {
      signal.removeEventListener('abort', abort);
      slot.isBusy = false;
      slot.stopEnding = after(idleMs, () => slot.thread.stop(undefined));
      pump();
    }
  };
  return {
    async extract(input, signal) {
      signal.throwIfAborted();
      if (closed) throw closedError();
      if (wouldOverflow(queue, input)) throw queueFullError();
      const { promise, resolve, reject } = Promise.withResolvers<ReadDocument>();
      const job: Job = { input, signal, resolve, reject };
      const leaveQueue = (): void => {
        const position = queue.indexOf(job);
        if (position === -1) return;
        queue.splice(position, 1);
        reject(signal.reason);
      };
      signal.addEventListener('abort', leaveQueue);
      queue.push(job);
      pump();
      try {
        return await promise;
      } finally {
        signal.removeEventListener('abort', leaveQueue);
      }
    },
    async close() {
      closed = true;
      for (const { reject } of queue.splice(0)) reject(closedError());
      const threads = [...slots].map(({ thread }) => thread);
      const ends = threads.map((thread) => new Promise<void>((resolve) => thread.onEnd(resolve)));
      for (const thread of threads) thread.stop(closedError());
      await Promise.all(ends);
    },
  };
}

/** A single document is always accepted, however large. */
const wouldOverflow = (queue: readonly Job[], input: Job['input']): boolean =>
  queue.length >= maxQueued ||
  (queue.length > 0 && [input, ...queue.map((job) => job.input)].reduce(addBytes, 0) > maxQueuedBytes);

const addBytes = (sum: number, input: Job['input']): number =>
  typeof input === 'function' ? sum : sum + input.bytes.length;

const closedError = (): AppError => new AppError('unavailable', 'The server is stopping.');
const queueFullError = (): AppError =>
  new AppError('unavailable', 'Too many documents are waiting to be read. Try again later.');
