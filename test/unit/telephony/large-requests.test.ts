import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { type TestContext, test } from 'node:test';
import { aCall, callId, startPhone } from '../../support/sip/caller.ts';
import {
  audioOf,
  headerIn,
  type Peer,
  type PeerAnswer,
  type PeerMessage,
  readMessage,
  startPeer,
} from '../../support/sip/peer.ts';

/** Makes the INVITE larger than a datagram may be. */
const settings = {
  codecs: ['PCMU'],
  srtp: 'auto',
  sessionExpiresSec: 1800,
  userAgent: `parley/${'x'.repeat(700)}`,
} as const;

const busy: PeerAnswer = { status: 486, reason: 'Busy Here' };
const accepted: PeerAnswer = { status: 200, reason: 'OK', body: audioOf(40_000) };
const refused: PeerAnswer = { status: 603, reason: 'Decline' };

/** A trunk that answers every INVITE in this way, and refuses to transfer calls. */
async function aPeer(t: TestContext, answer = busy) {
  const peer = await startPeer((trunk, request) => {
    if (request.method === 'INVITE') trunk.answer(request, answer);
    if (request.method === 'REFER') trunk.answer(request, refused);
    if (request.method === 'BYE') trunk.answer(request, { status: 200, reason: 'OK' });
  });
  t.after(() => peer.close());
  return peer;
}

/** Answers 486 to the first request over TCP. */
function tcpTrunk(onRequest: (request: PeerMessage) => void) {
  return createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', (bytes) => {
      const request = readMessage(bytes.toString());
      const kept = request.headers.filter(([name]) => ['Via', 'From', 'Call-ID', 'CSeq'].includes(name));
      const lines = kept.map(([name, value]) => `${name}: ${value}`);
      const to = `To: ${headerIn(request, 'To')};tag=tcp`;
      socket.write(`SIP/2.0 486 Busy Here\r\n${[...lines, to, 'Content-Length: 0'].join('\r\n')}\r\n\r\n`);
      onRequest(request);
    });
  });
}

/** A trunk on a port that is free for UDP and TCP, with the first request that comes over TCP. */
async function aPeerWithTcp(t: TestContext, answer = busy): Promise<{ peer: Peer; invite: Promise<PeerMessage> }> {
  for (;;) {
    const peer = await aPeer(t, answer);
    const invite = Promise.withResolvers<PeerMessage>();
    const server = tcpTrunk(invite.resolve);
    t.after(() => server.close());
    const listening = new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(peer.port, '127.0.0.1', () => resolve(true));
    });
    if (await listening) return { peer, invite: invite.promise };
  }
}

test('a large INVITE goes by TCP where no transport is named', async (t) => {
  const { peer, invite } = await aPeerWithTcp(t);
  const phone = await startPhone(t, { settings });
  phone.dial(aCall(peer.uri));
  assert.match(headerIn(await invite, 'Via'), /^SIP\/2\.0\/TCP /);
  assert.match(headerIn(await invite, 'Contact'), /;transport=tcp>$/);
  assert.equal((await phone.report('ended')).end.status, 'busy');
  assert.deepEqual(peer.received, []);
});

test('a large INVITE goes by UDP to a trunk that takes no TCP, and where UDP is named', async (t) => {
  const peer = await aPeer(t);
  const phone = await startPhone(t, { settings });
  phone.dial(aCall(peer.uri));
  const first = await peer.next('INVITE');
  assert.match(headerIn(first, 'Via'), /^SIP\/2\.0\/UDP /);
  assert.equal((await phone.report('ended')).end.status, 'busy');

  const { peer: named, invite } = await aPeerWithTcp(t);
  const isTcpUsed = invite.then(() => true);
  const other = await startPhone(t, { settings });
  other.dial(aCall(named.uri, { trunk: { uri: named.uri, transport: 'udp' } }));
  assert.notEqual(await Promise.race([isTcpUsed, named.next('INVITE')]), true);
  assert.equal((await other.report('ended')).end.status, 'busy');
});

const callee = { uri: `sip:+4930901822@${'x'.repeat(1300)}.example.com`, phone: '+4930901822' };

test('a large request of an answered call goes by TCP, too', async (t) => {
  const { peer, invite: refer } = await aPeerWithTcp(t, accepted);
  const phone = await startPhone(t);
  phone.dial(aCall(peer.uri));
  await phone.report('answered');
  assert.equal(await phone.transfer(callId, callee), 'SIP 486 Busy Here');
  const { method, uri } = await refer;
  assert.deepEqual([method, uri], ['REFER', `sip:peer@${peer.uri}`]);
  assert.match(headerIn(await refer, 'Via'), /^SIP\/2\.0\/TCP /);
  assert.ok(peer.received.every(({ method: came }) => came !== 'REFER'));
});

test('a large request of an answered call goes by UDP to a trunk that takes no TCP', async (t) => {
  const peer = await aPeer(t, accepted);
  const phone = await startPhone(t);
  phone.dial(aCall(peer.uri));
  await phone.report('answered');
  assert.equal(await phone.transfer(callId, callee), 'SIP 603 Decline');
  assert.match(headerIn(await peer.next('REFER'), 'Via'), /^SIP\/2\.0\/UDP /);
  phone.hangUp(callId, { status: 'completed', errorMessage: null });
  await peer.next('BYE');
});
