import { systemClock } from '../base/clock.ts';
import type { Config } from '../base/config/schema.ts';
import { createCarriers } from '../features/calls/carriers/carriers.ts';
import { carrierDrivers } from '../features/calls/carriers/index.ts';
import { createLog } from '../base/log.ts';
import { createBackgroundThread } from './background/thread.ts';
import { createApp, openStore } from './app.ts';
import { holdsData, openDataDirectory } from './data-directory.ts';
import type { TaskContext } from './task-context.ts';
import { subscribe } from './wiring.ts';

/**
 * Opens the database of a data directory that no server holds, for as long as `run` takes. Nothing is made where no data is.
 * @throws DirectoryInUse when a process holds it that does not listen on the control socket (yet)
 */
export async function withStore<T>(config: Config, run: (context: TaskContext) => Promise<T>): Promise<T> {
  if (!holdsData(config.data)) {
    throw new Error(`there is no data in ${config.data}: name another directory with --data, or start parley serve`);
  }
  const directory = openDataDirectory(config.data);
  const clock = systemClock();
  const log = createLog('warn');
  const tell = (message: string): void => log.warn(message);
  const database = await openStore(directory, { nowMs: clock.now(), throwAway: false, tell });
  try {
    const wake = (): void => undefined;
    const background = createBackgroundThread({ config, clock, access: database.background, wake });
    const app = createApp({ config, log, clock, database, directory, background, wake });
    subscribe(app);
    try {
      const carriers = createCarriers(carrierDrivers, config, () => '');
      return await run({ app, database, directory, carriers });
    } finally {
      await Promise.all([app.outbound.close(), app.upstream.close(), background.close()]);
    }
  } finally {
    database.close();
  }
}
