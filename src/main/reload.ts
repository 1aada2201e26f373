import type { Config } from '../base/config/schema.ts';
import { wakeWaitingCampaigns } from '../features/campaigns/dialing/capacity-queue.ts';
import { syncCatalog } from '../features/catalog/service.ts';
import type { App } from '../kernel/app.ts';
import { pathsThatDiffer } from './given-configuration.ts';

/** The settings that a running server takes over. All others are read at the start alone. */
const reloadable = ['log.level', 'limits.', 'http.rate_limit.', 'catalog.'];
const isReloadable = (path: string): boolean => reloadable.some((one) => path === one || path.startsWith(one));

export type Reloading = { app: App; replaceConfig: (config: Config) => void };

/** Setting paths: those that the server has taken over, and those that wait for a restart. */
export type Reloaded = { taken: string[]; needRestart: string[] };

/** Takes over the reloadable settings of `given`. When the catalog cannot be written, nothing has changed. */
export async function reload({ app, replaceConfig }: Reloading, given: Config): Promise<Reloaded> {
  const differing = pathsThatDiffer(app.config, given);
  const taken = differing.filter(isReloadable);
  const config = withReloadable(app.config, given);
  if (taken.some((path) => path.startsWith('catalog.'))) await syncCatalog({ ...app, config });
  replaceConfig(config);
  app.log.level = config.log.level;
  if (taken.some((path) => path.startsWith('limits.'))) await wakeWaitingCampaigns(app);
  return { taken, needRestart: differing.filter((path) => !isReloadable(path)) };
}

const withReloadable = (running: Config, given: Config): Config =>
  Object.freeze({
    ...running,
    log: Object.freeze({ ...running.log, level: given.log.level }),
    limits: given.limits,
    http: Object.freeze({ ...running.http, rate_limit: given.http.rate_limit }),
    catalog: given.catalog,
  });
