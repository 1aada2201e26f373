import { monotonicMs, systemClock, type TestClock, testClock } from './base/clock.ts';
import type { Config } from './base/config/schema.ts';
import { seededShare } from './base/ids.ts';
import type { Log } from './base/log.ts';
import { installation, transact } from './db/transaction.ts';
import { type Carriers, createCarriers } from './features/calls/carriers/carriers.ts';
import type { CarrierDriver } from './features/calls/carriers/driver.ts';
import { carrierDrivers } from './features/calls/carriers/index.ts';
import { discardHalfFilled } from './features/campaigns/removal.ts';
import { syncCatalog } from './features/catalog/service.ts';
import { tableFilesOf } from './features/contacts/import/thread.ts';
import { featureJobs, startCadences } from './features/index.ts';
import { moveInstantsBack } from './features/clock-set-back.ts';
import { routesWith } from './features/interface.ts';
import { createExtractor } from './features/knowledge/reading/pool.ts';
import { liveOf } from './features/live/streams.ts';
import { requireGuardHours } from './features/organizations/contact-rules.ts';
import { issuerOf } from './features/organizations/issuer.ts';
import { createHealth, drainingReason, type Health } from './http/health.ts';
import { createSystemReporter } from './main/system-report.ts';
import { systemRoutes } from './http/system-routes.ts';
import { type ClockControl, testClockRoutes } from './http/test-clock-routes.ts';
import { advance, type Advancing } from './jobs/advance.ts';
import { watchClock } from './jobs/clock-step.ts';
import { createRunner, type Runner } from './jobs/runner.ts';
import type { App } from './kernel/app.ts';
import type { Route } from './kernel/route.ts';
import { openApp, type OpenedApp } from './main/app.ts';
import { bootstrap, type Bootstrapped, type BootstrapWishes, firstToken } from './main/bootstrap.ts';
import { serveControl } from './main/control/server.ts';
import { loadDashboard } from './main/dashboard.ts';
import { keepSearchIndex, loadGuides } from './main/guides.ts';
import { type DataDirectory, openDataDirectory } from './main/data-directory.ts';
import { listen, urlOf } from './main/listen.ts';
import { measureEventLoopLag } from './main/event-loop-lag.ts';
import { measure } from './main/measures.ts';
import { createNodeList } from './main/nodes.ts';
import { createStandby } from './main/standby.ts';
import { reload, type Reloaded } from './main/reload.ts';
import { backupJobs, scheduleBackup } from './main/scheduled-backup.ts';
import { performTask } from './main/tasks.ts';
import { subscribe } from './main/wiring.ts';

export type StartOptions = {
  config: Config;
  log: Log;
  /** Keep all data in a temporary directory that is removed at the end. */
  ephemeral?: boolean;
  /**
   * The caller removes the data when the server has stopped, so that commits to SQLite need not wait for the disk; that of `ephemeral` if
   * left out.
   */
  keepsNothing?: boolean;
  /** Start with a test clock that stands still: at that instant, or at the present one (`true`). Only with `ephemeral`. */
  testClock?: number | true;
  /** Makes ids, draws and jitter reproducible (docs/api/process.md). Only with `ephemeral`. */
  seed?: number;
  bootstrap?: BootstrapWishes;
  /** Ends a start that waits for another node to stop. */
  stopping?: AbortSignal | undefined;
  /** Check every answer against its schema; for tests and development. */
  checkAnswers?: boolean;
  /** Replaces the listed drivers. */
  carrierDrivers?: readonly CarrierDriver[];
};

export type Running = Bootstrapped & {
  accessToken: string;
  url: string;
  app: App;
  runner: Runner;
  /** True when no carrier in use at the start rings a telephone. */
  simulated: boolean;
  /** Takes over what may change while the server runs, and reads the certificate again. @throws ConfigError when it cannot be used */
  reload(config: Config): Promise<Reloaded>;
  /** Stops taking requests and jobs, finishes those that run, and closes everything. */
  stop(): Promise<void>;
};

/** How long (ms) a stop waits for running requests, jobs and background tasks, together. */
const graceMs = 10_000;

type Context = {
  options: StartOptions;
  carriers: Carriers;
  opened: AsyncDisposableStack;
  grace: Grace;
  baseUrl: App['baseUrl'];
};

/**
 * Starts a server: opens the data directory and the database, listens, prepares the database, and starts the jobs. When a step fails,
 * everything opened before it is closed.
 * @throws ConfigError naming the settings that cannot be used
 * @throws DirectoryInUse when another process has the data directory
 */
export async function start(options: StartOptions): Promise<Running> {
  const { config } = options;
  issuerOf(config); // reports a missing setting now instead of at the first token
  requireGuardHours(config);
  let url = '';
  const baseUrl = (): string => url;
  const carriers = createCarriers(options.carrierDrivers ?? carrierDrivers, config, baseUrl);
  carriers.requireSettings();
  // Closes parts in reverse order, so none meets a closed database, and goes on when one fails to close.
  await using opened = new AsyncDisposableStack();
  const context: Context = { options, carriers, opened, grace: createGrace(graceMs), baseUrl };
  const parts = await openParts(context);
  // Listen before writing to the database: a first start that finds its port taken must not have created a key that nobody saw.
  const http = await openHttp(context, parts);
  url = http.url;
  const bootstrapped = await startWork(context, parts);
  opened.defer(() => http.drain());
  const accessToken = await firstToken(parts.app, bootstrapped);
  const { app, runner, replaceConfig } = parts;
  const { simulated } = await carriers.used(app.db);
  http.health.set({ status: 'ready' });
  const running = opened.move();
  let stopped: Promise<void> | undefined;
  const stop = (): Promise<void> => (stopped ??= running.disposeAsync());
  return {
    ...bootstrapped,
    accessToken,
    url,
    app,
    runner,
    simulated,
    reload: async (changed) => {
      http.renewCertificate();
      return reload({ app, replaceConfig }, changed);
    },
    stop,
  };
}

/** Milliseconds of real time that are left of a grace period, which begins with the first call of `left`. Shared by a start and a stop. */
type Grace = { left(): number };

function createGrace(ms: number): Grace {
  let deadline: number | undefined;
  return { left: () => Math.max(0, (deadline ??= monotonicMs() + ms) - monotonicMs()) };
}

type OpenParts = OpenedApp & { directory: DataDirectory; runner: Runner };

/** Opens the data directory, the database and what works on it; nothing runs yet. */
async function openParts({ options, carriers, opened, grace, baseUrl }: Context): Promise<OpenParts> {
  const { config, log, ephemeral = false } = options;
  const clock = options.testClock === undefined ? systemClock() : testClockAt(options.testClock);
  const directory = ephemeral ? openDataDirectory() : openDataDirectory(config.data, config.secrets.file);
  opened.defer(() => directory.release());
  let runner: Runner | undefined = undefined;
  const wake: App['wake'] = (jobs) => runner?.wake(jobs);
  const standby = createStandby(config, log);
  opened.defer(() => standby.close());
  const openedApp = await openApp(opened, {
    config,
    log,
    clock,
    wake,
    baseUrl,
    directory,
    throwAway: config.store.url === null ? (options.keepsNothing ?? ephemeral) : ephemeral,
    serves: true,
    seed: options.seed === undefined ? null : { seed: options.seed, followsClock: options.testClock !== undefined },
    tell: (message) => log.info(message),
    closeGraceMs: () => grace.left(),
    onStandby: (active) => standby.show(active),
    stopping: options.stopping,
  });
  await standby.close();
  directory.markHeld();
  const { app } = openedApp;
  const extractor = createExtractor(config.knowledge.extraction);
  opened.defer(() => extractor.close());
  opened.defer(() => tableFilesOf(app).close());
  const testing = options.testClock !== undefined;
  const jitter = testing ? () => 0 : jitterOf(app);
  const jobs = [...featureJobs(config, { carriers, extractor, jitter }), ...backupJobs({ ...openedApp, directory })];
  const realTime = { setBackMs: watchClock(clock), onSetBack: (ms: number) => moveInstantsBack(app, ms) };
  runner = createRunner(app, jobs, testing ? { maxBatchMs: Number.POSITIVE_INFINITY } : realTime);
  subscribe(app);
  return { ...openedApp, directory, runner };
}

type Http = {
  url: string;
  health: Health;
  /** Answers new requests with 503 and waits for the running ones. */
  drain(): Promise<void>;
  renewCertificate: () => void;
};

async function openHttp({ options, carriers, opened, grace }: Context, parts: OpenParts): Promise<Http> {
  const { app, database, runner } = parts;
  const { config, log, testClock: testing } = options;
  const health = createHealth(database.storage, database);
  const nodes = createNodeList(app, database);
  const clockRoutes = (): Route[] => testClockRoutes(clockControl({ clock: app.clock as TestClock, runner, log }));
  const routes = [
    ...routesWith(carriers.routes),
    ...systemRoutes({
      driver: carriers.name,
      drivers: carriers.drivers,
      used: () => carriers.used(app.db),
      testClock: testing !== undefined,
      report: createSystemReporter({
        app,
        directory: parts.directory,
        carriers,
        database,
        nodes,
        keepsNothing: options.keepsNothing ?? options.ephemeral ?? false,
      }),
    }),
    ...(testing === undefined ? [] : clockRoutes()),
  ];
  const { server, drain, renewCertificate } = await listen(
    app,
    {
      routes,
      health,
      dashboard: loadDashboard,
      guides: { texts: loadGuides, keep: keepSearchIndex },
      measure: () =>
        measure(app, {
          runner,
          health,
          times: database.times,
          carriers,
          directory: parts.directory,
          nodes,
          bytes: database.bytes,
        }),
      upgrade: (request, socket, head) => carriers.upgrade(request, socket, head),
      checkAnswers: options.checkAnswers ?? false,
    },
    opened,
  );
  opened.defer(measureEventLoopLag(app));
  return {
    url: urlOf(config, server),
    health,
    renewCertificate,
    drain() {
      health.set({ status: 'draining', reason: drainingReason });
      liveOf(app).close(); // streams would not end by themselves
      return drain(grace.left());
    },
  };
}

/** Starts the carrier, the jobs and the control socket on a prepared database. */
async function startWork({ options, carriers, opened, grace }: Context, parts: OpenParts): Promise<Bootstrapped> {
  const { app, database, copyTo, directory, runner } = parts;
  opened.defer(() => carriers.stop(grace.left()));
  await carriers.start(app, directory.path);
  const bootstrapped = await prepare(app, options.bootstrap ?? {});
  await discardHalfFilled(app);
  opened.defer(() => runner.stop(grace.left()));
  await runner.start();
  const control = await serveControl(
    directory.path,
    app.log,
    performTask({ app, database, copyTo, directory, carriers }),
  );
  opened.defer(() => control.close());
  return bootstrapped;
}

/** Writes what every database holds from the start. In one commit, so that a first start creates all of it or nothing. */
const prepare = (app: App, wishes: BootstrapWishes): Promise<Bootstrapped> =>
  transact(app.db, installation, async () => {
    await syncCatalog(app);
    const bootstrapped = await bootstrap(app, wishes);
    await startCadences(app);
    await scheduleBackup(app);
    return bootstrapped;
  });

const jitterOf = ({ ids: { seed } }: App): ((name: string) => number) =>
  seed === null ? Math.random : (name) => seededShare(seed, name);

const testClockAt = (at: number | true): TestClock => (at === true ? testClock() : testClock(at));

/** Runs advances one after the other: two at once would each move the clock away from under the other. */
function clockControl(advancing: Advancing): ClockControl {
  let last: Promise<unknown> = Promise.resolve();
  return {
    advance(target) {
      const result = last.then(() => advance(advancing, target(advancing.clock.now())));
      last = result.catch(() => undefined); // its caller gets the error; the next advance starts regardless
      return result;
    },
  };
}
