import { after } from '../../../base/clock.ts';
import type { Config } from '../../../base/config/schema.ts';
import { AppError } from '../../../base/errors.ts';
import { createShares, type Queue } from '../../../base/shares.ts';
import type { ExtractInput } from '../../../extraction/model.ts';
import type { Extractor, LazyInput, ReadDocument } from './extractor.ts';
import { startThread, type Thread, type ThreadLimits } from './thread.ts';

/** Limits of each organization's queue. Beyond them requests are refused, because queued pages hold their bytes in memory. */
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
/** The documents of one organization that wait for a thread. */
type OrganizationQueue = Queue & { jobs: Job[] };
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
  const queues = new Map<string, OrganizationQueue>();
  const shares = createShares<OrganizationQueue>({ pool: () => settings.workers, lane: () => settings.workers });
  let closed = false;

  function queueOf(orgId: string): OrganizationQueue {
    const known = queues.get(orgId);
    if (known) return known;
    const queue: OrganizationQueue = { poolName: 'extraction', scope: orgId, lane: orgId, jobs: [] };
    queues.set(orgId, queue);
    return queue;
  }
  function forgetEmpty(queue: OrganizationQueue): void {
    if (queue.jobs.length > 0) return;
    shares.remove(queue);
    queues.delete(queue.scope);
  }

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
      const queue = idle || slots.size < settings.workers ? shares.next() : undefined;
      if (!queue) return;
      void work(idle ?? start(), queue, queue.jobs.shift()!);
      forgetEmpty(queue);
    }
  };
  const work = async (slot: Slot, queue: OrganizationQueue, job: Job): Promise<void> => {
    const { input, signal, resolve, reject } = job;
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
      shares.finished(queue);
      pump();
    }
  };
  return {
    async extract(orgId, input, signal) {
      signal.throwIfAborted();
      if (closed) throw closedError();
      const queue = queueOf(orgId);
      if (wouldOverflow(queue.jobs, input)) throw queueFullError();
      const { promise, resolve, reject } = Promise.withResolvers<ReadDocument>();
      const job: Job = { input, signal, resolve, reject };
      const leaveQueue = (): void => {
        const position = queue.jobs.indexOf(job);
        if (position === -1) return;
        queue.jobs.splice(position, 1);
        forgetEmpty(queue);
        reject(signal.reason);
      };
      signal.addEventListener('abort', leaveQueue);
      queue.jobs.push(job);
      shares.add(queue);
      pump();
      try {
        return await promise;
      } finally {
        signal.removeEventListener('abort', leaveQueue);
      }
    },
    async close() {
      closed = true;
      for (const { jobs } of queues.values()) for (const { reject } of jobs.splice(0)) reject(closedError());
      const threads = [...slots].map(({ thread }) => thread);
      const ends = threads.map((thread) => new Promise<void>((resolve) => thread.onEnd(resolve)));
      for (const thread of threads) thread.stop(closedError());
      await Promise.all(ends);
    },
  };
}

/** A single document is always accepted, however large. */
const wouldOverflow = (jobs: readonly Job[], input: Job['input']): boolean =>
  jobs.length >= maxQueued ||
  (jobs.length > 0 && [input, ...jobs.map((job) => job.input)].reduce(addBytes, 0) > maxQueuedBytes);

const addBytes = (sum: number, input: Job['input']): number =>
  typeof input === 'function' ? sum : sum + input.bytes.length;

const closedError = (): AppError => new AppError('unavailable', 'The server is stopping.');
const queueFullError = (): AppError =>
  new AppError('unavailable', 'Too many documents are waiting to be read. Try again later.');
