/** The entry point of the background thread. thread.ts starts it, and .build/package.ts bundles it for the executable. */
import { parentOf } from '../../base/worker/parent.ts';
import { bindingFor } from '../../db/sqlite/addon.ts';
import { openBackgroundConnection } from '../../db/sqlite/background-connection.ts';
import { copyDatabase } from '../../db/sqlite/copy.ts';
import { examineCopy } from '../../db/sqlite/integrity.ts';
import { backgroundTasks } from '../../features/background-tasks.ts';
import type { BackgroundApp } from '../../kernel/app.ts';
import { databaseFileIn } from '../data-directory.ts';
import { dataChecks } from '../kept-numbers.ts';
import { copyPostgres } from './copy-postgres.ts';
import { checkpointTask } from './checkpoint.ts';
import type { BackgroundProtocol } from './protocol.ts';

const parent = parentOf<BackgroundProtocol>();
const { shared, config } = parent.data;
/** The database driver of the data directory: one unpacked beside a backup would stay there. */
const binding = () => (shared.dialect === 'sqlite' ? shared.binding : bindingFor(databaseFileIn(config.data)));
const connection =
  shared.dialect === 'sqlite'
    ? openBackgroundConnection(shared)
    : import('../../db/postgres/background-connection.ts').then((module) => module.openPostgresInBackground(shared));
const tasks = new Map([...backgroundTasks, checkpointTask].map((task) => [task.name, task]));

async function copyTo(file: string, now: number): Promise<void> {
  if (shared.dialect === 'sqlite') await copyDatabase(shared, file);
  else await copyPostgres(shared, { file, data: config.data, now });
}

async function run({ task, args, now }: Extract<BackgroundProtocol['request'], { task: string }>): Promise<never> {
  const app: BackgroundApp = {
    config,
    db: (await connection).db,
    clock: { now: () => now },
    wake: (jobs) => parent.post(jobs),
  };
  return (await tasks.get(task)!.run(app, args as never)) as never;
}

parent.serve({
  answer(request) {
    if ('copyTo' in request) return copyTo(request.copyTo, request.now);
    if ('examine' in request) return examineCopy(request.examine, binding(), { checks: dataChecks('sqlite') });
    return run(request);
  },
  end() {
    if (connection instanceof Promise) void connection.then((one) => one.close());
    else connection.close();
  },
});
