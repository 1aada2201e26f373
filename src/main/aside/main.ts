import { parentPort, workerData } from 'node:worker_threads';
import { openBeside } from '../../db/beside.ts';
import { asideTasks } from '../../features/asides.ts';
import type { AsideApp } from '../../kernel/aside.ts';
import type { Reply, Request, WorkerData } from './protocol.ts';

/** Runs in a thread of its own (thread.ts starts it, .build/package.ts bundles it). */
const { shared, config } = workerData as WorkerData;
const beside = openBeside(shared);
const tasks = new Map(asideTasks.map((task) => [task.name, task]));
const tell = (reply: Reply): void => parentPort!.postMessage(reply, []);

parentPort!.on('message', (request: Request) => {
  if (request === 'end') {
    beside.close();
    parentPort!.close();
  } else {
    void answerTo(request).then(tell);
  }
});

async function answerTo({ id, task, args, now }: Exclude<Request, 'end'>): Promise<Reply> {
  const app: AsideApp = {
    config,
    db: beside.db,
    clock: { now: () => now },
    wake: (dueAt, sort) => tell({ wake: { dueAt, sort } }),
  };
  try {
    return { id, done: await tasks.get(task)!.run(app, args as never) };
  } catch (thrown) {
    const error = thrown as Error & { code?: string };
    return { id, failed: { message: error.message, code: error.code, stack: error.stack } };
  }
}
