import type { Worker } from 'node:worker_threads';
import type { Config } from '../../base/config/schema.ts';
import { AppError } from '../../base/errors.ts';
import { startWorker, type WorkerModule } from '../../base/worker.ts';
import type { BackgroundAccess } from '../../db/sqlite/open.ts';
import type { App } from '../../kernel/app.ts';
import type { Background } from '../../kernel/background.ts';
import { createFairQueue, type FairQueue } from './fair-queue.ts';
import type { Reply, Request, WorkerData } from './protocol.ts';

export type BackgroundThread = Background & {
  /** Waits for what runs, and for the end of the thread: before the database is closed. What has not begun is refused. */
  close(): Promise<void>;
};

export type BackgroundParts = {
  config: Config;
  clock: Pick<App['clock'], 'now'>;
  access: BackgroundAccess;
  wake: App['wake'];
};

type Pending = PromiseWithResolvers<never>;
type Running = { worker: Worker; pending: Map<number, Pending>; ended: Promise<void> };

const module: WorkerModule = { asset: 'background.cjs', url: () => new URL('worker.ts', import.meta.url) };

/** Questions of one organization that wait at most: some seconds' worth. Writes are bounded by the jobs and uploads that they belong to. */
const mostReadsEach = 100;

/**
 * The thread for work aside: started when there is some, and kept: what it has read for the first question (some forty megabytes in all)
 * makes the next ones fast. One that died is replaced for the next task.
 */
export function createBackgroundThread({ config, clock, access, wake }: BackgroundParts): BackgroundThread {
  let running: Running | undefined;
  let tasks = 0;
  const reads = createFairQueue(mostReadsEach);
  const writes = createFairQueue(Number.POSITIVE_INFINITY);

  async function start(): Promise<Running> {
    const data: WorkerData = { shared: await access.share(), config };
    if (running) return running;
    const worker = startWorker(module, { name: 'aside', workerData: data, env: {} });
    const pending: Running['pending'] = new Map();
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    let fault: unknown;
    worker.on('message', (reply: Reply) => hear(pending, reply));
    worker.on('error', (error) => (fault = error));
    worker.once('exit', () => {
      running = undefined;
      access.releaseAbandoned();
      for (const { reject } of pending.values()) reject(new Error('the thread ended in the middle', { cause: fault }));
      end();
    });
    return (running = { worker, pending, ended });
  }

  function hear(pending: Running['pending'], reply: Reply): void {
    if ('wake' in reply) return wake(reply.wake.scope, reply.wake.mode, reply.wake.dueAt);
    const asked = pending.get(reply.id);
    pending.delete(reply.id);
    if ('done' in reply) return asked?.resolve(reply.done as never);
    const { message, ...rest } = reply.failed;
    asked?.reject(access.reportFailure(Object.assign(new Error(message), rest)));
  }

  async function post(task: string, args: unknown): Promise<never> {
    const { worker, pending } = running ?? (await start());
    const id = (tasks += 1);
    const asked: Pending = Promise.withResolvers();
    pending.set(id, asked);
    worker.ref();
    worker.postMessage({ id, task, args, now: clock.now() } satisfies Request, []);
    try {
      return await asked.promise;
    } finally {
      if (pending.size === 0) worker.unref();
    }
  }

  return {
    run(task, args, owner = '') {
      const line: FairQueue = task.writes ? writes : reads;
      return line.run(owner, () => post(task.name, args));
    },
    async close() {
      await Promise.all([reads, writes].map((line) => line.close(closing)));
      if (!running) return;
      const { worker, ended } = running;
      worker.ref();
      worker.postMessage('end' satisfies Request, []);
      await ended;
    },
  };
}

const closing = (): AppError => new AppError('unavailable', 'The server is stopping.');
