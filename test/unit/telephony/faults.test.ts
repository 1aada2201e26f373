import assert from 'node:assert/strict';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { nextMacrotask } from '../../../src/base/clock.ts';
import { aCall, callId, startPhone, type TestPhone } from '../../support/sip/caller.ts';
import { audioOf, headerIn, type Peer, type PeerMessage, startPeer } from '../../support/sip/peer.ts';

/** What trunks and strangers do wrong, against a phone with real sockets. */

const accepted = { status: 200, reason: 'OK', body: audioOf(40_000) };

async function aPeer(t: TestContext, onRequest?: (peer: Peer, request: PeerMessage) => void): Promise<Peer> {
  const peer = await startPeer(onRequest);
  t.after(() => peer.close());
  return peer;
}

/** An answered call, with its INVITE. */
async function answeredCall(phone: TestPhone, peer: Peer): Promise<PeerMessage> {
  phone.dial(aCall(peer.uri));
  const invite = await peer.next('INVITE');
  peer.answer(invite, accepted);
  await phone.report('answered');
  await peer.next('ACK');
  return invite;
}

async function aSocket(t: TestContext): Promise<Socket> {
  const socket = createSocket('udp4');
  t.after(() => socket.close());
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return socket;
}

/** Numbers below `limit` that are the same in every run. */
function randomNumbers(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % limit;
  };
}

const torture = join(import.meta.dirname, 'torture');

/** Random bytes, and messages with bytes changed, cut out and doubled. */
function junk(messages: readonly Buffer[], random: (limit: number) => number): Buffer {
  if (random(10) === 0) return Buffer.from(Array.from({ length: 1 + random(600) }, () => random(256)));
  let bytes = Buffer.from(messages[random(messages.length)]!);
  for (let changes = 1 + random(6); changes > 0 && bytes.length > 1; changes -= 1) {
    const [at, length] = [random(bytes.length), random(40)];
    const kind = random(3);
    if (kind === 0) bytes[at] = random(256);
    else if (kind === 1) bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + length)]);
    else bytes = Buffer.concat([bytes.subarray(0, at + length), bytes.subarray(at)]);
  }
  return bytes.subarray(0, 60_000);
}

test('10,000 datagrams of junk get no answer, whatever they resemble, and do not disturb a call', async (t) => {
  const peer = await aPeer(t);
  const phone = await startPhone(t);
  const invite = await answeredCall(phone, peer);
  const stranger = await aSocket(t);
  const answers: string[] = [];
  stranger.on('message', (bytes) => answers.push(bytes.toString('latin1')));
  const messages = [
    ...readdirSync(torture)
      .filter((name) => name.endsWith('.dat'))
      .map((name) => readFileSync(join(torture, name))),
    Buffer.from(invite.text), // our own INVITE comes back
    Buffer.from(invite.text.replace(/^INVITE (\S+)/, 'BYE $1').replace('1 INVITE', '9 BYE')),
    Buffer.from(`SIP/2.0 200 OK\r\n${invite.text.split('\r\n').slice(1).join('\r\n')}`),
  ];
  const random = randomNumbers(4475);
  for (let sent = 1; sent <= 10_000; sent += 1) {
    stranger.send(junk(messages, random), phone.port, '127.0.0.1');
    if (sent % 20 === 0) await nextMacrotask();
  }
  peer.request(invite, 'OPTIONS');
  assert.equal((await peer.next('200')).status, 200);
  assert.ok(phone.has(callId), 'the call goes on');
  const { malformed = 0, unknown = 0 } = phone.metrics().dropped;
  assert.ok(malformed > 100 && unknown > 100, `${malformed} malformed, ${unknown} unknown`);
  assert.deepEqual(answers.slice(0, 3), []);
  peer.request(invite, 'BYE');
  assert.equal((await phone.report('ended')).end.disconnectReason, 'customer_hangup');
});

test('ringing that comes after the answer, or from another fork, changes nothing', async (t) => {
  const peer = await aPeer(t);
  const phone = await startPhone(t);
  const invite = await answeredCall(phone, peer);
  peer.answer(invite, { status: 180, reason: 'Ringing' });
  peer.answer(invite, { status: 183, reason: 'Session Progress', tag: 'another fork' });
  peer.answer(invite, { status: 486, reason: 'Busy Here', tag: 'another fork' });
  peer.request(invite, 'OPTIONS');
  await peer.next('200'); // it was read after those
  assert.deepEqual(
    phone.reports.map(({ type }) => type),
    ['invited', 'reached', 'answered'],
  );
});

test('when both sides hang up at once, each BYE is answered and the call ends once', async (t) => {
  const peer = await aPeer(t);
  const phone = await startPhone(t);
  const invite = await answeredCall(phone, peer);
  phone.hangUp(callId, { status: 'completed', errorMessage: null });
  const bye = await peer.next('BYE');
  peer.request(invite, 'BYE');
  const answer = await peer.next((message) => message.status >= 200 && headerIn(message, 'CSeq').endsWith('BYE'));
  assert.ok([200, 481].includes(answer.status), String(answer.status));
  peer.answer(bye, { status: 481, reason: 'Call/Transaction Does Not Exist' });
  await phone.report('ended');
  assert.equal(phone.reports.filter(({ type }) => type === 'ended').length, 1);
});

test("the machine's clock may be set ahead and back while a call is in progress", async (t) => {
  const peer = await aPeer(t);
  const phone = await startPhone(t);
  const invite = await answeredCall(phone, peer);
  const dayMs = 86_400_000;
  const now = Date.now();
  t.mock.timers.enable({ apis: ['Date'], now });
  for (const at of [now + 400 * dayMs, 0, now]) {
    t.mock.timers.setTime(at);
    peer.request(invite, 'OPTIONS');
    assert.equal((await peer.next((message) => headerIn(message, 'CSeq').endsWith('OPTIONS'))).status, 200);
    assert.ok(phone.has(callId));
  }
  t.mock.timers.setTime(now + 400 * dayMs);
  peer.request(invite, 'BYE');
  const { end } = await phone.report('ended');
  assert.deepEqual([end.status, end.disconnectReason], ['completed', 'customer_hangup']);
  assert.ok(end.talkedMs! < dayMs, `${end.talkedMs} ms`);
});

for (const [what, body, expected] of [
  ['hold by the address 0.0.0.0', audioOf(40_000, { address: '0.0.0.0' }), /a=recvonly/],
  ['hold with inactive', audioOf(40_000, { extra: 'a=inactive\r\n' }), /a=inactive/],
  [
    'a video line besides',
    `${audioOf(40_000)}m=video 40010 RTP/AVP 31\r\n`,
    /m=audio [1-9]\d* [^]*m=video 0 RTP\/AVP 31/,
  ],
  [
    'two audio lines, the first with codecs that are not ours',
    `${audioOf(40_000, { payloads: '18' })}m=audio 40020 RTP/AVP 8\r\n`,
    /m=audio 0 RTP\/AVP 18[^]*m=audio [1-9]\d* RTP\/AVP 8/,
  ],
  [
    'two audio lines that could both be used',
    `${audioOf(40_000)}m=audio 40020 RTP/AVP 8\r\n`,
    /m=audio [1-9]\d* RTP\/AVP 0 101[^]*m=audio 0 RTP\/AVP 8/,
  ],
] as const) {
  test(`a re-INVITE with ${what} is answered, and the call goes on`, async (t) => {
    const peer = await aPeer(t);
    const phone = await startPhone(t);
    const invite = await answeredCall(phone, peer);
    peer.request(invite, 'INVITE', { body });
    const answer = await peer.next((message) => message.status >= 200);
    assert.equal(answer.status, 200);
    assert.match(answer.body, expected);
    assert.ok(phone.has(callId));
  });
}

test('a name server that does not answer for the name in Contact does not hold up the ACK', async (t) => {
  const peer = await aPeer(t);
  const asked = Promise.withResolvers<string>();
  const phone = await startPhone(t, {
    resolver: {
      srv: (name) => {
        asked.resolve(name);
        return new Promise(() => undefined);
      },
      addresses: () => new Promise(() => undefined),
    },
  });
  phone.dial(aCall(peer.uri));
  const invite = await peer.next('INVITE');
  const to = `${headerIn(invite, 'To')};tag=peer`;
  const kept = invite.headers.filter(([name]) => ['Via', 'From', 'Call-ID', 'CSeq'].includes(name));
  const lines = [...kept.map(([name, value]) => `${name}: ${value}`), `To: ${to}`, 'Contact: <sip:peer@slow.example>'];
  peer.sendRaw(
    `SIP/2.0 200 OK\r\n${lines.join('\r\n')}\r\nContent-Length: ${accepted.body.length}\r\n\r\n${accepted.body}`,
  );
  assert.equal(await asked.promise, '_sip._udp.slow.example');
  assert.equal((await peer.next('ACK')).uri, 'sip:peer@slow.example');
  await phone.report('answered');
});
