import { after } from '../../../base/clock.ts';
import type { Config } from '../../../base/config/schema.ts';
import { AppError } from '../../../base/errors.ts';
import type { ExtractInput } from '../../../extraction/model.ts';
import type { Extractor, LazyInput, ReadDocument } from './extractor.ts';
import { createOrganizationQueues, type NextJob } from '../../../base/organization-queues.ts';
import { startThread as startReadingThread, type Thread, type ThreadLimits } from './thread.ts';

/** Limits of each organization's queue. Further documents are refused, because queued pages hold their bytes in memory. */
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

export type ExtractorOptions = {
  idleMs?: number;
  startThread?: (limits: ThreadLimits) => Thread;
};

/**
 * Runs extraction in up to `workers` threads, which are started on demand and ended after `idleMs` without work. A
 * thread that a document kills is replaced for the next one.
 */
export function createExtractor(
  settings: Config['knowledge']['extraction'],
  { idleMs = defaultIdleMs, startThread = startReadingThread }: ExtractorOptions = {},
): Extractor {
  const limits = limitsOf(settings);
  const slots = new Set<Slot>();
  const queues = createOrganizationQueues<Job>(settings.workers);
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
  const idleSlot = (): Slot | undefined => [...slots].find(({ isBusy, thread }) => !isBusy && thread.isAlive());
  const pump = (): void => {
    while (!closed) {
      const idle = idleSlot();
      const next = idle || slots.size < settings.workers ? queues.next() : undefined;
      if (!next) return;
      void work(idle, next);
    }
  };
  const work = async (idle: Slot | undefined, { job, finished }: NextJob<Job>): Promise<void> => {
    try {
      job.resolve(await read(idle ?? start(), job));
    } catch (error) {
      job.reject(error);
    } finally {
      finished();
      pump();
    }
  };
  const read = async (slot: Slot, { input, signal }: Job): Promise<ReadDocument> => {
    slot.isBusy = true;
    slot.stopEnding();
    const abort = (): void => slot.thread.stop(signal.reason);
    signal.addEventListener('abort', abort);
    try {
      const document = typeof input === 'function' ? await input() : { ...input, bytes: new Uint8Array(input.bytes) };
      signal.throwIfAborted();
      return await slot.thread.run(document);
    } finally {
      signal.removeEventListener('abort', abort);
      slot.isBusy = false;
      slot.stopEnding = after(idleMs, () => slot.thread.stop(undefined));
    }
  };
  return {
    async extract(orgId, input, signal) {
      signal.throwIfAborted();
      if (closed) throw closedError();
      if (wouldOverflow(queues.waiting(orgId), input)) throw queueFullError();
      const { promise, resolve, reject } = Promise.withResolvers<ReadDocument>();
      const job: Job = { input, signal, resolve, reject };
      const leaveQueue = (): void => {
        if (queues.remove(orgId, job)) reject(signal.reason);
      };
      signal.addEventListener('abort', leaveQueue);
      queues.add(orgId, job);
      pump();
      try {
        return await promise;
      } finally {
        signal.removeEventListener('abort', leaveQueue);
      }
    },
    async close() {
      closed = true;
      for (const { reject } of queues.clear()) reject(closedError());
      const threads = [...slots].map(({ thread }) => thread);
      const ends = threads.map((thread) => new Promise<void>((resolve) => thread.onEnd(resolve)));
      for (const thread of threads) thread.stop(closedError());
      await Promise.all(ends);
    },
  };
}

/** Whether a queue with these jobs has no room for one more document. An empty queue takes any document, however large. */
const wouldOverflow = (jobs: readonly Job[], input: Job['input']): boolean =>
  jobs.length >= maxQueued ||
  (jobs.length > 0 && [input, ...jobs.map((job) => job.input)].reduce(addBytes, 0) > maxQueuedBytes);

const addBytes = (sum: number, input: Job['input']): number =>
  typeof input === 'function' ? sum : sum + input.bytes.length;

const closedError = (): AppError => new AppError('unavailable', 'The server is stopping.');
const queueFullError = (): AppError =>
  new AppError('unavailable', 'Too many documents are waiting to be read. Try again later.');
