import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { PhoneOptions } from '../../../../src/telephony/dialog/phone.ts';
import type { Account, RegistrationReport } from '../../../../src/telephony/registration/account.ts';
import { startPhone } from '../../../support/sip/caller.ts';
import { headerIn, type Peer, type PeerMessage } from '../../../support/sip/peer.ts';
import {
  challenge,
  contactIn,
  cseqIn,
  expiresIn,
  granted,
  isAuthorized,
  seenFrom,
  startRegistrar,
} from '../../../support/sip/registrar.ts';

const credentials = { username: 'parley', password: 'a long secret' };

const accountAt = (uri: string): Account => ({
  id: 'account',
  trunk: { uri, transport: null },
  username: 'parley',
  credentials,
  token: '0123456789abcdef0123',
  expiresSec: 600,
});

async function world(
  t: TestContext,
  onRegister?: (peer: Peer, request: PeerMessage) => void,
  changes: Partial<PhoneOptions> = {},
) {
  const reports: RegistrationReport[] = [];
  let waiters: Array<() => boolean> = [];
  const phone = await startPhone(t, {
    reportRegistration(_id, report) {
      reports.push(report);
      waiters = waiters.filter((isWaiting) => isWaiting());
    },
    ...changes,
  });
  const registrar = await startRegistrar(onRegister);
  t.after(() => registrar.close());
  const state = (wanted: RegistrationReport['state']) =>
    new Promise<RegistrationReport>((resolve) => {
      const look = (): boolean => {
        const found = reports.find((report) => report.state === wanted);
        if (found) resolve(found);
        return !found;
      };
      if (look()) waiters.push(look);
    });
  return { phone, registrar, reports, state, account: accountAt(registrar.uri) };
}

test('a REGISTER names the domain, the account and our Contact, and answers the challenge', async (t) => {
  const { phone, registrar, state, account } = await world(t);
  phone.register(account);
  const first = await registrar.register();
  assert.equal(first.uri, 'sip:127.0.0.1');
  assert.equal(headerIn(first, 'To'), '<sip:parley@127.0.0.1>');
  assert.match(headerIn(first, 'From'), /^<sip:parley@127\.0\.0\.1>;tag=/);
  assert.equal(headerIn(first, 'Contact'), `<sip:${account.token}@127.0.0.1:${phone.port}>`);
  assert.equal(headerIn(first, 'Expires'), '600');
  registrar.answer(first, challenge());
  const second = await registrar.register();
  assert.ok(isAuthorized(second, credentials));
  assert.equal(headerIn(second, 'Call-ID'), headerIn(first, 'Call-ID'));
  assert.equal(cseqIn(second), cseqIn(first) + 1);
  registrar.answer(second, granted(second, 120));
  assert.deepEqual(await state('registered'), {
    state: 'registered',
    detail: 'SIP 200 OK',
    expiresInMs: 120_000,
    contact: contactIn(second),
  });
});

test('it is renewed after half of the time that was granted, under the same names', async (t) => {
  const { phone, registrar, account } = await world(t, (peer, request) => peer.answer(request, granted(request, 1)));
  phone.register(account);
  const [first, second] = [await registrar.register(), await registrar.register()];
  assert.equal(contactIn(second), contactIn(first));
  assert.equal(headerIn(second, 'Call-ID'), headerIn(first, 'Call-ID'));
  assert.ok(cseqIn(second) > cseqIn(first));
});

test('the address that the registrar sees becomes the Contact, and the old one is taken out', async (t) => {
  const { phone, registrar, state, account } = await world(t);
  phone.register(account);
  const local = await registrar.register();
  registrar.answer(seenFrom(local, '198.51.100.7', 40_000), granted(local, 600));
  const seen = await registrar.register();
  assert.equal(contactIn(seen), `sip:${account.token}@198.51.100.7:40000`);
  assert.deepEqual(
    seen.headers.filter(([name]) => name === 'Contact').map(([, value]) => value),
    [`<${contactIn(seen)}>`, `<${contactIn(local)}>;expires=0`],
  );
  registrar.answer(seenFrom(seen, '198.51.100.7', 40_000), granted(seen, 600));
  assert.equal((await state('registered')).contact, contactIn(seen));
});

test('with an advertised host the Contact stays, and no empty lines are sent', async (t) => {
  const transport = {
    host: '127.0.0.1',
    port: 0,
    tlsPort: null,
    tls: { cert: null, key: null, ca: null },
    advertisedHost: 'parley.example.com',
  };
  t.mock.timers.enable({ apis: ['setInterval'] });
  const { phone, registrar, state, account } = await world(t, undefined, { transport });
  phone.register(account);
  const request = await registrar.register();
  assert.equal(contactIn(request), `sip:${account.token}@parley.example.com:${phone.port}`);
  registrar.answer(seenFrom(request, '198.51.100.7', 40_000), granted(request, 600));
  assert.equal((await state('registered')).contact, contactIn(request));
  t.mock.timers.tick(25_000);
  phone.unregister(account.id);
  const removal = await registrar.register();
  assert.deepEqual(registrar.received, [request, removal]);
});

test('an empty line goes to the registrar every 25 s', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const { phone, registrar, state, account } = await world(t, (peer, request) =>
    peer.answer(request, granted(request, 600)),
  );
  phone.register(account);
  await state('registered');
  t.mock.timers.tick(25_000);
  await registrar.next(({ text }) => text === '\r\n\r\n');
});

test('a time that is too short is asked for again as the registrar says', async (t) => {
  const { phone, registrar, state, account } = await world(t);
  phone.register(account);
  registrar.answer(await registrar.register(), {
    status: 423,
    reason: 'Interval Too Brief',
    headers: [['Min-Expires', '1800']],
  });
  const longer = await registrar.register();
  assert.equal(expiresIn(longer), 1800);
  registrar.answer(longer, granted(longer, 1800));
  assert.equal((await state('registered')).expiresInMs, 1_800_000);
});

test('refused credentials are not sent again until the account changes', async (t) => {
  const { phone, registrar, state, account } = await world(t, (peer, request) =>
    peer.answer(
      request,
      isAuthorized(request, credentials) ? granted(request, 600) : challenge(String(cseqIn(request))),
    ),
  );
  phone.register({ ...account, credentials: { ...credentials, password: 'wrong' } });
  assert.equal((await state('refused')).detail, 'SIP 401 Unauthorized');
  assert.equal(registrar.received.length, 2);
  phone.register(account);
  await state('registered');
});

test('a registrar at an address that is not allowed hears nothing', async (t) => {
  const { phone, registrar, state, account } = await world(t, undefined, { isAllowed: () => false });
  phone.register(account);
  assert.match((await state('unreachable')).detail ?? '', /sip\.allow_networks/);
  assert.deepEqual(registrar.received, []);
});

test('the Contact is taken back at the end and at the stop, which waits for the answer', async (t) => {
  const { phone, registrar, state, account } = await world(t, (peer, request) =>
    peer.answer(request, granted(request, expiresIn(request))),
  );
  phone.register(account);
  await state('registered');
  const first = await registrar.register();
  phone.unregister(account.id);
  const removal = await registrar.register();
  assert.deepEqual([expiresIn(removal), contactIn(removal)], [0, contactIn(first)]);
  phone.register(account);
  const again = await registrar.register();
  assert.ok(cseqIn(again) > cseqIn(removal), 'the same names need a higher number');
  await phone.stop(0);
  assert.equal(expiresIn(registrar.received.at(-1)!), 0);
});

test('a registrar that does not answer keeps the stop for 2 s', async (t) => {
  const { phone, registrar, account } = await world(t);
  phone.register(account);
  await registrar.register();
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const stopped = phone.stop(0);
  await registrar.next((message) => message.method === 'REGISTER' && expiresIn(message) === 0);
  t.mock.timers.tick(2000);
  await stopped;
});
