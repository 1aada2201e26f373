import { ConfigError, faultAt } from '../../../base/config/faults.ts';
import type { Config } from '../../../base/config/schema.ts';
import type { App } from '../../../kernel/app.ts';
import type { JobDefinition } from '../../../kernel/queue.ts';
import type { RouteRow } from '../../../kernel/route.ts';
import type { Carrier } from './carrier.ts';
import { placesCallsOf } from './placing.ts';
import { type CarrierDriver, type CarrierHealth, settingsIn } from './driver.ts';

/** All drivers of this installation; `carrier.driver` names the one that places the calls. */
export type Carriers = {
  name: string;
  simulated: boolean;
  carrier: Carrier;
  /** The jobs and routes of every driver. */
  jobs: readonly JobDefinition[];
  routes: readonly RouteRow[];
  /** @throws {ConfigError} naming each setting that the chosen driver needs and lacks */
  requireSettings(): void;
  start(app: App): Promise<void>;
  /** Does nothing if `start` was never called. */
  stop(graceMs: number): Promise<void>;
  health(app: App): Promise<CarrierHealth>;
};

/** Makes every listed driver, and opens nothing yet. `publicUrl` is called once the server listens. */
export function createCarriers(drivers: readonly CarrierDriver[], config: Config, publicUrl: () => string): Carriers {
  const all = drivers.map((driver) => {
    const settings = settingsIn(config, driver.settings);
    const missing = (driver.missing?.(settings, config) ?? []).map(
      ([path, what]) => [path, `carrier.driver ${driver.name} needs ${path}: ${what}.`] as const,
    );
    return { name: driver.name, simulated: driver.simulated, missing, ...driver.create({ settings, publicUrl }) };
  });
  const chosen = all.find(({ name }) => name === config.carrier.driver);
  if (chosen === undefined) throw new Error(`there is no carrier driver ${config.carrier.driver}`);
  const { name, simulated, carrier, missing } = chosen;
  let isStarted = false;
  return {
    name,
    simulated,
    carrier,
    jobs: all.flatMap(({ jobs = [] }) => jobs),
    routes: all.flatMap(({ routes = [] }) => routes),
    requireSettings() {
      if (missing.length === 0) return;
      throw new ConfigError(missing.map(([path, message]) => faultAt({ kind: 'default' }, path, message)));
    },
    async start(app) {
      isStarted = true; // a start that fails half-way is stopped, too
      placesCallsOf(app, carrier);
      await chosen.start?.(app);
    },
    async stop(graceMs) {
      if (!isStarted) return;
      isStarted = false;
      await chosen.stop?.(graceMs);
    },
    health(app) {
      if (missing.length === 0) return chosen.health(app);
      return Promise.resolve({ status: 'fail', message: missing.map(([, message]) => message).join(' ') });
    },
  };
}
