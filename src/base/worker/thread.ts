import type { ResourceLimits, Transferable, Worker } from 'node:worker_threads';
import { after } from '../clock.ts';
import { errorOf, type FromThread, type ToThread, type WorkerProtocol } from './messages.ts';
import { createWorker, type WorkerModule } from './module.ts';

export type ThreadOptions<P extends WorkerProtocol> = {
  name: string;
  data: P['data'];
  resourceLimits?: ResourceLimits;
  /** Discards what the thread prints. */
  silent?: boolean;
  onMessage?(message: P['fromThread']): void;
  /** Called when the thread has ended, however it did, and before its pending requests are rejected. */
  onExit?(): void;
};

/**
 * A worker thread. It keeps the process alive only while a `request`, `end`, `kill` or `usedBytes` is pending; waiting for `ready` or
 * `ended` does not.
 */
export type Thread<P extends WorkerProtocol> = {
  /** Resolves when the thread's module has loaded; never, if the thread ends before that. */
  ready: Promise<void>;
  /** Resolves when the thread has ended and its memory is free. */
  ended: Promise<void>;
  /** Whether it takes requests. */
  isAlive(): boolean;
  /**
   * @throws what the thread threw: an Error with its message, stack and `code`
   * @throws ThreadDied when the thread ended by itself before it replied
   * @throws the reason given to `kill`, or an Error when `end` was called before
   */
  request(request: P['request'], transfer?: Transferable[]): Promise<P['reply']>;
  /** Sends a one-way message; lost when the thread has ended. */
  post(message: P['toThread'], transfer?: Transferable[]): void;
  /** Takes no more requests, waits for the pending ones, then lets the thread clean up and end. Kills it after `graceMs`. */
  end(graceMs?: number): Promise<void>;
  /** Stops the thread wherever it is, and rejects pending and later requests with the reason. */
  kill(reason?: unknown): Promise<void>;
  /** V8's heap and the buffers outside of it, which V8's limits do not count. 0 once the thread has ended. */
  usedBytes(): Promise<number>;
};

/** The thread ended by itself; `cause` is what was thrown in it, if anything was. */
export class ThreadDied extends Error {
  constructor(name: string, cause: unknown) {
    super(`the ${name} thread ended before it answered`, { cause });
  }
}

export function startThread<P extends WorkerProtocol>(module: WorkerModule, options: ThreadOptions<P>): Thread<P> {
  const { name } = options;
  const worker = startWorker(module, options);
  const hold = keepingAlive(worker);
  const pending = new Map<number, PromiseWithResolvers<P['reply']>>();
  const ready = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  /** Why requests are refused; undefined as long as the thread takes them. */
  let refusal: { reason: unknown } | undefined;
  let fault: unknown;
  let lastId = 0;

  const send = (message: ToThread<P>, transfer: Transferable[] = []): void => worker.postMessage(message, transfer);

  function fail(reason: unknown): void {
    refusal ??= { reason };
    for (const { reject } of pending.values()) reject(reason);
    pending.clear();
  }

  function kill(reason: unknown = new Error(`the ${name} thread was stopped`)): Promise<void> {
    fail(reason);
    void worker.terminate();
    return hold(ended.promise);
  }

  /** Resolves when every pending request is answered, and the thread has cleaned up and ended. */
  async function endGracefully(): Promise<void> {
    refusal ??= { reason: new Error(`the ${name} thread is ending`) };
    await hold(Promise.allSettled([...pending.values()].map(({ promise }) => promise)));
    send('end');
    await hold(ended.promise);
  }

  function receive(message: FromThread<P>): void {
    if (message === 'ready') return ready.resolve();
    if ('post' in message) return options.onMessage?.(message.post);
    const waiter = pending.get(message.id);
    pending.delete(message.id);
    if ('reply' in message) waiter?.resolve(message.reply);
    else waiter?.reject(errorOf(message.failure));
  }

  worker.on('message', receive);
  worker.on('messageerror', (error) => void kill(error)); // a reply that cannot be read would leave its request pending
  worker.on('error', (error) => (fault = error));
  worker.once('exit', () => {
    options.onExit?.();
    fail(new ThreadDied(name, fault));
    ended.resolve();
  });

  return {
    ready: ready.promise,
    ended: ended.promise,
    isAlive: () => refusal === undefined,
    async request(request, transfer) {
      if (refusal) throw refusal.reason;
      const id = (lastId += 1);
      send({ id, request }, transfer);
      const waiter = Promise.withResolvers<P['reply']>();
      pending.set(id, waiter);
      return hold(waiter.promise);
    },
    post: (message, transfer) => send({ post: message }, transfer),
    async end(graceMs) {
      const cancel = graceMs === undefined ? undefined : after(graceMs, () => void kill());
      await endGracefully();
      cancel?.();
    },
    kill,
    usedBytes: () =>
      hold(worker.getHeapStatistics()).then(
        (heap) => heap.used_heap_size + heap.external_memory,
        () => 0,
      ),
  };
}

function startWorker<P extends WorkerProtocol>(module: WorkerModule, options: ThreadOptions<P>): Worker {
  const { name, data, resourceLimits, silent = false } = options;
  const streams = { stdout: silent, stderr: silent };
  const limits = resourceLimits && { resourceLimits };
  const worker = createWorker(module, { name, workerData: data, env: {}, ...streams, ...limits });
  if (silent) for (const stream of [worker.stdout, worker.stderr]) stream.resume();
  return worker;
}

/** Returns a function to await promises with. The worker keeps the process alive only while one of these promises is pending. */
function keepingAlive(worker: Worker) {
  let waiting = 0;
  worker.unref();
  return async <T>(promise: Promise<T>): Promise<T> => {
    waiting += 1;
    worker.ref();
    try {
      return await promise;
    } finally {
      waiting -= 1;
      if (waiting === 0) worker.unref();
    }
  };
}
