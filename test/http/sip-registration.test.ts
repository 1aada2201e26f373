// Long: each registrar has a server and a telephony thread of its own.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { pause } from '../../src/base/clock.ts';
import { aNumber } from '../support/fixtures.ts';
import { type Client, dataOf, faultPaths, startTestServer } from '../support/server.ts';
import type { PeerMessage } from '../support/sip/peer.ts';
import { challenge, contactIn, expiresIn, granted, isAuthorized, startRegistrar } from '../support/sip/registrar.ts';
import { sipSettings } from '../support/sip/server.ts';
import { aServer, anAnsweringNumber, aTrunk, callIn, toAnInvite } from './sip-incoming-support.ts';

type Registration = { state: string; expires_at: string | null; contact: string | null; detail: string | null };
type NumberData = { id: string; phone: string; register: boolean; registration: Registration };

const account = { sip_username: 'parley', sip_password: 'a long secret', register: true };

async function aRegistrar(t: TestContext, onRegister?: Parameters<typeof startRegistrar>[0]) {
  const registrar = await startRegistrar(onRegister);
  t.after(() => registrar.close());
  return registrar;
}

async function registrationIn(client: Client, id: string, state: string): Promise<Registration> {
  for (;;) {
    const { registration } = dataOf(await client.get<NumberData>(`/phone-numbers/import/${id}`));
    if (registration.state === state) return registration;
    await pause(20);
  }
}

const accepting: NonNullable<Parameters<typeof startRegistrar>[0]> = (peer, request) =>
  peer.answer(request, granted(request, expiresIn(request)));

test('register needs a user name and a trunk', async (t) => {
  const { server } = await aServer(t);
  const missing = { phone: '+4930901829', termination_uri: 'sip.example.com', register: true };
  assert.deepEqual(faultPaths(await server.post('/phone-numbers/import', missing)), ['sip_username']);
  const number = await aNumber(server);
  assert.deepEqual(faultPaths(await server.patch(`/phone-numbers/${number.id}`, { register: true })), ['sip_username']);
  const given = dataOf<NumberData>(
    await server.patch(`/phone-numbers/${number.id}`, { register: true, sip_username: 'parley' }),
  );
  assert.deepEqual([given.register, given.registration.state], [true, 'registering']);
  assert.deepEqual(faultPaths(await server.patch(`/phone-numbers/${number.id}`, { sip_username: null })), [
    'sip_username',
  ]);
});

test('a number says how its registration stands, and takes it back when it is switched off', async (t) => {
  const { server, port } = await aServer(t, { 'sip.register_expires_sec': '300' });
  const registrar = await aRegistrar(t, (peer, request) =>
    isAuthorized(request, { username: 'parley', password: 'a long secret' })
      ? accepting(peer, request)
      : peer.answer(request, challenge()),
  );
  const number = await aNumber(server, { termination_uri: registrar.uri, ...account });
  const { contact, detail, expires_at: expiresAt } = await registrationIn(server, number.id, 'registered');
  const request = await registrar.register();
  assert.deepEqual([contact, detail], [contactIn(request), 'SIP 200 OK']);
  assert.match(contact!, new RegExp(`^sip:[0-9a-f]+@127\\.0\\.0\\.1:${port}$`));
  const leftMs = Date.parse(expiresAt!) - Date.now();
  assert.ok(leftMs > 290_000 && leftMs <= 300_000, `${leftMs} ms`);
  dataOf(await server.patch(`/phone-numbers/${number.id}`, { register: false }));
  await registrar.next((message) => message.method === 'REGISTER' && expiresIn(message) === 0);
  assert.deepEqual(dataOf(await server.get<NumberData>(`/phone-numbers/import/${number.id}`)).registration, {
    state: 'off',
    expires_at: null,
    contact: null,
    detail: null,
  });
});

test('a refused number tries again at once with its new password, and its release and the stop take the Contact back', async (t) => {
  const { server } = await aServer(t);
  const password = 'another long secret';
  const registrar = await aRegistrar(t, (peer, request) =>
    ['parley', 'other'].some((username) => isAuthorized(request, { username, password }))
      ? accepting(peer, request)
      : peer.answer(request, challenge()),
  );
  const number = await aNumber(server, { termination_uri: registrar.uri, ...account });
  assert.equal((await registrationIn(server, number.id, 'refused')).detail, 'SIP 401 Unauthorized');
  dataOf(await server.patch(`/phone-numbers/${number.id}`, { sip_password: password }));
  await registrationIn(server, number.id, 'registered');
  const isRemoval = (message: PeerMessage): boolean => message.method === 'REGISTER' && expiresIn(message) === 0;
  dataOf(await server.del(`/phone-numbers/${encodeURIComponent(number.phone)}/release/`));
  const released = await registrar.next(isRemoval);
  const kept = await aNumber(server, {
    termination_uri: registrar.uri,
    ...account,
    sip_username: 'other',
    sip_password: password,
  });
  const { contact } = await registrationIn(server, kept.id, 'registered');
  assert.notEqual(contact, contactIn(released));
  await server.stop();
  const last = registrar.received.findLast(({ method }) => method === 'REGISTER')!;
  assert.deepEqual([contactIn(last), expiresIn(last)], [contact, 0]);
});

test('numbers of an organization with one account share its registration, those of another do not', async (t) => {
  const { server } = await aServer(t);
  const registrar = await aRegistrar(t, accepting);
  const shared = { termination_uri: registrar.uri, ...account };
  const [first, second] = [await aNumber(server, shared), await aNumber(server, shared)];
  const foreign = await aNumber(await server.newOrganization(), shared);
  const contacts = await Promise.all(
    [first, second].map(async ({ id }) => (await registrationIn(server, id, 'registered')).contact),
  );
  assert.equal(contacts[0], contacts[1]);
  assert.ok(foreign.id);
  const other = await registrar.next((message) => message.method === 'REGISTER' && contactIn(message) !== contacts[0]);
  assert.notEqual(contactIn(other), contacts[0]);
  dataOf(await server.patch(`/phone-numbers/${first.id}`, { register: false }));
  assert.equal((await registrationIn(server, second.id, 'registered')).contact, contacts[1]);
  dataOf(await server.patch(`/phone-numbers/${second.id}`, { register: false }));
  const removal = await registrar.next((message) => message.method === 'REGISTER' && expiresIn(message) === 0);
  assert.equal(contactIn(removal), contacts[0]);
});

const userOf = (contact: string): string => /^sip:([^@]+)@/.exec(contact)![1]!;

test('a call to the contact is one to the number that it names, else to the only number of the account', async (t) => {
  const { server, port } = await aServer(t);
  const trunk = await aTrunk(t);
  const { number } = await anAnsweringNumber(server, trunk, account);
  const request = await trunk.next('REGISTER');
  const to = userOf(contactIn(request));
  const sent = trunk.invite(port, { to, toHeader: '<sip:parley@127.0.0.1>' });
  const answer = await trunk.next(toAnInvite(200));
  sent.ack(answer);
  assert.equal((await callIn(server, 'in_progress'))['callee_number'], number.phone);
  sent.request(answer, 'BYE');
  await callIn(server, 'ended');

  const second = await aNumber(server, {
    termination_uri: trunk.uri,
    ...account,
    inbound_agent_id: await anAnswering(server, number.id),
  });
  trunk.invite(port, { to, toHeader: '<sip:parley@127.0.0.1>' }).ack(await trunk.next(toAnInvite(404)));
  const named = trunk.invite(port, {
    to,
    headers: [['P-Called-Party-ID', `<sip:${second.phone}@127.0.0.1>`]],
    toHeader: '<sip:parley@127.0.0.1>',
  });
  const answered = await trunk.next(toAnInvite(200));
  named.ack(answered);
  const live = dataOf(await server.get<Array<{ callee_number: string }>>('/calls?state=live'));
  assert.deepEqual(
    live.map(({ callee_number: callee }) => callee),
    [second.phone],
  );
  named.request(answered, 'BYE');
});

const anAnswering = async (client: Client, id: string): Promise<string> =>
  dataOf(await client.get<{ inbound_agent_id: string }>(`/phone-numbers/import/${id}`)).inbound_agent_id;

test('the contact is nobody for a trunk that is not its registrar', async (t) => {
  const { server, port } = await aServer(t, { 'sip.inbound_networks': '["127.0.0.2/32"]' });
  const trunk = await aTrunk(t);
  await anAnsweringNumber(server, trunk, account);
  const to = userOf(contactIn(await trunk.next('REGISTER')));
  const stranger = await aTrunk(t, '127.0.0.2');
  stranger.invite(port, { to, toHeader: '<sip:parley@127.0.0.1>' });
  assert.equal((await stranger.next(toAnInvite(404))).status, 404);
});

test('doctor lists accounts that are not registered, and the metrics count all by state', async (t) => {
  const token = 'a-token-of-the-test';
  // Not `aServer`, which asks for the checks that are then kept for a while.
  const server = await startTestServer({
    testClock: false,
    settings: { ...(await sipSettings()), 'metrics.token': token },
  });
  t.after(() => server.stop());
  const registrar = await aRegistrar(t, (peer, request) => peer.answer(request, { status: 403, reason: 'Forbidden' }));
  const number = await aNumber(server, { termination_uri: registrar.uri, ...account });
  await registrationIn(server, number.id, 'refused');
  for (;;) {
    const { checks } = dataOf(await server.get<{ checks: Array<{ message: string; status: string }> }>('/system'));
    const found = checks.find(({ message }) => message.startsWith('the registration of'));
    if (found) {
      assert.equal(
        found.message,
        `the registration of ${number.phone} at ${registrar.uri} is refused: SIP 403 Forbidden`,
      );
      break;
    }
    await pause(50);
  }
  const metrics = await fetch(`${server.url}/metrics`, { headers: { authorization: `Bearer ${token}` } });
  assert.match(await metrics.text(), /^parley_sip_registrations\{state="refused"\} 1$/m);
});
