import type { Worker } from 'node:worker_threads';
import { after } from '../../base/clock.ts';
import type { Config } from '../../base/config/schema.ts';
import { AppError } from '../../base/errors.ts';
import { startWorker, type WorkerModule } from '../../base/worker.ts';
import type { Beside } from '../../db/open.ts';
import type { App } from '../../kernel/app.ts';
import type { Aside } from '../../kernel/aside.ts';
import type { Reply, Request, WorkerData } from './protocol.ts';

export type AsideThread = Aside & {
  /** Waits for what runs, and for the end of the thread: before the database is closed. */
  close(): Promise<void>;
};

export type AsideParts = { config: Config; clock: Pick<App['clock'], 'now'>; beside: Beside; wake: App['wake'] };

type Pending = PromiseWithResolvers<never>;
type Running = { worker: Worker; pending: Map<number, Pending>; ended: Promise<void>; stopEnding(): void };

const module: WorkerModule = { asset: 'aside.cjs', url: () => new URL('main.ts', import.meta.url) };

/** How long the thread is kept for the next task: it takes some ten megabytes. */
const keptMs = 30_000;

/** The thread for work aside: started when there is some, ended when there has been none for `idleMs`. */
export function createAside({ config, clock, beside, wake }: AsideParts, idleMs: number = keptMs): AsideThread {
  let running: Running | undefined;
  let closed = false;
  let tasks = 0;
  let ending: Promise<void> | undefined;

  function start(): Running {
    const data: WorkerData = { shared: beside.shared, config };
    const worker = startWorker(module, { name: 'aside', workerData: data, env: {} });
    const pending: Running['pending'] = new Map();
    const { promise: ended, resolve: hasEnded } = Promise.withResolvers<void>();
    let fault: unknown;
    worker.on('message', (reply: Reply) => hear(pending, reply));
    worker.on('error', (error) => (fault = error));
    worker.once('exit', () => {
      running = undefined;
      beside.ended();
      for (const { reject } of pending.values()) reject(new Error('the thread ended in the middle', { cause: fault }));
      ending = undefined;
      hasEnded();
    });
    return { worker, pending, ended, stopEnding: () => undefined };
  }

  function hear(pending: Running['pending'], reply: Reply): void {
    if ('wake' in reply) return wake(reply.wake.dueAt, reply.wake.sort);
    const asked = pending.get(reply.id);
    pending.delete(reply.id);
    if ('done' in reply) return asked?.resolve(reply.done as never);
    const { message, ...rest } = reply.failed;
    const error = Object.assign(new Error(message), rest);
    beside.failed(error);
    asked?.reject(error);
  }

  /** Once nothing is pending. Only when it has ended may another one be started: both would have the same turn. */
  function end({ worker, ended }: Running): Promise<void> {
    worker.ref();
    worker.postMessage('end' satisfies Request, []);
    return (ending = ended);
  }

  return {
    async run(task, args) {
      if (ending) await ending;
      if (closed) throw new AppError('unavailable', 'The server is stopping.');
      const thread = (running ??= start());
      thread.stopEnding();
      thread.worker.ref();
      const id = (tasks += 1);
      const asked: Pending = Promise.withResolvers();
      thread.pending.set(id, asked);
      thread.worker.postMessage({ id, task: task.name, args, now: clock.now() } satisfies Request, []);
      try {
        return await asked.promise;
      } finally {
        if (thread.pending.size === 0) {
          thread.worker.unref();
          if (!closed) thread.stopEnding = after(idleMs, () => void end(thread));
        }
      }
    },
    async close() {
      closed = true;
      await ending;
      const thread = running;
      if (!thread) return;
      thread.stopEnding();
      await Promise.allSettled([...thread.pending.values()].map(({ promise }) => promise));
      await end(thread);
    },
  };
}
