import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aCall, callId, startPhone } from '../../support/sip/caller.ts';
import { numberIn, type PeerAnswer, startPeer } from '../../support/sip/peer.ts';

const challenge = [['WWW-Authenticate', 'Digest realm="trunk", nonce="n", algorithm=MD5, qop="auth"']] as const;
const otherId = '019cadc6-9a80-7001-a45e-788430a62e9d';
const credentials = { username: 'us', password: 'secret' };

const refusals: ReadonlyArray<readonly [string, PeerAnswer]> = [
  ['401', { status: 401, headers: challenge }],
  ['422', { status: 422, headers: [['Min-SE', '3600']] }],
  ['503, with another target', { status: 503 }],
];

for (const [name, answer] of refusals) {
  test(`after ${name}, a call that may not ring any more sends no other INVITE`, async (t) => {
    const peer = await startPeer((own, request) => {
      if (request.method === 'INVITE') own.answer(request, answer);
    });
    const other = await startPeer();
    t.after(() => Promise.all([peer.close(), other.close()]).then(() => undefined));
    let asked = 0;
    const ports = [peer.port, other.port];
    const phone = await startPhone(t, {
      refusalOf: () => Promise.resolve((asked += 1) === 1 ? null : 'On the do-not-call list.'),
      resolver: {
        srv: () => Promise.resolve(ports.map((port, priority) => ({ name: 'host.test', port, priority, weight: 1 }))),
        addresses: () => Promise.resolve(['127.0.0.1']),
      },
    });
    phone.dial(aCall('trunk.test', { credentials }));
    const { reason } = await phone.report('withdrawn');
    assert.equal(reason, 'On the do-not-call list.');
    const invites = [...peer.received, ...other.received].filter(({ method }) => method === 'INVITE');
    assert.deepEqual([asked, invites.length], [2, 1]);
    assert.ok(!peer.received.some(({ method }) => method === 'CANCEL'));
  });
}

test('a call that is withdrawn while its trunk is looked up sends nothing', async (t) => {
  const lookup = Promise.withResolvers<string[]>();
  const phone = await startPhone(t, {
    resolver: { srv: () => Promise.resolve([]), addresses: () => lookup.promise },
  });
  phone.dial(aCall('trunk.test'));
  phone.withdraw([{ callId, reason: 'The campaign is paused.' }]);
  await phone.report('withdrawn');
  lookup.resolve(['127.0.0.1']);
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(
    phone.reports.map(({ type }) => type),
    ['withdrawn'],
  );
});

test('a call that is withdrawn while it is asked whether it may ring sends nothing', async (t) => {
  const asked = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<string | null>();
  const peer = await startPeer();
  t.after(() => peer.close());
  const phone = await startPhone(t, {
    refusalOf: () => {
      asked.resolve();
      return answer.promise;
    },
  });
  phone.dial(aCall(peer.uri));
  await asked.promise;
  phone.withdraw([{ callId, reason: 'The campaign is paused.' }]);
  await phone.report('withdrawn');
  answer.resolve(null);
  // Another call's INVITE comes after everything that was sent before it.
  const other = '+4930901899';
  phone.dial(aCall(peer.uri, { id: otherId, to: other }));
  await peer.next((message) => numberIn(message) === other);
  assert.deepEqual(peer.received.map(numberIn), [other]);
});

test('a call that has rung is not withdrawn', async (t) => {
  const peer = await startPeer();
  t.after(() => peer.close());
  const phone = await startPhone(t);
  phone.dial(aCall(peer.uri));
  const invite = await peer.next('INVITE');
  peer.answer(invite, { status: 180, reason: 'Ringing' });
  await phone.report('ringing');
  phone.withdraw([{ callId, reason: 'The campaign is paused.' }]);
  peer.answer(invite, { status: 486, reason: 'Busy Here' });
  assert.equal((await phone.report('ended')).end.status, 'busy');
  assert.ok(!peer.received.some(({ method }) => method === 'CANCEL'));
});

test('a withdrawn call sends one CANCEL, whatever provisional responses follow', async (t) => {
  const peer = await startPeer();
  t.after(() => peer.close());
  const phone = await startPhone(t);
  phone.dial(aCall(peer.uri));
  const invite = await peer.next('INVITE');
  peer.answer(invite, { status: 100, reason: 'Trying', tag: null });
  phone.withdraw([{ callId, reason: 'The campaign is paused.' }]);
  const cancel = await peer.next('CANCEL');
  peer.answer(invite, { status: 100, reason: 'Trying', tag: null });
  peer.answer(invite, { status: 183, reason: 'Session Progress' });
  peer.answer(cancel, { status: 200, reason: 'OK' });
  peer.answer(invite, { status: 487, reason: 'Request Terminated' });
  await Promise.race([phone.report('withdrawn'), phone.report('ended')]);
  await peer.next('ACK'); // comes after every CANCEL
  const cancels = peer.received.filter(({ method }) => method === 'CANCEL');
  assert.equal(cancels.length, 1);
});
