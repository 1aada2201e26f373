import { after } from '../../../base/clock.ts';
import type { Config } from '../../../base/config/schema.ts';
import { AppError } from '../../../base/errors.ts';
import type { ExtractInput } from '../../../extraction/model.ts';
import type { Extractor, LazyInput, ReadDocument } from './extractor.ts';
import { createSlots } from '../../../base/fair/slots.ts';
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

type Input = ExtractInput | LazyInput;
type Worker = { thread: Thread; isBusy: boolean; ended: Promise<void>; stopEnding(): void };

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
  const workers = new Set<Worker>();
  const slots = createSlots({ max: settings.workers });
  const queued = createQueuedInputs();
  let isClosed = false;

  function start(): Worker {
    const thread = startThread(limits);
    const ended = new Promise<void>((resolve) => thread.onEnd(resolve));
    const worker: Worker = { thread, isBusy: true, ended, stopEnding: () => undefined };
    workers.add(worker);
    void ended.then(() => workers.delete(worker));
    return worker;
  }

  /** An idle thread, or a new one, which is busy from now on. A thread that is ending counts until it has ended, because until then its memory is still in use. */
  async function freeWorker(): Promise<Worker> {
    for (;;) {
      const idle = [...workers].find(({ isBusy, thread }) => !isBusy && thread.isAlive());
      if (isClosed) throw closedError();
      if (idle) return Object.assign(idle, { isBusy: true });
      if (workers.size < settings.workers) return start();
      await Promise.race([...workers].filter(({ thread }) => !thread.isAlive()).map(({ ended }) => ended));
    }
  }

  async function read(worker: Worker, input: Input, signal: AbortSignal): Promise<ReadDocument> {
    worker.stopEnding();
    const abort = (): void => worker.thread.stop(signal.reason);
    signal.addEventListener('abort', abort);
    try {
      const document = typeof input === 'function' ? await input() : { ...input, bytes: new Uint8Array(input.bytes) };
      signal.throwIfAborted();
      return await worker.thread.run(document);
    } finally {
      signal.removeEventListener('abort', abort);
      worker.isBusy = false;
      worker.stopEnding = after(idleMs, () => worker.thread.stop(undefined));
    }
  }

  return {
    async extract(orgId, input, signal) {
      signal.throwIfAborted();
      const leaveQueue = queued.add(orgId, input);
      const work = async (): Promise<ReadDocument> => {
        leaveQueue();
        return read(await freeWorker(), input, signal);
      };
      return slots.run(orgId, work, signal).finally(leaveQueue);
    },
    async close() {
      isClosed = true;
      const idle = slots.close(closedError);
      const ends = [...workers].map(({ ended }) => ended);
      for (const { thread } of workers) thread.stop(closedError());
      await Promise.all([idle, ...ends]);
    },
  };
}

/** The documents of each organization that wait for a thread. */
function createQueuedInputs() {
  const queued = new Map<string, Set<{ bytes: number }>>();
  return {
    /** Returns the function to call when the document waits no more. @throws unavailable when the organization's queue is full */
    add(orgId: string, input: Input): () => void {
      const own = queued.get(orgId) ?? new Set();
      const document = { bytes: typeof input === 'function' ? 0 : input.bytes.length };
      if (wouldOverflow([...own], document)) throw queueFullError();
      queued.set(orgId, own.add(document));
      return () => {
        own.delete(document);
        if (own.size === 0 && queued.get(orgId) === own) queued.delete(orgId);
      };
    },
  };
}

/** Whether a queue with these documents has no room for one more. An empty queue takes any document, however large. */
const wouldOverflow = (waiting: ReadonlyArray<{ bytes: number }>, next: { bytes: number }): boolean =>
  waiting.length >= maxQueued ||
  (waiting.length > 0 && waiting.reduce((sum, { bytes }) => sum + bytes, next.bytes) > maxQueuedBytes);

const closedError = (): AppError => new AppError('unavailable', 'The server is stopping.');
const queueFullError = (): AppError =>
  new AppError('unavailable', 'Too many documents are waiting to be read. Try again later.');
