import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { type TestContext, test } from 'node:test';
import { aCall, startPhone } from '../../../support/sip/caller.ts';
import { headerIn, type Peer, type PeerMessage, readMessage, startPeer } from '../../../support/sip/peer.ts';

/** Makes the INVITE larger than a datagram may be. */
const settings = {
  codecs: ['PCMU'],
  srtp: 'auto',
  sessionExpiresSec: 1800,
  userAgent: `parley/${'x'.repeat(700)}`,
} as const;

async function aPeer(t: TestContext) {
  const peer = await startPeer((trunk, request) => {
    if (request.method === 'INVITE') trunk.answer(request, { status: 486, reason: 'Busy Here' });
  });
  t.after(() => peer.close());
  return peer;
}

/** Answers 486 to the first INVITE over TCP. */
function tcpTrunk(onInvite: (invite: PeerMessage) => void) {
  return createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', (bytes) => {
      const request = readMessage(bytes.toString());
      const kept = request.headers.filter(([name]) => ['Via', 'From', 'Call-ID', 'CSeq'].includes(name));
      const lines = kept.map(([name, value]) => `${name}: ${value}`);
      const to = `To: ${headerIn(request, 'To')};tag=tcp`;
      socket.write(`SIP/2.0 486 Busy Here\r\n${[...lines, to, 'Content-Length: 0'].join('\r\n')}\r\n\r\n`);
      onInvite(request);
    });
  });
}

/** A trunk on a port that is free for UDP and TCP, with the first INVITE that comes over TCP. */
async function aPeerWithTcp(t: TestContext): Promise<{ peer: Peer; invite: Promise<PeerMessage> }> {
  for (;;) {
    const peer = await aPeer(t);
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
