import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Config } from '../../../base/config/schema.ts';
import { oneOf } from '../../../base/config/kinds.ts';
import { defaultsOf, type Shape, valueAt } from '../../../base/config/settings.ts';
import type { Static, TSchema } from '../../../base/typebox.ts';
import type { App } from '../../../kernel/app.ts';
import type { Metric } from '../../../base/metric.ts';
import type { JobDefinition } from '../../../kernel/queue.ts';
import type { RouteRow } from '../../../kernel/route.ts';
import type { Carrier } from './carrier.ts';

/** Settings and sections of settings by their path: `{ 'carrier.http': section({ … }) }`. */
export type DriverSettings = Readonly<Record<string, TSchema>>;
type Values<S extends DriverSettings> = { readonly [Path in keyof S]: Static<S[Path]> };

/** A setting that the driver needs and that has no value, and what the setting is, such as "the address of the voice runtime". */
export type MissingSetting = readonly [path: string, what: string];

/** Finding of `parley doctor` about a carrier: a sentence without its full stop, and how many milliseconds the carrier took to answer. */
export type CarrierHealth = { status: 'ok' | 'warn' | 'fail'; message: string; duration_ms?: number };

export type DriverParts<S extends DriverSettings> = {
  /** By path, as `settings` has them: `settings['carrier.http'].url`. */
  settings: Values<S>;
  /** The address of this server without a slash at the end; known once it listens. */
  publicUrl: () => string;
};

/** A driver of this installation. It opens no connection before `start`, and is started only if it has the settings that it needs. */
export type DriverInstance = {
  carrier: Carrier;
  /** Run also without settings: the queue may hold jobs from the time before they were removed. */
  jobs?: readonly JobDefinition[];
  /** Always part of the interface, so that OpenAPI and the clients do not depend on the configuration. */
  routes?: readonly RouteRow[];
  /**
   * Runs before the server is ready. If it throws, the start of the server fails. Subscribes to the events that the driver needs
   * (`app.events.on`). `directory` is the data directory.
   */
  start?(app: App, directory: string): Promise<void>;
  /** Runs after the last job and before the database is closed; may take up to `graceMs`. Only called after `start`. */
  stop?(graceMs: number): Promise<void>;
  /** What `parley doctor` finds about the driver besides its health. Also called on a driver that was not started. */
  findings?(app: App): Promise<CarrierHealth[]>;
  /** What `parley doctor` finds about the trunks of an organization, or of all. Also called on a driver that was not started. */
  trunkFindings?(app: App, orgId?: string): Promise<CarrierHealth[]>;
  /** Takes over a connection that becomes a WebSocket; false for an address that is not the driver's. Only called after `start`. */
  upgrade?(request: IncomingMessage, socket: Duplex, head: Buffer): boolean;
  /** The driver's part of `/metrics`. Must resolve within a second. Only called after `start`. */
  metrics?(app: App): Promise<Metric[]>;
  /** `ok` if the carrier answered within 10 s. Also called on a driver that was not started, because `parley doctor` needs no server. */
  health(app: App): Promise<CarrierHealth>;
};

type DriverSpec<S extends DriverSettings> = {
  /** The value of `carrier.driver`. */
  name: string;
  /** A few words for the description of `carrier.driver`: "no telephone rings". */
  summary: string;
  /** Whether calls are made with it in another way than by choosing it: no setting and no number may name it. */
  isInternal?: boolean;
  /** Whether the driver calls nobody: no telephone rings. */
  simulated: boolean;
  /** Settings that are added to parley's own, each with its default and its description. */
  settings: S;
  /** The settings that have no value although the driver cannot place calls without them. */
  missing?(settings: Values<S>, config: Config): MissingSetting[];
  /** Also called to list `routes` where no server runs, with the defaults of all settings. */
  create(parts: DriverParts<S>): DriverInstance;
};

/** One way of placing calls, in a folder of its own and listed in index.ts. */
export type CarrierDriver = DriverSpec<never> & { settings: DriverSettings };

/** Checks the types of a driver's settings where the driver is defined, and erases them so that all drivers fit in one list. */
export const carrierDriver = <S extends DriverSettings>(spec: DriverSpec<S>): CarrierDriver =>
  spec as unknown as CarrierDriver;

/** The values that a driver's settings have in a configuration, by their paths. */
export const settingsIn = <S extends DriverSettings>(config: Config, settings: S): Values<S> =>
  Object.fromEntries(Object.keys(settings).map((path) => [path, valueAt(config, path)])) as Values<S>;

/** The settings that drivers add to parley's own, and `carrier.driver`, which names one of the drivers; the first driver is the default. */
export function driverSettings(drivers: readonly CarrierDriver[]): Array<[path: string, Shape]> {
  const choosable = drivers.filter(({ isInternal }) => isInternal !== true);
  const names = choosable.map(({ name }) => name);
  const choices = choosable.map(({ name, summary }) => `${name} (${summary})`);
  const either = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(choices);
  const driver = oneOf(names as [string], names[0]!, `The carrier that places calls: ${either}.`);
  const own = drivers.flatMap(({ settings }) => Object.entries(settings));
  return [['carrier.driver', driver], ...own] as Array<[string, Shape]>;
}

/** The operations of drivers with their addresses, for describing the interface where no server runs. */
export const describedRoutesOf = (drivers: readonly CarrierDriver[]): RouteRow[] =>
  drivers.flatMap((driver) => {
    const defaults = Object.entries(driver.settings).map(([path, shape]) => [path, defaultsOf(shape as Shape)]);
    return driver.create({ settings: Object.fromEntries(defaults) as never, publicUrl: () => '' }).routes ?? [];
  });
