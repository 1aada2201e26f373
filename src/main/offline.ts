import { systemClock } from '../base/clock.ts';
import type { Config } from '../base/config/schema.ts';
import { createLog } from '../base/log.ts';
import { createCarriers } from '../features/calls/carriers/carriers.ts';
import { carrierDrivers } from '../features/calls/carriers/index.ts';
import { openApp } from './app.ts';
import { holdsData, openDataDirectory } from './data-directory.ts';
import { configuredUrl } from './listen.ts';
import type { TaskContext } from './task-context.ts';
import { subscribe } from './wiring.ts';

/** How long (real milliseconds) the end of a command waits for the background task that runs. */
const closeGraceMs = 10_000;

/**
 * Opens the database of a data directory that no server has open, for as long as `run` takes. Creates nothing where there is no data.
 * @throws DirectoryInUse when a process has it open that does not listen on the control socket (yet)
 */
export async function withStore<T>(config: Config, run: (context: TaskContext) => Promise<T>): Promise<T> {
  if (config.store.url === null && !holdsData(config.data)) {
    throw new Error(`there is no data in ${config.data}: name another directory with --data, or start parley serve`);
  }
  await using opened = new AsyncDisposableStack();
  const log = createLog('warn');
  const directory = openDataDirectory(config.data, config.secrets.file);
  const { app, database, copyTo } = await openApp(opened, {
    config,
    log,
    clock: systemClock(),
    wake: () => undefined,
    baseUrl: () => configuredUrl(config),
    directory,
    throwAway: false,
    serves: false,
    seed: null,
    tell: (message) => log.warn(message),
    closeGraceMs: () => closeGraceMs,
  });
  subscribe(app);
  return await run({ app, database, copyTo, directory, carriers: createCarriers(carrierDrivers, config, () => '') });
}
