import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { ConfigError, faultAt } from '../../../base/config/faults.ts';
import type { Config } from '../../../base/config/schema.ts';
import type { Queryable } from '../../../db/transaction.ts';
import type { App } from '../../../kernel/app.ts';
import type { Metric } from '../../../base/metric.ts';
import type { JobDefinition } from '../../../kernel/queue.ts';
import type { RouteRow } from '../../../kernel/route.ts';
import { setCarrierChoices } from '../../numbers/carrier-choice.ts';
import { isCarrierUsed } from '../../numbers/service.ts';
import type { Call } from '../call.ts';
import { type RecordingCare, startRecordings } from '../recordings/files.ts';
import type { Carrier } from './carrier.ts';
import { type CarrierDriver, type CarrierHealth, type DriverInstance, settingsIn } from './driver.ts';
import { setCarriers } from './placing.ts';

/**
 * All carrier drivers of this installation. A call keeps the driver that it was made for: that of its number or, if the number names none,
 * that of `carrier.driver`.
 */
export type Carriers = {
  name: string;
  /** The names of all drivers. */
  drivers: readonly string[];
  /** The carrier of the call's driver; that of `carrier.driver` if the program no longer has that driver. */
  carrierOf(this: void, call: Pick<Call, 'driver'>): Carrier;
  /** How long each function of any carrier may take, in real milliseconds. */
  maxRequestMs: number;
  /** The driver of `carrier.driver` and those that active numbers name. `simulated` if none of them rings a telephone. */
  used(db: Queryable): Promise<{ drivers: string[]; simulated: boolean }>;
  /** The jobs and routes of every driver. */
  jobs: readonly JobDefinition[];
  routes: readonly RouteRow[];
  /** @throws {ConfigError} naming each setting that the chosen driver needs and lacks */
  requireSettings(): void;
  /** Starts every driver that has its settings, because a number may name it at any time. */
  start(app: App, directory: string): Promise<void>;
  /** Does nothing if `start` was never called. */
  stop(graceMs: number): Promise<void>;
  health(app: App): Promise<CarrierHealth>;
  /** Whether some driver has taken over the connection. */
  upgrade(this: void, request: IncomingMessage, socket: Duplex, head: Buffer): boolean;
  /** What `parley doctor` finds about the drivers that have their settings. */
  findings(app: App): Promise<DriverFinding[]>;
  /** What `parley doctor` finds about the trunks of an organization, or of all. */
  trunkFindings(app: App, orgId?: string): Promise<DriverFinding[]>;
  /** The metrics of the drivers that were started. */
  metrics(app: App): Promise<Metric[]>;
};

type DriverFinding = CarrierHealth & { check: string };

type Driver = DriverInstance & {
  name: string;
  simulated: boolean;
  isInternal: boolean;
  missing: ReadonlyArray<readonly [string, string]>;
};

/** The carrier of a driver that lacks settings: it refuses every dial and names the missing settings. */
const withoutSettings = ({ carrier, missing }: Driver): Carrier => ({
  ...carrier,
  dial: () => Promise.resolve({ accepted: false, reason: missing.map(([, message]) => message).join(' ') }),
});

function checkerIn(drivers: readonly Driver[]) {
  const able = drivers.find(({ carrier }) => carrier.check !== undefined);
  if (!able) return { reason: 'This server has no carrier that checks trunks.' };
  const { carrier, missing } = able;
  return missing.length === 0 ? { check: carrier.check! } : { reason: missing.map(([, message]) => message).join(' ') };
}

/** Creates an instance of every driver; connections are opened only by `start`. `publicUrl` is called once the server listens. */
export function createCarriers(drivers: readonly CarrierDriver[], config: Config, publicUrl: () => string): Carriers {
  const all = drivers.map((driver): Driver => {
    const settings = settingsIn(config, driver.settings);
    const missing = (driver.missing?.(settings, config) ?? []).map(
      ([path, what]) => [path, `carrier.driver ${driver.name} needs ${path}: ${what}.`] as const,
    );
    const { name: own, simulated: isSimulated, isInternal = false } = driver;
    return { name: own, simulated: isSimulated, isInternal, missing, ...driver.create({ settings, publicUrl }) };
  });
  const chosen = all.find(({ name }) => name === config.carrier.driver);
  if (chosen === undefined) throw new Error(`there is no carrier driver ${config.carrier.driver}`);
  const { name, missing } = chosen;
  const byName = new Map(
    all.map((driver) => [driver.name, driver.missing.length === 0 ? driver.carrier : withoutSettings(driver)]),
  );
  const carrierOf: Carriers['carrierOf'] = ({ driver }) => byName.get(driver) ?? chosen.carrier;
  const started: Driver[] = [];
  let recordings: RecordingCare | undefined;
  const collect = async (find: (driver: Driver) => Promise<CarrierHealth[]> | undefined): Promise<DriverFinding[]> => {
    const able = all.filter((driver) => driver.missing.length === 0);
    const found = await Promise.all(
      able.map(async (driver) => ((await find(driver)) ?? []).map((one) => ({ check: driver.name, ...one }))),
    );
    return found.flat();
  };
  return {
    name,
    drivers: all.filter(({ isInternal }) => !isInternal).map((driver) => driver.name),
    carrierOf,
    maxRequestMs: Math.max(...all.map(({ carrier }) => carrier.maxRequestMs)),
    async used(db) {
      const used = [chosen];
      for (const other of all) if (other !== chosen && (await isCarrierUsed(db, other.name))) used.push(other);
      return { drivers: used.map((driver) => driver.name), simulated: used.every((driver) => driver.simulated) };
    },
    jobs: all.flatMap(({ jobs = [] }) => jobs),
    routes: all.flatMap(({ routes = [] }) => routes),
    requireSettings() {
      if (missing.length === 0) return;
      throw new ConfigError(missing.map(([path, message]) => faultAt({ kind: 'default' }, path, message)));
    },
    async start(app, directory) {
      recordings = startRecordings(app, directory);
      const mayWithdraw = all.some((driver) => driver.carrier.withdraw !== undefined && driver.missing.length === 0);
      const simulatedDrivers = new Set(all.flatMap((driver) => (driver.simulated ? [driver.name] : [])));
      setCarriers(app, { carrierOf, simulatedDrivers, mayWithdraw, checker: checkerIn(all) });
      const choosable = all.filter(({ isInternal }) => !isInternal);
      setCarrierChoices(
        app,
        new Map(choosable.map((driver) => [driver.name, driver.missing.map(([, message]) => message)])),
      );
      for (const driver of all) {
        if (driver.missing.length > 0) continue;
        started.push(driver); // before the driver starts, so that a start that fails half-way is stopped, too
        await driver.start?.(app, directory);
      }
      recordings.begin();
    },
    async stop(graceMs) {
      await Promise.all(started.splice(0).map(async (driver) => driver.stop?.(graceMs)));
      await recordings?.stop();
    },
    upgrade: (request, socket, head) => started.some((driver) => driver.upgrade?.(request, socket, head)),
    findings: (app) => collect((driver) => driver.findings?.(app)),
    trunkFindings: (app, orgId) => collect((driver) => driver.trunkFindings?.(app, orgId)),
    metrics: async (app) =>
      (await Promise.all(started.map((driver) => driver.metrics?.(app) ?? Promise.resolve([])))).flat(),
    health(app) {
      if (missing.length === 0) return chosen.health(app);
      return Promise.resolve({ status: 'fail', message: missing.map(([, message]) => message).join(' ') });
    },
  };
}
