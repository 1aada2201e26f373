import { after } from '../../../base/clock.ts';
import type { Config } from '../../../base/config/schema.ts';
import { AppError } from '../../../base/errors.ts';
import type { ExtractInput } from '../../../extraction/model.ts';
import type { Extractor, LazyInput, ReadDocument } from './extractor.ts';
import { startThread, type Thread, type ThreadLimits } from './thread.ts';

/** Who asks when so many wait for a thread is told to come again: what was fetched holds its bytes in memory. */
const maxWaiting = 64;
const maxWaitingBytes = 64 * 2 ** 20;
/** How long a thread is kept for the next document. */
const keptMs = 30_000;
/** Of the memory, what the parts of a packed format may have together. */
const unpackedShare = 0.5;

const limitsOf = (settings: Config['knowledge']['extraction']): ThreadLimits => ({
  memoryMb: settings.memory_mb,
  timeoutMs: settings.timeout_ms,
  maxTextChars: settings.max_text_chars,
  maxUnpackedBytes: settings.memory_mb * 2 ** 20 * unpackedShare,
});

type Job = {
  input: ExtractInput | LazyInput;
  signal: AbortSignal;
  resolve: (extracted: ReadDocument) => void;
  reject: (reason: unknown) => void;
};
type Slot = { thread: Thread; busy: boolean; stopEnding(): void };

/**
 * Extraction in worker threads: started when there is work, as many as `workers`, ended when there has been none for
 * `idleMs`. A thread that dies of a document is replaced for the next.
 */
export function createExtractor(settings: Config['knowledge']['extraction'], idleMs: number = keptMs): Extractor {
  const limits = limitsOf(settings);
  const slots = new Set<Slot>();
  const waiting: Job[] = [];
  let closed = false;

  const start = (): Slot => {
    const slot: Slot = { thread: startThread(limits), busy: false, stopEnding: () => undefined };
    slots.add(slot);
    // Its memory is free only when it has ended, so its place is, too.
    slot.thread.onEnd(() => {
      slots.delete(slot);
      pump();
    });
    return slot;
  };
  const freeSlot = (): Slot | undefined => {
    const idle = [...slots].find(({ busy, thread }) => !busy && thread.isAlive());
    return idle ?? (slots.size < settings.workers ? start() : undefined);
  };
  const pump = (): void => {
    while (!closed && waiting.length > 0) {
      const slot = freeSlot();
      if (!slot) return;
      void work(slot, waiting.shift()!);
    }
  };
  const isCrowdedBy = (input: Job['input']): boolean =>
    waiting.length >= maxWaiting ||
    (waiting.length > 0 && [input, ...waiting.map((job) => job.input)].reduce(addBytes, 0) > maxWaitingBytes);
  const work = async (slot: Slot, { input, signal, resolve, reject }: Job): Promise<void> => {
    slot.busy = true;
    slot.stopEnding();
    const abort = (): void => slot.thread.stop(signal.reason);
    signal.addEventListener('abort', abort);
    try {
      const given = typeof input === 'function' ? await input() : { ...input, bytes: new Uint8Array(input.bytes) };
      signal.throwIfAborted();
      resolve(await slot.thread.run(given));
    } catch (error) {
      reject(error);
    } finally {
      signal.removeEventListener('abort', abort);
      slot.busy = false;
      slot.stopEnding = after(idleMs, () => slot.thread.stop(undefined));
      pump();
    }
  };
  return {
    async extract(input, signal) {
      signal.throwIfAborted();
      if (closed) throw closing();
      if (isCrowdedBy(input)) throw busy();
      const { promise, resolve, reject } = Promise.withResolvers<ReadDocument>();
      const job: Job = { input, signal, resolve, reject };
      const giveUp = (): void => {
        const place = waiting.indexOf(job);
        if (place === -1) return;
        waiting.splice(place, 1);
        reject(signal.reason);
      };
      signal.addEventListener('abort', giveUp);
      waiting.push(job);
      pump();
      try {
        return await promise;
      } finally {
        signal.removeEventListener('abort', giveUp);
      }
    },
    async close() {
      closed = true;
      for (const { reject } of waiting.splice(0)) reject(closing());
      const threads = [...slots].map(({ thread }) => thread);
      const ends = threads.map((thread) => new Promise<void>((resolve) => thread.onEnd(resolve)));
      for (const thread of threads) thread.stop(closing());
      await Promise.all(ends);
    },
  };
}

const addBytes = (sum: number, input: Job['input']): number =>
  typeof input === 'function' ? sum : sum + input.bytes.length;

const closing = (): AppError => new AppError('unavailable', 'The server is stopping.');
const busy = (): AppError => new AppError('unavailable', 'Too many documents wait to be read; try again later.');
