import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { type TestContext, test } from 'node:test';
import { pause } from '../../src/base/clock.ts';
import { ConfigError } from '../../src/base/config/faults.ts';
import { aCampaign, aContact, anAgent, aNumber, aPhone } from '../support/fixtures.ts';
import { dataOf, faultPaths, startTestServer, type TestServer } from '../support/server.ts';
import { tlsFile } from '../support/sip/kamailio.ts';
import { audioOf, headerIn, numberIn, type Peer, type PeerMessage, startPeer } from '../support/sip/peer.ts';
import { sipSettings } from '../support/sip/server.ts';

const settings = await sipSettings();

async function world(
  t: TestContext,
  onRequest: (peer: Peer, request: PeerMessage) => void,
  more: Readonly<Record<string, string>> = {},
) {
  const peer = await startPeer(onRequest);
  const server = await startTestServer({ testClock: false, settings: { ...settings, ...more } });
  t.after(async () => {
    await server.stop();
    await peer.close();
  });
  const agent = await anAgent(server);
  const number = await aNumber(server, { termination_uri: peer.uri });
  return { peer, server, agent, number };
}

type World = Awaited<ReturnType<typeof world>>;
type CallData = Record<string, unknown> & {
  call_id: string;
  state: string;
  status: string | null;
  sip: Record<string, unknown>;
};

const place = async ({ server, agent, number }: World, to: string): Promise<CallData> =>
  dataOf(await server.post<CallData>('/calls', { agent_id: agent.id, phone_number_id: number.id, to }));

/** The call as soon as `isReached` is true of it. */
async function callWhen(server: TestServer, id: string, isReached: (call: CallData) => boolean): Promise<CallData> {
  for (;;) {
    const call = dataOf(await server.get<CallData>(`/calls/${id}`));
    if (isReached(call)) return call;
    await pause(20);
  }
}
const isEnded = ({ state }: CallData): boolean => state === 'ended';

/** Answers by the last three digits of the called number: a status, or 200 for a call that the peer hangs up at once. */
function byNumber(peer: Peer, request: PeerMessage): void {
  if (request.method === 'ACK') return;
  if (request.method !== 'INVITE') return peer.answer(request, { status: 200, reason: 'OK' });
  const status = Number(numberIn(request).slice(-3));
  if (status !== 200) return peer.answer(request, { status, reason: status === 486 ? 'Busy Here' : 'Because' });
  peer.answer(request, { status: 180, reason: 'Ringing' });
  peer.answer(request, { status: 200, reason: 'OK', body: audioOf(40_000) });
}

test('a single call rings, is answered, shows its SIP side, and is completed by the BYE of the other side', async (t) => {
  const here = await world(t, byNumber);
  const { peer, server } = here;
  const placed = await place(here, aPhone('200'));
  assert.equal(placed['channel'], 'sip');
  const invite = await peer.next('INVITE');
  assert.ok(headerIn(invite, 'Call-ID').startsWith(placed.call_id));
  await callWhen(server, placed.call_id, ({ state }) => state === 'in_progress');
  peer.request(invite, 'BYE');
  const call = await callWhen(server, placed.call_id, isEnded);
  assert.equal(call.status, 'completed');
  assert.equal(call['disconnect_reason'], 'customer_hangup');
  assert.equal(call['error_message'], null);
  assert.deepEqual(
    { ...call.sip, packets_sent: 0 },
    {
      call_id: headerIn(invite, 'Call-ID'),
      status_code: 200,
      codec: 'PCMU',
      srtp: false,
      packets_sent: 0,
      packets_received: 0,
      packets_lost: 0,
      jitter_ms: 0,
      turns: 0,
      interruptions: 0,
    },
  );
  const [listed] = dataOf(await server.get<CallData[]>('/calls'));
  assert.deepEqual(listed?.sip, call.sip);
});

test('a refusal of the callee, and of the trunk, end a single call at once with their words', async (t) => {
  const here = await world(t, byNumber);
  const { server } = here;
  const busy = await callWhen(server, (await place(here, aPhone('486'))).call_id, isEnded);
  assert.deepEqual(
    [busy.status, busy['error_message'], busy['disconnect_reason']],
    ['busy', 'SIP 486 Busy Here', null],
  );
  assert.equal(busy.sip['status_code'], 486);
  const down = await callWhen(server, (await place(here, aPhone('503'))).call_id, isEnded);
  assert.deepEqual(
    [down.status, down['error_message'], down['disconnect_reason']],
    ['failed', 'SIP 503 Because', 'error'],
  );
  const lastError = async (): Promise<string | null> =>
    dataOf(await server.get<{ last_error: string | null }>(`/phone-numbers/import/${here.number.id}`)).last_error;
  assert.equal(await lastError(), null, 'one refusal does not pause the number');
  for (const phone of [aPhone('503'), aPhone('503')])
    await callWhen(server, (await place(here, phone)).call_id, isEnded);
  assert.equal(await lastError(), 'SIP 503 Because');
});

test('a callee who wants no more calls is not called again', async (t) => {
  const here = await world(t, byNumber);
  const to = aPhone('607');
  await callWhen(here.server, (await place(here, to)).call_id, isEnded);
  const listed = dataOf(await here.server.get<Array<{ phone: string; reason: string }>>('/do-not-call'));
  assert.deepEqual(
    listed.map(({ phone, reason }) => [phone, reason]),
    [[to, '607 Unwanted']],
  );
});

test('hanging up a ringing call cancels it', async (t) => {
  const here = await world(t, (peer, request) => {
    if (request.method === 'INVITE') peer.answer(request, { status: 180 });
    else if (request.method === 'CANCEL') peer.answer(request, { status: 200 });
  });
  const { call_id: id } = await place(here, aPhone('200'));
  await callWhen(here.server, id, ({ state }) => state === 'ringing');
  const ended = dataOf(await here.server.post<CallData>(`/calls/${id}/hangup`));
  assert.equal(ended.status, 'no_answer');
  const invite = await here.peer.next('INVITE');
  await here.peer.next('CANCEL');
  here.peer.answer(invite, { status: 487 });
});

test('a campaign calls through the trunk: outcomes are counted, and a trunk out of reach costs no contact', async (t) => {
  let isDown = true;
  const here = await world(t, (peer, request) => {
    if (request.method === 'INVITE' && isDown) return peer.answer(request, { status: 503, reason: 'Down' });
    byNumber(peer, request);
    if (request.method === 'ACK' && headerIn(request, 'To').includes('tag=peer') && request.uri.includes('peer@')) {
      const invite = peer.received.find(
        (message) => message.method === 'INVITE' && headerIn(message, 'Call-ID') === headerIn(request, 'Call-ID'),
      )!;
      peer.request(invite, 'BYE');
    }
  });
  const { server, agent, number, peer } = here;
  const contacts = await Promise.all(
    ['200', '486', '404'].map((ending) => aContact(server, { phone: aPhone(ending) })),
  );
  const campaign = await aCampaign(server, { agentId: agent.id, phoneNumberId: number.id, maxCps: 50 });
  await server.post(`/campaigns/${campaign.id}/contacts`, { contact_ids: contacts.map(({ id }) => id) });
  dataOf(await server.patch(`/campaigns/${campaign.id}`, { status: 'active' }));
  await peer.next('INVITE');
  await callsPaused(server, number.id);
  isDown = false;
  const stats = await statsWhen(server, campaign.id, ({ pending, inProgress }) => pending + inProgress === 0);
  assert.deepEqual(stats, { total: 3, contacted: 1, successful: 1, failed: 1, noAnswer: 1, pending: 0, inProgress: 0 });
  const listed = dataOf(
    await server.get<Array<{ attempt_count?: number; status: string; error_message: string | null }>>(
      `/campaigns/${campaign.id}/contacts`,
    ),
  );
  assert.deepEqual(
    listed
      .map(({ status, error_message: message }) => [status, message])
      .toSorted((a, b) => a[0]!.localeCompare(b[0]!)),
    [
      ['busy', 'SIP 486 Busy Here'],
      ['completed', null],
      ['failed', 'SIP 404 Because'],
    ],
  );
});

async function callsPaused(server: TestServer, numberId: string): Promise<void> {
  for (;;) {
    const number = dataOf(await server.get<{ paused_until: string | null }>(`/phone-numbers/import/${numberId}`));
    if (number.paused_until !== null) return;
    await pause(20);
  }
}

type Stats = { pending: number; inProgress: number } & Record<string, number>;

async function statsWhen(server: TestServer, id: string, isReached: (stats: Stats) => boolean): Promise<Stats> {
  for (;;) {
    const { contactStats } = dataOf(await server.get<{ contactStats: Stats }>(`/campaigns/${id}`));
    if (isReached(contactStats)) return contactStats;
    await pause(50);
  }
}

test('numbers outside the allowed prefixes, and without a trunk, are not called', async (t) => {
  const here = await world(t, byNumber, { 'sip.allowed_prefixes': '["+1"]' });
  const call = await callWhen(here.server, (await place(here, aPhone('200'))).call_id, isEnded);
  assert.equal(call.status, 'failed');
  assert.match(String(call['error_message']), /sip\.allowed_prefixes/);
  assert.deepEqual(here.peer.received, []);
});

test('a private trunk address is refused before a packet leaves', async (t) => {
  const here = await world(t, byNumber, { 'sip.allow_networks': '[]' });
  const call = await callWhen(here.server, (await place(here, aPhone('200'))).call_id, isEnded);
  assert.equal(call.status, 'failed');
  assert.match(String(call['error_message']), /127\.0\.0\.1 is not public.*sip\.allow_networks/);
  assert.deepEqual(here.peer.received, []);
});

test('a stopping server cancels and hangs up its calls, and they have failed', async (t) => {
  const here = await world(t, (peer, request) => {
    if (request.method === 'INVITE') peer.answer(request, { status: 180 });
    else if (request.method === 'CANCEL') peer.answer(request, { status: 200 });
  });
  const { call_id: id } = await place(here, aPhone('200'));
  await callWhen(here.server, id, ({ state }) => state === 'ringing');
  const invite = await here.peer.next('INVITE');
  const stopped = here.server.stop();
  await here.peer.next('CANCEL');
  here.peer.answer(invite, { status: 487, reason: 'Request Terminated' });
  await stopped;
});

test('the start names each setting that the carrier sip needs, and says that its port is taken', async (t) => {
  await assert.rejects(
    startTestServer({ settings: { 'carrier.driver': 'sip' } }).then((server) => server.stop()),
    (error) => error instanceof ConfigError && /speech\.engine/.test(error.message),
  );
  const taken = createSocket('udp4');
  taken.bind(0, '127.0.0.1');
  await once(taken, 'listening');
  t.after(() => taken.close());
  await assert.rejects(
    startTestServer({ settings: { ...settings, 'sip.port': String(taken.address().port) } }).then((server) =>
      server.stop(),
    ),
    /sip\.port \d+ on 127\.0\.0\.1 is in use/,
  );
  const tlsTaken = createServer();
  tlsTaken.listen(0, '127.0.0.1');
  await once(tlsTaken, 'listening');
  t.after(() => tlsTaken.close());
  const tls = {
    'sip.tls_port': String((tlsTaken.address() as AddressInfo).port),
    'sip.tls.cert_file': tlsFile('server.crt'),
    'sip.tls.key_file': tlsFile('server.key'),
  };
  await assert.rejects(
    startTestServer({ settings: { ...settings, ...tls } }).then((server) => server.stop()),
    /sip\.tls_port \d+ on 127\.0\.0\.1 is in use/,
  );
});

type Check = { reachable: boolean; status_code: number | null; transport: string | null; address: string | null };

test('a trunk is asked with OPTIONS, and any answer shows that it is reachable', async (t) => {
  const { peer, server, number } = await world(t, (trunk, request) =>
    trunk.answer(request, { status: 404, reason: 'Nobody Here' }),
  );
  const check = dataOf(await server.post<Check>(`/phone-numbers/${number.id}/check`));
  const asked = await peer.next('OPTIONS');
  assert.match(headerIn(asked, 'From'), new RegExp(`^<sip:\\+?${number.phone.slice(1)}@`));
  assert.deepEqual(
    { ...check, duration_ms: 0 },
    {
      reachable: true,
      status_code: 404,
      transport: 'udp',
      address: `127.0.0.1:${peer.port}`,
      duration_ms: 0,
      detail: 'SIP 404 Nobody Here',
    },
  );
});

test('a trunk that does not answer, or may not be asked, is not reachable, and the reason is told', async (t) => {
  const { peer, server, number } = await world(t, () => undefined);
  const silent = dataOf(await server.post<Check>(`/phone-numbers/${number.id}/check`));
  assert.deepEqual([silent.reachable, silent.status_code, silent.address], [false, null, `127.0.0.1:${peer.port}`]);
  const forbidden = await aNumber(server, { termination_uri: '10.1.2.3' });
  const refused = dataOf(await server.post<Check & { detail: string }>(`/phone-numbers/${forbidden.id}/check`));
  assert.deepEqual([refused.reachable, refused.address], [false, null]);
  assert.match(refused.detail, /10\.1\.2\.3 is not public; add its network to sip\.allow_networks/);
});

test('a number calls with its user name in From when sip_from says so, which needs one', async (t) => {
  const here = await world(t, byNumber);
  const { peer, server, number } = here;
  const path = `/phone-numbers/${number.id}`;
  assert.deepEqual(faultPaths(await server.patch(path, { sip_from: 'username' })), ['sip_username']);
  const changes = { sip_from: 'username', sip_username: 'extension-12' };
  assert.equal(dataOf<Record<string, unknown>>(await server.patch(path, changes))['sip_from'], 'username');
  assert.deepEqual(faultPaths(await server.patch(path, { sip_username: null })), ['sip_username']);
  const input = { phone: aPhone(), termination_uri: peer.uri, sip_from: 'username' };
  assert.deepEqual(faultPaths(await server.post('/phone-numbers/import', input)), ['sip_username']);
  await place(here, aPhone('486'));
  assert.match(headerIn(await peer.next('INVITE'), 'From'), /^<sip:extension-12@/);
});
