import { parentPort, workerData } from 'node:worker_threads';
import { openBackgroundConnection } from '../../db/sqlite/background-connection.ts';
import { backgroundTasks } from '../../features/background-tasks.ts';
import type { BackgroundApp } from '../../kernel/background.ts';
import type { Reply, Request, WorkerData } from './protocol.ts';

/** Runs in a thread of its own (thread.ts starts it, .build/package.ts bundles it). */
const { shared, config } = workerData as WorkerData;
const beside = openBackgroundConnection(shared);
const tasks = new Map(backgroundTasks.map((task) => [task.name, task]));
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
  const app: BackgroundApp = {
    config,
    db: beside.db,
    clock: { now: () => now },
    wake: (scope, mode, dueAt) => tell({ wake: { scope, mode, dueAt } }),
  };
  try {
    return { id, done: await tasks.get(task)!.run(app, args as never) };
  } catch (thrown) {
    const error = thrown as Error & { code?: string };
    return { id, failed: { message: error.message, code: error.code, stack: error.stack } };
  }
}
