import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestClock, testClock } from '../../src/base/clock.ts';
import { loadConfig } from '../../src/main/configuration.ts';
import { createIds } from '../../src/base/ids.ts';
import { createLog } from '../../src/base/log.ts';
import { createOutbound } from '../../src/base/outbound/client.ts';
import { webhookPolicy } from '../../src/base/outbound/policies.ts';
import { loadSecrets } from '../../src/base/secrets.ts';
import { openDatabase } from '../../src/db/sqlite/open.ts';
import { createRunner, type Runner, type RunnerOptions } from '../../src/jobs/runner.ts';
import type { App } from '../../src/kernel/app.ts';
import { createEvents } from '../../src/kernel/events.ts';
import { createBackgroundThread } from '../../src/main/background/thread.ts';
import type { JobDefinition } from '../../src/kernel/queue.ts';

export type TestAppOptions = {
  /** Settings by path, with values read as YAML, like `--set`. */
  settings?: Readonly<Record<string, string>>;
  /** The definitions of all jobs that the test enqueues. */
  jobs?: (config: App['config']) => readonly JobDefinition[];
  /** Subscribes to domain events, as main.ts does. */
  wire?: (app: App) => void;
  /** ISO time at which the clock stands until the test moves it. */
  start?: string;
  /** The data directory of an earlier test app, closed with `keep`. Default: a new one. */
  data?: string;
  runner?: RunnerOptions;
  /** Makes commits wait for this sync. Default: they do not wait for the disk. */
  sync?: () => Promise<void>;
  /** Default: always. */
  mayAct?: () => boolean;
};

export type TestApp = {
  app: App;
  runner: Runner;
  clock: TestClock;
  data: string;
  /** Stops without waiting for running jobs. `keep` leaves the data directory for another test app. */
  close(options?: { keep?: boolean }): Promise<void>;
};

/** Creates an app with a temporary database, the real job runner and a test clock. Webhooks may go to loopback addresses. */
export async function createTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const data = options.data ?? mkdtempSync(join(tmpdir(), 'parley-test-'));
  const settings = { 'webhooks.allow_http_loopback': 'true', ...options.settings };
  const argvSettings = Object.entries(settings).map(([path, value]) => ({ path, value }));
  const { config } = loadConfig({ argvSettings, env: {}, readFile: (path) => readFileSync(path, 'utf8') });
  const clock = testClock(Temporal.Instant.from(options.start ?? '2026-03-02T09:00:00Z').epochMilliseconds);
  const database = await openDatabase({
    file: join(data, 'parley.db'),
    nowMs: clock.now(),
    ...(options.sync ? { sync: options.sync } : { throwAway: true }),
  });
  const outbound = createOutbound({ policy: webhookPolicy(config) });
  const upstream = createOutbound({ guard: false });
  const wake: App['wake'] = (jobs) => runner.wake(jobs);
  const background = createBackgroundThread({ config, clock, access: database.background, wake });
  const app: App = Object.freeze({
    version: '0.0.0-test',
    config,
    db: database.db,
    mayAct: options.mayAct ?? (() => true),
    turnEnds: null,
    clock,
    ids: createIds(clock),
    log: createLog('silent'),
    secrets: loadSecrets(join(data, 'secrets.json')),
    events: createEvents(),
    outbound,
    web: outbound,
    upstream,
    background,
    wake,
    baseUrl: () => 'http://parley.test',
  });
  options.wire?.(app);
  const runner = createRunner(app, options.jobs?.(config) ?? [], options.runner);
  await runner.start();
  let closed = false;
  return {
    app,
    runner,
    clock,
    data,
    async close({ keep = false } = {}) {
      if (closed) return;
      closed = true;
      await runner.stop(0);
      await Promise.all([outbound.close(), upstream.close()]);
      await background.close(10_000);
      database.close();
      if (!keep) rmSync(data, { recursive: true, force: true });
    },
  };
}
