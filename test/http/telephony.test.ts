import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { simulatedDriver } from '../../src/features/calls/carriers/simulated/driver.ts';
import { httpDriver } from '../../src/features/calls/carriers/http/driver.ts';
import { aCampaign, anAgent, aNumber, aPhone } from '../support/fixtures.ts';
import { type Data, dataOf, faultPaths, startTestServer, type TestServer } from '../support/server.ts';
import { phoneDriver, type PhoneLog } from '../support/toy-carrier/phones.ts';

const reachable = {
  reachable: true,
  statusCode: 200,
  transport: 'udp',
  address: '192.0.2.1:5060',
  durationMs: 12.4,
  detail: 'OK',
} as const;

/** A server with the simulated carrier, and another one under the name of `sip`. */
async function serverWithSip(
  t: TestContext,
  settings: Record<string, string> = { 'carrier.phones_sip.line': 'copper' },
) {
  const log: PhoneLog = [];
  const sip = phoneDriver('sip', log, () => reachable);
  const server = await startTestServer({
    settings,
    carrierDrivers: [simulatedDriver, httpDriver, sip],
  });
  t.after(() => server.stop());
  return { server, log };
}

const imported = async (server: TestServer, fields: object): Promise<Data> =>
  dataOf(
    await server.post('/phone-numbers/import', { phone: aPhone(), termination_uri: 'sip.example.com', ...fields }),
  );

async function placed(server: TestServer, numberId: unknown, agent: object = {}): Promise<Data> {
  const body = { agent_id: (await anAgent(server, agent)).id, to: aPhone(), phone_number_id: numberId };
  const call = dataOf(await server.post('/calls', body));
  await server.advance(200); // numbers start ten calls a second
  return dataOf(await server.get(`/calls/${String(call['call_id'])}`));
}

const drivers = async (server: TestServer): Promise<unknown> =>
  dataOf(await server.get<{ carrier: object }>('/system')).carrier;

test('a number names its carrier, which places its calls although the default is another', async (t) => {
  const { server, log } = await serverWithSip(t);
  assert.deepEqual(await drivers(server), { driver: 'simulated', simulated: true, drivers: ['simulated'] });
  const number = await imported(server, { carrier: 'sip', dial_format: 'digits', transport: 'tcp' });
  assert.deepEqual([number['carrier'], number['dial_format'], number['transport']], ['sip', 'digits', 'tcp']);
  assert.deepEqual(await drivers(server), { driver: 'simulated', simulated: false, drivers: ['simulated', 'sip'] });
  const call = await placed(server, number.id);
  assert.deepEqual(log, ['start sip', `dial sip ${String(call['call_id'])}`]);
  assert.deepEqual([call['state'], call['channel'], call['direction']], ['in_progress', 'sip', 'outbound']);
  assert.equal((call['sip'] as Data)['call_id'], `${String(call['call_id'])}@toy`);
  const simulated = await placed(server, (await aNumber(server)).id);
  assert.deepEqual([simulated['channel'], simulated['sip'], simulated['direction']], ['voice', null, 'outbound']);
});

test("a call keeps its driver when the number's carrier changes", async (t) => {
  const { server, log } = await serverWithSip(t);
  const number = await imported(server, { carrier: 'sip' });
  const call = await placed(server, number.id);
  await server.patch(`/phone-numbers/${number.id}`, { carrier: null });
  assert.deepEqual(await drivers(server), { driver: 'simulated', simulated: true, drivers: ['simulated'] });
  assert.equal((await server.post(`/calls/${String(call['call_id'])}/hangup`)).status, 200);
  await server.advance(0);
  assert.equal(log.at(-1), `hangup sip ${String(call['call_id'])}`);
});

test('a carrier without its settings is refused with their names, at import and later', async (t) => {
  const { server } = await serverWithSip(t, {});
  const number = await imported(server, {});
  for (const [carrier, names] of [
    ['sip', /carrier\.phones_sip\.line/],
    ['http', /carrier\.http\.url.*carrier\.http\.secret/],
  ] as const) {
    for (const answer of [
      await server.post('/phone-numbers/import', { phone: aPhone(), termination_uri: 'sip.example.com', carrier }),
      await server.patch(`/phone-numbers/${number.id}`, { carrier }),
    ]) {
      assert.deepEqual([answer.status, faultPaths(answer)], [400, ['carrier']]);
      assert.match(answer.text, names);
    }
  }
  const other = await server.patch(`/phone-numbers/${number.id}`, {
    carrier: 7,
    dial_format: 'e.164',
    inbound_agent_id: 'x',
  });
  assert.deepEqual(faultPaths(other), ['carrier', 'dial_format', 'inbound_agent_id']);
  const unknown = await server.patch(`/phone-numbers/${number.id}`, { carrier: 'pigeon' });
  assert.deepEqual([unknown.status, faultPaths(unknown)], [400, ['carrier']]);
  assert.match(unknown.text, /one of simulated, http, sip/);
});

test('a password, a trunk and who answers are changed by PATCH; what is left out stays, and the password is never shown', async (t) => {
  const { server } = await serverWithSip(t);
  const number = await imported(server, { sip_username: 'parley', sip_password: 'first-secret' });
  const agent = await anAgent(server);
  const path = `/phone-numbers/${number.id}`;
  const sealed = async (): Promise<string | null> => {
    const { app } = server.running;
    const row = await app.db
      .selectFrom('phone_numbers')
      .select('sip_password_sealed')
      .where('id', '=', number.id)
      .executeTakeFirstOrThrow();
    return row.sip_password_sealed && app.secrets.decrypt(row.sip_password_sealed, `number:${number.id}`);
  };
  const changes = {
    termination_uri: 'sips:pbx.example.com:5061',
    transport: 'tls',
    inbound_agent_id: agent.id,
    dial_format: 'digits',
  };
  const changed = await server.patch(path, { ...changes, sip_password: 'second-secret' });
  assert.deepEqual(dataOf(changed), { ...number, ...changes, version: 2 });
  assert.ok(!changed.text.includes('secret'));
  assert.equal(await sealed(), 'second-secret');
  assert.equal(dataOf(await server.patch(path, { name: 'Desk' }))['inbound_agent_id'], agent.id);
  assert.equal(await sealed(), 'second-secret');
  assert.deepEqual(dataOf(await server.patch(path, { sipPassword: null, sipUsername: null }))['sip_username'], null);
  assert.equal(await sealed(), null);
  const stranger = await anAgent(await server.newOrganization());
  assert.deepEqual(
    faultPaths(await server.patch(path, { inbound_agent_id: stranger.id, termination_uri: 'https://x' })),
    ['inbound_agent_id', 'termination_uri'],
  );
  await server.del(`/agents/${agent.id}`);
  assert.equal(dataOf(await server.get(`/phone-numbers/import/${number.id}`))['inbound_agent_id'], null);
});

test('a trunk is checked on request', async (t) => {
  const { server } = await serverWithSip(t);
  const number = await imported(server, {});
  assert.deepEqual(dataOf(await server.post(`/phone-numbers/${number.id}/check`)), {
    reachable: true,
    status_code: 200,
    transport: 'udp',
    address: '192.0.2.1:5060',
    duration_ms: 12,
    detail: 'OK',
  });
  const other = await server.newOrganization();
  assert.equal((await other.post(`/phone-numbers/${number.id}/check`)).status, 404);
  const without = await serverWithSip(t, {});
  const refused = await without.server.post(`/phone-numbers/${(await imported(without.server, {})).id}/check`);
  assert.equal(refused.status, 409);
  assert.match(refused.text, /carrier\.phones_sip\.line/);
});

test('keys, texts and transfers go to an answered call of sip', async (t) => {
  const { server, log } = await serverWithSip(t);
  const number = await imported(server, { carrier: 'sip' });
  const call = await placed(server, number.id, { transferPhone: '+4930901820' });
  const path = `/calls/${String(call['call_id'])}`;
  assert.equal(dataOf(await server.post(`${path}/dtmf`, { digits: '12#' }))['state'], 'in_progress');
  await server.post(`${path}/say`, { text: 'One moment.' });
  await server.post(`${path}/transfer`);
  await server.post(`${path}/transfer`, { to: '+4930901829' });
  const refused = await server.post(`${path}/transfer`, { to: '+49301234567' });
  assert.equal(refused.status, 409);
  assert.match(refused.text, /SIP 603 Decline/);
  assert.deepEqual(log.slice(2), ['dtmf 12#', 'say One moment.', 'transfer +4930901820', 'transfer +4930901829']);
  const timeline = dataOf(await server.get<Data[]>(`${path}/timeline`));
  const at = '2026-03-02T09:00:00.200Z';
  assert.deepEqual(timeline, [
    { at: '2026-03-02T09:00:00.000Z', type: 'answered', detail: null },
    { at, type: 'dtmf', detail: 'sent 12#' },
    { at, type: 'transfer', detail: '+4930901820' },
    { at, type: 'transfer', detail: '+4930901829' },
    { at, type: 'transfer', detail: '+49301234567: SIP 603 Decline' },
  ]);
  const withoutPhone = await placed(server, number.id);
  assert.deepEqual(faultPaths(await server.post(`/calls/${String(withoutPhone['call_id'])}/transfer`, {})), ['to']);
  await server.post(`${path}/hangup`);
  assert.equal((await server.post(`${path}/dtmf`, { digits: '1' })).status, 409);
});

test('live control is refused for calls that are not answered', async (t) => {
  const { server } = await serverWithSip(t);
  const body = { agent_id: (await anAgent(server)).id, to: aPhone('00'), phone_number_id: (await aNumber(server)).id };
  const simulated = String(dataOf(await server.post('/calls', body))['call_id']);
  const ask = (): Promise<number[]> =>
    Promise.all(
      (
        [
          ['dtmf', { digits: '1' }],
          ['say', { text: 'Hello' }],
          ['transfer', { to: '+4930901820' }],
        ] as const
      ).map(async ([verb, input]) => (await server.post(`/calls/${simulated}/${verb}`, input)).status),
    );
  assert.deepEqual(await ask(), [409, 409, 409], 'ringing');
  assert.deepEqual(dataOf(await server.get(`/calls/${simulated}/timeline`)), []);
  assert.equal((await (await server.newOrganization()).get(`/calls/${simulated}/timeline`)).status, 404);
});

test('a campaign cannot go active from a number of sip that has no trunk', async (t) => {
  const inventory = JSON.stringify([{ phone: '+498001234560' }]);
  const { server } = await serverWithSip(t, { 'carrier.phones_sip.line': 'copper', 'numbers.inventory': inventory });
  const number = dataOf(await server.post('/phone-numbers/purchase', { phone: '+498001234560' }));
  const agent = await anAgent(server);
  const campaign = await aCampaign(server, { agentId: agent.id, phoneNumberId: number.id });
  await server.patch(`/phone-numbers/${number.id}`, { carrier: 'sip' });
  const refused = await server.patch(`/campaigns/${campaign.id}`, { status: 'active' });
  assert.equal(refused.status, 409);
  assert.match(refused.text, /has no termination_uri/);
  await server.patch(`/phone-numbers/${number.id}`, { termination_uri: 'sip.example.com' });
  assert.equal((await server.patch(`/campaigns/${campaign.id}`, { status: 'active' })).status, 200);
});
