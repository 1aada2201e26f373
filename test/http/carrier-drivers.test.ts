import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { ConfigError } from '../../src/base/config/faults.ts';
import { type ConfigSources, loadSettings } from '../../src/base/config/load.ts';
import { renderConfig } from '../../src/base/config/print.ts';
import { installation, transact } from '../../src/db/transaction.ts';
import { createCarriers } from '../../src/features/calls/carriers/carriers.ts';
import { carrierDrivers } from '../../src/features/calls/carriers/index.ts';
import { enqueue } from '../../src/kernel/queue.ts';
import { requestRunningServer } from '../../src/main/control/client.ts';
import { settingsWith } from '../../src/main/configuration.ts';
import { anAgent, aNumber, aPhone } from '../support/fixtures.ts';
import { dataOf, startTestServer, type TestServer } from '../support/server.ts';
import { toyDriver, toyEnd, toyLog } from '../support/toy-carrier/driver.ts';

const drivers = [...carrierDrivers, toyDriver];
const load = (sources: Partial<ConfigSources>) =>
  loadSettings(settingsWith(drivers), { argvSettings: [], env: {}, readFile: () => '', ...sources });
const messageOf = (sources: Partial<ConfigSources>): string => {
  try {
    load(sources);
  } catch (error) {
    assert.ok(error instanceof ConfigError);
    return error.faults.map(({ message }) => message).join('\n');
  }
  return assert.fail('it loaded');
};
const set = (path: string, value: string) => ({ argvSettings: [{ path, value }] });
const yaml = (text: string) => ({ file: { path: 'config.yaml', text } });

test('a driver brings its settings along, at its own paths, for every source', () => {
  const loaded = load({
    ...yaml('toy:\n  talk_sec: 7\n'),
    ...set('carrier.driver', 'toy'),
    env: { PARLEY_CARRIER_TOY_STRING: 'wire', PARLEY_TOY_KEY: 'rattle' },
  });
  const printed = renderConfig(loaded).split('\n');
  for (const line of [
    'carrier.driver = toy   # flag --set',
    'carrier.toy.string = wire   # env PARLEY_CARRIER_TOY_STRING',
    'toy.talk_sec = 7   # config.yaml:2',
    'toy.key = ********   # env PARLEY_TOY_KEY',
  ]) {
    assert.ok(printed.includes(line), line);
  }
  assert.match(
    messageOf(yaml('toy:\n  talk_secs: 7\n')),
    /no setting toy\.talk_secs \(config\.yaml line 2\); did you mean toy\.talk_sec\?/,
  );
  assert.match(messageOf(set('toy.talk_sec', 'long')), /^toy\.talk_sec must be a whole number, at least 1/);
  assert.match(messageOf(set('carrier.driver', 'toi')), /^carrier\.driver must be one of simulated, http, sip, toy /);
  const description = loaded.settings.get('carrier.driver')?.description ?? '';
  for (const { name, summary } of drivers.filter(({ isInternal }) => !isInternal))
    assert.ok(description.includes(`${name} (${summary})`), description);
});

test('two drivers cannot own the same section of settings', () => {
  assert.throws(() => settingsWith([...drivers, toyDriver]), /carrier\.toy are defined twice/);
});

function dataDirectory(t: TestContext): string {
  const data = mkdtempSync(join(tmpdir(), 'parley-toy-'));
  t.after(() => rmSync(data, { recursive: true, force: true }));
  return data;
}

const doctorOf = async (data: string): Promise<{ status: string; message: string } | undefined> => {
  const findings = (await requestRunningServer(data, { task: 'doctor', args: {} }))?.result;
  return (findings as Array<{ check: string; status: string; message: string }>).find(
    ({ check }) => check === 'carrier',
  );
};

const toyOf = async (server: TestServer) =>
  dataOf(await server.get<{ string: string; started_at: string | null }>('/toy'));

test('the chosen driver lives with the server: started, asked, stopped', async (t) => {
  const data = dataDirectory(t);
  toyLog.length = 0;
  const settings = { 'carrier.driver': 'toy', 'toy.key': 'rattle', 'carrier.toy.string': 'silk' };
  const server = await startTestServer({ settings, data, testClock: false, carrierDrivers: drivers });
  t.after(() => server.stop());
  assert.deepEqual(toyLog, ['start']);
  assert.equal((await toyOf(server)).string, 'silk');
  assert.notEqual((await toyOf(server)).started_at, null);
  assert.deepEqual(await doctorOf(data), { check: 'carrier', status: 'ok', message: 'the string is taut' });
  const system = dataOf(await server.get<{ carrier: object }>('/system'));
  assert.deepEqual(system.carrier, { driver: 'toy', simulated: true, drivers: ['toy'] });
  await server.stop();
  assert.deepEqual(toyLog, ['start', 'stop']);
});

test('the chosen driver places the calls, and its jobs run', async (t) => {
  const settings = { 'carrier.driver': 'toy', 'toy.key': 'rattle', 'toy.talk_sec': '9' };
  const server = await startTestServer({ settings, carrierDrivers: drivers });
  t.after(() => server.stop());
  const [agent, number] = [await anAgent(server), await aNumber(server)];
  const placed = dataOf(await server.post('/calls', { agent_id: agent.id, to: aPhone(), phone_number_id: number.id }));
  assert.equal((await server.advance(8999))[toyEnd.name], undefined);
  assert.equal((await server.advance(1))[toyEnd.name], 1);
  const call = dataOf(await server.get(`/calls/${String(placed['call_id'])}`));
  assert.deepEqual([call['state'], call['status']], ['ended', 'completed']);
});

test('a number may name any driver, which then places its calls', async (t) => {
  const settings = { 'toy.key': 'rattle', 'toy.talk_sec': '9' };
  const server = await startTestServer({ settings, carrierDrivers: drivers });
  t.after(() => server.stop());
  const [agent, number] = [await anAgent(server), await aNumber(server)];
  const changed = dataOf(await server.patch<{ carrier: string }>(`/phone-numbers/${number.id}`, { carrier: 'toy' }));
  assert.equal(changed.carrier, 'toy');
  dataOf(await server.post('/calls', { agent_id: agent.id, to: aPhone(), phone_number_id: number.id }));
  assert.equal((await server.advance(9000))[toyEnd.name], 1);
});

test('a driver that is not chosen is not started, but its routes and jobs are there', async (t) => {
  toyLog.length = 0;
  const server = await startTestServer({ carrierDrivers: drivers });
  t.after(() => server.stop());
  assert.deepEqual(await toyOf(server), { string: 'hemp', started_at: null });
  const { app } = server.running;
  const job = { key: 'left', dueAt: app.clock.now() + 1000, payload: { callId: app.ids.make() } };
  await transact(app.db, installation, (tx) => enqueue(app, tx, toyEnd, job));
  assert.equal((await server.advance(1000))[toyEnd.name], 1);
  await server.stop();
  assert.deepEqual(toyLog, []);
});

test('without a setting that it needs the chosen driver does not start, and doctor says so', async (t) => {
  const data = dataDirectory(t);
  const start = (settings: Record<string, string>) =>
    startTestServer({
      settings: { 'carrier.driver': 'toy', ...settings },
      data,
      testClock: false,
      carrierDrivers: drivers,
    });
  await assert.rejects(start({}), /carrier\.driver toy needs toy\.key: the secret of the other tin\./);
  await (await start({ 'toy.key': 'rattle' })).stop();

  const { config } = load(set('carrier.driver', 'toy'));
  const health = await createCarriers(drivers, config, () => '').health(undefined as never);
  assert.equal(health.status, 'fail');
  assert.match(health.message, /toy\.key/);
});

test('a server says that no telephone rings only as long as no number names a carrier that rings one', async (t) => {
  const server = await startTestServer({
    settings: { 'carrier.http.url': 'http://127.0.0.1:9/calls', 'carrier.http.secret': 'a secret of the runtime' },
  });
  t.after(() => server.stop());
  const said = async (): Promise<string> => (await server.get('/system')).body.message;
  assert.equal(await said(), 'The carrier is simulated: no telephone rings.');
  const number = { phone: '+4930901820', termination_uri: 'sip.example.com', carrier: 'http' };
  assert.equal((await server.post('/phone-numbers/import', number)).status, 200);
  assert.equal(await said(), 'System information retrieved.');
});
