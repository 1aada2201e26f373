import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createLog } from '../../src/base/log.ts';
import { carrierDrivers } from '../../src/features/calls/carriers/index.ts';
import type { CarrierDriver } from '../../src/features/calls/carriers/driver.ts';
import type { App } from '../../src/kernel/app.ts';
import { loadConfig } from '../../src/main/configuration.ts';
import { type Running, start } from '../../src/main.ts';

type StartIn = (changes?: {
  settings?: Record<string, string>;
  driver?: CarrierDriver;
  apiKey?: string;
}) => Promise<Running>;

/** Starts servers in one data directory, on the system's clock. */
function dataDirectory(t: TestContext): { path: string; startIn: StartIn } {
  const path = mkdtempSync(join(tmpdir(), 'parley-start-'));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  const startIn: StartIn = ({ settings = {}, driver, apiKey } = {}) => {
    const all = { data: path, 'http.port': '0', ...settings };
    const argvSettings = Object.entries(all).map(([name, value]) => ({ path: name, value }));
    const { config } = loadConfig({ argvSettings, env: {}, readFile: (file) => readFileSync(file, 'utf8') });
    const log = createLog('silent');
    return start({ config, log, bootstrap: { apiKey }, carrierDrivers: driver ? [driver] : carrierDrivers });
  };
  return { path, startIn };
}

/** The simulated driver with another `start` or `stop`. */
function driverWith(changes: {
  start?: (app: App) => Promise<void>;
  stop?: (graceMs: number) => Promise<void>;
}): CarrierDriver {
  const simulated = carrierDrivers.find(({ name }) => name === 'simulated')!;
  return { ...simulated, create: (context) => ({ ...simulated.create(context), ...changes }) };
}

async function portOf(t: TestContext): Promise<number> {
  const server: Server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => new Promise((resolve) => server.close(resolve)));
  return (server.address() as { port: number }).port;
}

type Failure = (context: { t: TestContext; path: string; startIn: StartIn }) => Promise<Running>;

const failures: Readonly<Record<string, Failure>> = {
  'the database is a directory': ({ path, startIn }) => {
    mkdirSync(join(path, 'parley.db'));
    return startIn().finally(() => rmSync(join(path, 'parley.db'), { recursive: true }));
  },
  'the certificates cannot be read': ({ startIn }) => startIn({ settings: { 'outbound.ca_file': '/nowhere.pem' } }),
  'the certificates are none': ({ startIn }) => startIn({ settings: { 'outbound.ca_file': import.meta.filename } }),
  'the port is taken': async ({ t, startIn }) => startIn({ settings: { 'http.port': String(await portOf(t)) } }),
  'the carrier does not start': ({ startIn }) =>
    startIn({ driver: driverWith({ start: () => Promise.reject(new Error('no trunk')) }) }),
  'the bootstrap key is unusable': ({ startIn }) => startIn({ apiKey: 'short' }),
  'the control socket cannot be made': ({ path, startIn }) => {
    const socket = join(path, 'parley.sock');
    const blocking = driverWith({
      start: () => {
        mkdirSync(join(socket, 'occupied'), { recursive: true });
        return Promise.resolve();
      },
    });
    return startIn({ driver: blocking }).finally(() => rmSync(socket, { recursive: true }));
  },
};

for (const [what, failure] of Object.entries(failures)) {
  test(`a start that fails because ${what} leaves nothing open, and the next one succeeds`, async (t) => {
    const { path, startIn } = dataDirectory(t);
    await assert.rejects(failure({ t, path, startIn }));
    assert.equal(existsSync(join(path, 'parley.pid')), false);
    const running = await startIn();
    assert.equal((await fetch(`${running.url}/ready`)).status, 200);
    await running.stop();
  });
}

test('a start in a directory that another server has leaves that server as it is', async (t) => {
  const { path, startIn } = dataDirectory(t);
  const first = await startIn();
  t.after(() => first.stop());
  const before = readdirSync(path).toSorted();
  await assert.rejects(startIn(), /is in use by process \d+/);
  assert.deepEqual(readdirSync(path).toSorted(), before);
  assert.equal((await fetch(`${first.url}/ready`)).status, 200);
});

test('a carrier whose start fails is stopped once', async (t) => {
  const { startIn } = dataDirectory(t);
  let stops = 0;
  const driver = driverWith({
    start: () => Promise.reject(new Error('no trunk')),
    stop: () => {
      stops += 1;
      return Promise.resolve();
    },
  });
  await assert.rejects(startIn({ driver }), /no trunk/);
  assert.equal(stops, 1);
});

test('a stop ends requests and jobs before the carrier, and closes the database after it', async (t) => {
  const { startIn } = dataDirectory(t);
  const seen: string[] = [];
  let app: App | undefined;
  const driver = driverWith({
    start: (started) => {
      app = started;
      return Promise.resolve();
    },
    async stop() {
      const { status } = await fetch(`${running.url}/ready`);
      seen.push(`carrier stops, /ready answers ${status}`);
      await app!.db.selectFrom('organizations').select('id').execute();
      seen.push('the database is open');
    },
  });
  const running = await startIn({ driver });
  const { runner } = running;
  await Promise.all([running.stop(), running.stop()]);
  assert.deepEqual(seen, ['carrier stops, /ready answers 503', 'the database is open']);
  assert.equal(await runner.runOnce(), false);
  await assert.rejects(app!.db.selectFrom('organizations').select('id').execute());
});

test('a part that fails to close is reported, and the others are closed all the same', async (t) => {
  const { path, startIn } = dataDirectory(t);
  const running = await startIn({ driver: driverWith({ stop: () => Promise.reject(new Error('the trunk hangs')) }) });
  await assert.rejects(running.stop(), /the trunk hangs/);
  await assert.rejects(fetch(`${running.url}/ready`));
  assert.equal(existsSync(join(path, 'parley.pid')), false);
  await (await startIn()).stop();
});
