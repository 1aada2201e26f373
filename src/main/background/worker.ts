/** The entry point of the background thread. thread.ts starts it, and .build/package.ts bundles it for the executable. */
import { parentOf } from '../../base/worker/parent.ts';
import { openBackgroundConnection } from '../../db/sqlite/background-connection.ts';
import { backgroundTasks } from '../../features/background-tasks.ts';
import type { BackgroundApp } from '../../kernel/app.ts';
import type { BackgroundProtocol } from './protocol.ts';

const parent = parentOf<BackgroundProtocol>();
const { shared, config } = parent.data;
const connection = openBackgroundConnection(shared);
const tasks = new Map(backgroundTasks.map((task) => [task.name, task]));

parent.serve({
  answer({ task, args, now }) {
    const app: BackgroundApp = {
      config,
      db: connection.db,
      clock: { now: () => now },
      wake: (jobs) => parent.post(jobs),
    };
    return tasks.get(task)!.run(app, args as never);
  },
  end: () => connection.close(),
});
