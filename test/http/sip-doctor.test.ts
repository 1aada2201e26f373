import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { pause } from '../../src/base/clock.ts';
import { settingsIn } from '../../src/features/calls/carriers/driver.ts';
import { sipDriver } from '../../src/features/calls/carriers/sip/driver.ts';
import { aNumber } from '../support/fixtures.ts';
import { type Client, dataOf, startTestServer } from '../support/server.ts';
import { startPeer } from '../support/sip/peer.ts';
import { startFakeRealtime } from '../support/realtime/server.ts';

const settings = { 'sip.host': '127.0.0.1', 'sip.port': '0', 'sip.allow_networks': '["127.0.0.0/8"]' };
const started = { ...settings, 'sip.max_calls': '10', 'carrier.driver': 'sip', 'speech.engine': 'echo' };

async function aServer(t: TestContext, own: Readonly<Record<string, string>>) {
  const server = await startTestServer({ testClock: false, settings: own });
  t.after(() => server.stop());
  return server;
}

async function aTrunk(t: TestContext) {
  const trunk = await startPeer((peer, request) => {
    if (request.method === 'OPTIONS') peer.answer(request, { status: 200, reason: 'OK' });
  });
  t.after(() => trunk.close());
  return trunk;
}

type Check = { id: string; status: string; message: string };

/** The checks of SIP, as soon as the trunk's is there: those that take long come with a later answer. */
async function checksOf(client: Client): Promise<Check[]> {
  for (;;) {
    const { checks } = dataOf(await client.get<{ checks: Check[] }>('/system'));
    const found = checks.filter(({ id }) => /^sip(?:-\d+)?$/.test(id));
    if (found.some(({ message }) => message.startsWith('the trunk'))) return found;
    await pause(50);
  }
}

test('an organization sees whether the line is open, the ports suffice and its own trunk answers', async (t) => {
  const server = await aServer(t, started);
  const [trunk, other] = [await aTrunk(t), await server.newOrganization()];
  const number = await aNumber(server, { termination_uri: trunk.uri });
  await aNumber(server, { termination_uri: trunk.uri });
  await aNumber(other, { termination_uri: (await aTrunk(t)).uri });
  const checks = await checksOf(server);
  assert.ok(
    checks.every(({ status }) => status === 'ok'),
    JSON.stringify(checks),
  );
  assert.match(checks[0]!.message, /signalling listens on port \d+; trunks are told/);
  const trunks = checks.filter(({ message }) => message.includes('answered'));
  assert.deepEqual(
    trunks.map(({ message }) => message.replace(/\+\d+/, 'it')),
    [`the trunk ${trunk.uri} of it answered SIP 200 OK`],
  );
  assert.ok(number.id);
});

test('parley doctor asks trunks and finds a taken port without a server', async (t) => {
  const server = await aServer(t, settings); // SIP lacks speech.engine, so it is not started
  const trunk = await aTrunk(t);
  const { app } = server.running;
  const number = await aNumber(server, { termination_uri: trunk.uri });
  const installed = {
    ...app,
    config: { ...app.config, carrier: { ...app.config.carrier, driver: 'sip' } },
  } as typeof app;
  const instanceWith = (changes: object) => {
    const own = settingsIn(app.config, sipDriver.settings) as unknown as { sip: object };
    return sipDriver.create({ settings: { ...own, sip: { ...own.sip, ...changes } } as never, publicUrl: () => '' });
  };
  const [reached, ...others] = await instanceWith({}).trunkFindings!(installed, server.orgId);
  assert.deepEqual(others, []);
  assert.deepEqual(
    { ...reached, duration_ms: 0 },
    { status: 'ok', message: `the trunk ${trunk.uri} of ${number.phone} answered SIP 200 OK`, duration_ms: 0 },
  );
  const [free] = await instanceWith({}).findings!(installed);
  assert.match(free!.message, /^signalling can listen on 127\.0\.0\.1, port \d+$/);
  const [taken] = await instanceWith({ port: trunk.port }).findings!(installed);
  assert.equal(taken!.status, 'fail');
  assert.match(taken!.message, /^sip\.port \d+ on 127\.0\.0\.1 is in use by another program/);
});

test('parley doctor opens a session with the realtime service and says how long it took', async (t) => {
  const fake = await startFakeRealtime();
  t.after(() => fake.close());
  const speech = { 'speech.engine': 'realtime', 'speech.realtime.url': fake.url };
  const server = await aServer(t, { ...settings, ...speech, 'carrier.driver': 'simulated' });
  const { app } = server.running;
  const own = settingsIn(app.config, sipDriver.settings);
  const instance = sipDriver.create({ settings: own, publicUrl: () => '' });
  const { host } = new URL(fake.url);
  const [reached] = await instance.trunkFindings!(app);
  assert.equal(reached!.status, 'ok');
  assert.equal(reached!.message, `the speech service at ${host} opened a session in ${reached!.duration_ms} ms`);
  fake.door = 'refuses';
  const [refused] = await instance.trunkFindings!(app);
  assert.equal(refused!.status, 'fail');
  assert.match(refused!.message, new RegExp(`^the speech service at ${host} gives no session: .+`));
});
