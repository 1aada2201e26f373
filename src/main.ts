import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { monotonicMs, systemClock, type TestClock, testClock } from './base/clock.ts';
import type { Config } from './base/config/schema.ts';
import type { Log } from './base/log.ts';
import { type BackgroundThread, createBackgroundThread } from './main/background/thread.ts';
import { createApp, DirectoryInUse, openStore } from './main/app.ts';
import { bootstrap, type Bootstrapped, type BootstrapWishes, firstToken } from './main/bootstrap.ts';
import { type DataDirectory, openDataDirectory } from './main/data-directory.ts';
import type { OpenDatabase } from './db/sqlite/open.ts';
import { installation, transact } from './db/transaction.ts';
import { syncCatalog } from './features/catalog/service.ts';
import { createCarriers, type Carriers } from './features/calls/carriers/carriers.ts';
import type { CarrierDriver } from './features/calls/carriers/driver.ts';
import { carrierDrivers } from './features/calls/carriers/index.ts';
import { routesWith } from './features/interface.ts';
import { featureJobs, startCadences } from './features/index.ts';
import type { Extractor } from './features/knowledge/reading/extractor.ts';
import { createExtractor } from './features/knowledge/reading/pool.ts';
import { issuerOf } from './features/organizations/issuer.ts';
import { createDrain, type Drain } from './http/drain.ts';
import { createHealth, type Health } from './http/health.ts';
import { createHttpServer, type HttpOptions } from './http/server.ts';
import { systemRoutes } from './http/system-routes.ts';
import { testClockRoutes } from './http/test-clock-routes.ts';
import { advance, type Advancing } from './jobs/advance.ts';
import { createRunner, type Runner } from './jobs/runner.ts';
import type { App } from './kernel/app.ts';
import { type Control, serveControl } from './main/control/server.ts';
import { measure } from './main/measures.ts';
import { performTask } from './main/tasks.ts';
import { subscribe } from './main/wiring.ts';

export type StartOptions = {
  config: Config;
  log: Log;
  /** Everything in a temporary directory that is removed at the end. */
  ephemeral?: boolean;
  /** A clock that stands still: at that instant, or at the present one (`true`). Only with `ephemeral`. */
  testClock?: number | true;
  bootstrap?: BootstrapWishes;
  /** Check every answer against its schema; for tests and development. */
  checkAnswers?: boolean;
  /** Instead of the listed ones. */
  carrierDrivers?: readonly CarrierDriver[];
};

export type Running = Bootstrapped & {
  accessToken: string;
  url: string;
  app: App;
  runner: Runner;
  /** No telephone rings. */
  simulated: boolean;
  /** Stops taking requests and jobs, finishes what runs, and closes everything (contract, section 3). */
  stop(): Promise<void>;
};

/** How long a stop waits for requests and jobs that are under way, together (contract, section 3). */
const graceMs = 10_000;

/** Builds everything, opens the store, and serves. What was opened is closed again when a later step fails. */
export async function start(options: StartOptions): Promise<Running> {
  const directory = openDataDirectory(options.ephemeral ? undefined : options.config.data);
  const undo: Array<() => Promise<void> | void> = [() => directory.release()];
  try {
    return await startIn(directory, options, undo);
  } catch (error) {
    for (const step of undo.toReversed()) await step();
    throw error;
  }
}

async function startIn(
  directory: DataDirectory,
  options: StartOptions,
  undo: Array<() => Promise<void> | void>,
): Promise<Running> {
  const { config, log } = options;
  const parts: { runner?: Runner; url?: string } = {};
  issuerOf(config); // a setting that is missing is told now, not at the first token
  const carriers = createCarriers(options.carrierDrivers ?? carrierDrivers, config, () => parts.url!);
  carriers.requireSettings();
  const extractor = createExtractor(config.knowledge.extraction);
  undo.push(() => extractor.close());
  const clock = options.testClock === undefined ? systemClock() : testClockAt(options.testClock);
  const tell = (message: string): void => log.info(message);
  const database = await openStore(directory, {
    nowMs: clock.now(),
    throwAway: options.ephemeral ?? false,
    tell,
  }).catch((error: unknown) => {
    if (error instanceof DirectoryInUse) undo.length = 0; // another process's: nothing of it is ours to release
    throw error;
  });
  undo.push(() => database.close());
  directory.markHeld();
  const wake: App['wake'] = (...work) => parts.runner?.wake(...work);
  const background = createBackgroundThread({ config, clock, access: database.background, wake });
  undo.push(() => background.close());
  const app = createApp({ config, log, clock, database, directory, background, wake });
  const testing = options.testClock !== undefined;
  const runner = createRunner(
    app,
    featureJobs(config, { carriers, extractor, jitter: testing ? () => 0 : Math.random }),
    config.webhooks.max_in_flight,
  );
  parts.runner = runner;
  subscribe(app);
  const health = createHealth(database.storage);
  const routes = [
    ...routesWith(carriers.routes),
    ...systemRoutes({ driver: carriers.name, simulated: carriers.simulated, testClock: testing }),
    ...(testing ? testClockRoutes(clockControl({ clock: clock as TestClock, runner, log })) : []),
  ];
  // Before anything is made in the store: a first start that finds its port taken must not have made a key that nobody saw.
  const http = {
    routes,
    health,
    measure: () => measure(app, runner, health),
    checkAnswers: options.checkAnswers ?? false,
  };
  const { server, drain } = await listen(app, http);
  undo.push(() => closeServer(server));
  undo.push(() => carriers.stop(0));
  await carriers.start(app);
  const url = (parts.url = urlOf(config, server));
  const bootstrapped = await prepare(app, options.bootstrap ?? {});
  const accessToken = await firstToken(app, bootstrapped);
  await runner.start();
  const control = await serveControl(directory.path, log, performTask({ app, database, directory, carriers }));
  health.set({ status: 'ready' });
  let stopped: Promise<void> | undefined;
  const stop = (): Promise<void> =>
    (stopped ??= shutDown({
      app,
      server,
      drain,
      health,
      runner,
      carriers,
      control,
      database,
      directory,
      extractor,
      background,
    }));
  return { ...bootstrapped, accessToken, url, app, runner, simulated: carriers.simulated, stop };
}

/** What the store holds from the start, in one commit: a first start makes all of it or nothing. */
const prepare = (app: App, wishes: BootstrapWishes): Promise<Bootstrapped> =>
  transact(app.db, installation, async () => {
    await syncCatalog(app);
    const bootstrapped = await bootstrap(app, wishes);
    await startCadences(app);
    return bootstrapped;
  });

const testClockAt = (at: number | true): TestClock => (at === true ? testClock() : testClock(at));

/** Advances one after the other: two at once would not know each other's end. */
function clockControl(advancing: Advancing) {
  let turn: Promise<unknown> = Promise.resolve();
  return {
    advance(to: number): Promise<Record<string, number>> {
      const mine = turn.then(() => advance(advancing, to));
      turn = mine.catch(() => undefined); // whoever asked is told; the next one starts afresh
      return mine;
    },
  };
}

async function listen(app: App, http: HttpOptions): Promise<{ server: Server; drain: Drain }> {
  const server = createHttpServer(app, http);
  const drain = createDrain(server);
  const { host, port } = app.config.http;
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const taken = error.code === 'EADDRINUSE';
      reject(
        taken ? new Error(`port ${port} on ${host} is in use by another program; choose another with --port`) : error,
      );
    });
    server.listen(port, host, resolve);
  });
  server.on('error', (error) => app.log.error({ err: error }, 'the server could not take a connection'));
  return { server, drain };
}

function closeServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeAllConnections();
  return closed;
}

function urlOf(config: Config, server: Server): string {
  if (config.http.public_url !== null) return config.http.public_url.replace(/\/$/, '');
  const { address, family, port } = server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

type Stopping = {
  app: App;
  server: Server;
  drain: Drain;
  health: Health;
  runner: Runner;
  carriers: Carriers;
  control: Control;
  database: OpenDatabase;
  directory: DataDirectory;
  extractor: Extractor;
  background: BackgroundThread;
};

/** Requests first, since some wait for jobs; what they leave of the grace is the jobs'. Until the end new requests get 503. */
async function shutDown(stopping: Stopping): Promise<void> {
  const { app, server, drain, health, runner, carriers, control, database, directory, extractor, background } =
    stopping;
  const deadline = monotonicMs() + graceMs;
  health.set({ status: 'draining', reason: 'the server is stopping' });
  await drain(graceMs);
  await runner.stop(Math.max(0, deadline - monotonicMs()));
  await carriers.stop(Math.max(0, deadline - monotonicMs()));
  await closeServer(server);
  await control.close();
  await Promise.all([app.outbound.close(), app.web.close(), app.upstream.close(), extractor.close()]);
  await background.close();
  database.close();
  directory.release();
}
