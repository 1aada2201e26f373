import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { appendFileSync, copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createTokens } from '../../../src/telephony/dialog/tokens.ts';
import { aCall, callId, startPhone } from '../../support/sip/caller.ts';
import { audioOf, headerIn, type Peer, type PeerAnswer, type PeerMessage, startPeer } from '../../support/sip/peer.ts';

async function aPeer(t: TestContext, onRequest?: (peer: Peer, request: PeerMessage) => void): Promise<Peer> {
  const peer = await startPeer(onRequest);
  t.after(() => peer.close());
  return peer;
}

/** A peer that accepts every BYE and CANCEL, and answers INVITEs with these answers in order. */
const answering = (...answers: PeerAnswer[]) => {
  let next = 0;
  return (peer: Peer, request: PeerMessage): void => {
    if (request.method === 'INVITE') peer.answer(request, answers[Math.min(next++, answers.length - 1)]!);
    else if (request.method !== 'ACK') peer.answer(request, { status: 200, reason: 'OK' });
  };
};

const accepted: PeerAnswer = { status: 200, reason: 'OK', body: audioOf(40_000) };

test('a call rings, is answered and ends with the BYE of the other side', async (t) => {
  const peer = await aPeer(t);
  const phone = await startPhone(t);
  phone.dial(aCall(peer.uri));
  const invite = await peer.next('INVITE');
  assert.equal(invite.uri, `sip:+4930901820@${peer.uri}`);
  assert.ok(headerIn(invite, 'Call-ID').startsWith(callId));
  assert.match(headerIn(invite, 'From'), new RegExp(`^<sip:\\+4930901821@127.0.0.1:${peer.port}>;tag=`));
  assert.equal(headerIn(invite, 'P-Asserted-Identity'), `<sip:+4930901821@127.0.0.1:${peer.port}>`);
  assert.match(invite.body, /m=audio \d+ RTP\/AVP 0 8 101\r\n/);
  peer.answer(invite, { status: 100, reason: 'Trying', tag: null });
  peer.answer(invite, { status: 180, reason: 'Ringing' });
  await phone.report('ringing');
  peer.answer(invite, accepted);
  const ack = await peer.next('ACK');
  assert.equal(ack.uri, `sip:peer@127.0.0.1:${peer.port}`);
  assert.match(headerIn(ack, 'To'), /;tag=peer$/);
  const answered = await phone.report('answered');
  assert.equal(answered.sip.codec, 'PCMU');
  assert.equal(answered.sip.status_code, 200);
  peer.request(invite, 'BYE');
  await peer.next('200');
  const { end } = await phone.report('ended');
  assert.deepEqual(
    { ...end, talkedMs: null },
    {
      status: 'completed',
      errorMessage: null,
      invalidNumber: false,
      unwanted: false,
      talkedMs: null,
      disconnectReason: 'customer_hangup',
    },
  );
  assert.deepEqual(
    phone.reports.map(({ type }) => type),
    ['invited', 'reached', 'ringing', 'answered', 'ended'],
  );
});

const outcomes: ReadonlyArray<readonly [PeerAnswer, string, object]> = [
  [{ status: 486, reason: 'Busy Here' }, 'SIP 486 Busy Here', { status: 'busy' }],
  [{ status: 600, reason: 'Busy Everywhere' }, 'SIP 600 Busy Everywhere', { status: 'busy' }],
  [{ status: 603, reason: 'Decline' }, 'SIP 603 Decline', { status: 'busy' }],
  [{ status: 603, reason: 'Network Blocked' }, 'SIP 603 Network Blocked', { status: 'failed' }],
  [
    { status: 603, reason: 'Decline', headers: [['Reason', 'SIP;cause=603;text="Blocked by analytics"']] },
    'SIP 603 Decline: Blocked by analytics',
    { status: 'failed' },
  ],
  [
    { status: 480, reason: 'Temporarily Unavailable', headers: [['Reason', 'Q.850;cause=19;text="No answer"']] },
    'SIP 480 Temporarily Unavailable: No answer',
    { status: 'no_answer' },
  ],
  [{ status: 487, reason: 'Request Terminated' }, 'SIP 487 Request Terminated', { status: 'no_answer' }],
  [{ status: 408, reason: 'Request Timeout' }, 'SIP 408 Request Timeout', { status: 'failed' }],
  ...[404, 410, 484, 604].map(
    (status) => [{ status, reason: 'Gone' }, `SIP ${status} Gone`, { status: 'failed', invalidNumber: true }] as const,
  ),
  [{ status: 607, reason: 'Unwanted' }, 'SIP 607 Unwanted', { status: 'failed', unwanted: true }],
  ...[300, 302, 403, 488, 500, 608].map(
    (status) => [{ status, reason: 'No' }, `SIP ${status} No`, { status: 'failed' }] as const,
  ),
];

for (const [answer, errorMessage, expected] of outcomes) {
  test(`the answer ${errorMessage} ends the call as ${JSON.stringify(expected)}`, async (t) => {
    const peer = await aPeer(t, answering(answer));
    const phone = await startPhone(t);
    phone.dial(aCall(peer.uri));
    const { end, sip } = await phone.report('ended');
    const failed = (expected as { status: string }).status === 'failed';
    assert.deepEqual(end, {
      invalidNumber: false,
      unwanted: false,
      talkedMs: null,
      disconnectReason: failed ? 'error' : null,
      errorMessage,
      ...expected,
    });
    assert.equal(sip?.status_code, answer.status);
    await peer.next('ACK');
  });
}

test('408 after ringing is no answer', async (t) => {
  const peer = await aPeer(t);
  const phone = await startPhone(t);
  phone.dial(aCall(peer.uri));
  const invite = await peer.next('INVITE');
  peer.answer(invite, { status: 180 });
  peer.answer(invite, { status: 408, reason: 'Request Timeout' });
  assert.equal((await phone.report('ended')).end.status, 'no_answer');
});

for (const status of [503, 401, 407]) {
  test(`${status} means that the trunk is out of reach, and nothing is said of the callee`, async (t) => {
    const peer = await aPeer(t, answering({ status, reason: 'Sorry' }));
    const phone = await startPhone(t);
    phone.dial(aCall(peer.uri));
    assert.equal((await phone.report('out-of-reach')).reason, `SIP ${status} Sorry`);
    assert.deepEqual(
      phone.reports.map(({ type }) => type),
      ['invited', 'out-of-reach'],
    );
  });
}

test('a name that leads nowhere means that the trunk is out of reach', async (t) => {
  const phone = await startPhone(t);
  phone.dial(aCall('sip.nowhere.test'));
  assert.match((await phone.report('out-of-reach')).reason, /sip\.nowhere\.test was not found/);
});

const challenge = (nonce: string, rest = ''): PeerAnswer => ({
  status: 407,
  reason: 'Proxy Authentication Required',
  headers: [['Proxy-Authenticate', `Digest realm="trunk", nonce="${nonce}", qop="auth", algorithm=SHA-256${rest}`]],
});
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

function isRight(request: PeerMessage, nonce: string): boolean {
  const fields = Object.fromEntries(
    [...headerIn(request, 'Proxy-Authorization').matchAll(/(\w+)="?([^",]*)"?/g)].map((match) => [match[1], match[2]]),
  );
  const secret = sha256('anna:trunk:open sesame');
  const target = sha256(`${request.method}:${request.uri}`);
  return fields['response'] === sha256(`${secret}:${nonce}:${fields['nc']}:${fields['cnonce']}:auth:${target}`);
}

const credentials = { username: 'anna', password: 'open sesame' };

test('a challenge is answered once, and again for a stale nonce', async (t) => {
  const peer = await aPeer(t, answering(challenge('one'), challenge('two', ', stale=true'), accepted));
  const phone = await startPhone(t);
  phone.dial(aCall(peer.uri, { credentials }));
  await phone.report('answered');
  const invites = peer.received.filter(({ method }) => method === 'INVITE');
  assert.deepEqual(
    invites.map((invite) => headerIn(invite, 'CSeq')),
    ['1 INVITE', '2 INVITE', '3 INVITE'],
  );
  assert.ok(isRight(invites[1]!, 'one') && isRight(invites[2]!, 'two'));
});

test('credentials that are refused are not tried again', async (t) => {
  const peer = await aPeer(t, answering(challenge('one'), challenge('two')));
  const phone = await startPhone(t);
  phone.dial(aCall(peer.uri, { credentials }));
  assert.equal((await phone.report('out-of-reach')).reason, 'SIP 407 Proxy Authentication Required');
  assert.equal(peer.received.filter(({ method }) => method === 'INVITE').length, 2);
});

test('a session timer that is too short is raised to what the other side wants', async (t) => {
  const tooSmall: PeerAnswer = { status: 422, reason: 'Session Interval Too Small', headers: [['Min-SE', '3600']] };
  const peer = await aPeer(t, answering(tooSmall, accepted));
  const phone = await startPhone(t);
  phone.dial(aCall(peer.uri));
  await phone.report('answered');
  const second = peer.received.filter(({ method }) => method === 'INVITE')[1]!;
  assert.equal(headerIn(second, 'Session-Expires'), '3600');
  assert.equal(headerIn(second, 'Min-SE'), '3600');
});

test('a call that nobody answers in time is cancelled', async (t) => {
  const peer = await aPeer(t);
  const phone = await startPhone(t);
  phone.dial(aCall(peer.uri, { ringTimeoutMs: 3000 }));
  const invite = await peer.next('INVITE');
  peer.answer(invite, { status: 180, reason: 'Ringing' });
  const cancel = await peer.next('CANCEL');
  assert.equal(headerIn(cancel, 'Via'), headerIn(invite, 'Via'));
  assert.equal(headerIn(cancel, 'CSeq'), '1 CANCEL');
  peer.answer(cancel, { status: 200, reason: 'OK' });
  peer.answer(invite, { status: 487, reason: 'Request Terminated' });
  const { end } = await phone.report('ended');
  assert.equal(end.status, 'no_answer');
  assert.equal(end.disconnectReason, null);
});

test('a trunk that has said nothing when the ring time-out ends is out of reach, and a late ringing is cancelled', async (t) => {
  const peer = await aPeer(t);
  const phone = await startPhone(t);
  phone.dial(aCall(peer.uri, { ringTimeoutMs: 100 }));
  const invite = await peer.next('INVITE');
  assert.match((await phone.report('out-of-reach')).reason, /sip\.ring_timeout_ms/);
  assert.ok(!peer.received.some(({ method }) => method === 'CANCEL'));
  peer.answer(invite, { status: 180, reason: 'Ringing' });
  peer.answer(await peer.next('CANCEL'), { status: 200, reason: 'OK' });
  peer.answer(invite, { status: 487, reason: 'Request Terminated' });
  await peer.next('ACK');
  assert.ok(!phone.reports.some(({ type }) => type === 'ringing' || type === 'ended'));
});

test('a hang-up waits for the first provisional response before it cancels', async (t) => {
  const peer = await aPeer(t);
  const phone = await startPhone(t);
  phone.dial(aCall(peer.uri));
  const invite = await peer.next('INVITE');
  phone.hangUp(callId, { status: 'completed', errorMessage: null });
  assert.ok(!peer.received.some(({ method }) => method === 'CANCEL'));
  peer.answer(invite, { status: 100, reason: 'Trying', tag: null });
  await peer.next('CANCEL');
  peer.answer(invite, { status: 487, reason: 'Request Terminated' });
  assert.equal((await phone.report('ended')).end.status, 'no_answer');
});

test('a 200 that crosses the CANCEL is acknowledged and followed by BYE, and the call was not answered', async (t) => {
  const peer = await aPeer(t);
  const phone = await startPhone(t);
  phone.dial(aCall(peer.uri));
  const invite = await peer.next('INVITE');
  peer.answer(invite, { status: 180 });
  await phone.report('ringing');
  phone.hangUp(callId, { status: 'completed', errorMessage: null });
  await peer.next('CANCEL');
  peer.answer(invite, accepted);
  await peer.next('ACK');
  const bye = await peer.next('BYE');
  assert.match(headerIn(bye, 'To'), /;tag=peer$/);
  assert.equal((await phone.report('ended')).end.status, 'no_answer');
  assert.ok(!phone.reports.some(({ type }) => type === 'answered'));
});

test('of two forks the first 200 is kept, the other gets ACK and BYE, and a repeated 200 another ACK', async (t) => {
  const peer = await aPeer(t);
  const phone = await startPhone(t);
  phone.dial(aCall(peer.uri));
  const invite = await peer.next('INVITE');
  peer.answer(invite, { ...accepted, tag: 'first' });
  await peer.next('ACK');
  peer.answer(invite, { ...accepted, tag: 'second' });
  const ack = await peer.next('ACK');
  assert.match(headerIn(ack, 'To'), /tag=second$/);
  const bye = await peer.next('BYE');
  assert.match(headerIn(bye, 'To'), /tag=second$/);
  peer.answer(bye, { status: 200 });
  peer.answer(invite, { ...accepted, tag: 'first' });
  assert.match(headerIn(await peer.next('ACK'), 'To'), /tag=first$/);
  assert.ok(phone.has(callId));
});

test('our hang-up of an answered call sends BYE, and the call is over without waiting for its answer', async (t) => {
  const peer = await aPeer(t, answering(accepted));
  const phone = await startPhone(t);
  phone.dial(aCall(peer.uri));
  await phone.report('answered');
  phone.hangUp(callId, { status: 'completed', errorMessage: null });
  const { end } = await phone.report('ended');
  assert.equal(end.status, 'completed');
  assert.equal(end.disconnectReason, 'agent_hangup');
  await peer.next('BYE');
});

test('a call is hung up when its longest duration is over', async (t) => {
  const peer = await aPeer(t, answering(accepted));
  const phone = await startPhone(t);
  phone.dial(aCall(peer.uri, { maxDurationMs: 100 }));
  await peer.next('BYE');
  const { end } = await phone.report('ended');
  assert.equal(end.disconnectReason, 'agent_hangup');
  assert.ok(end.talkedMs! >= 99, String(end.talkedMs));
});

for (const [what, body, message] of [
  ['without our codecs', audioOf(40_000, { payloads: '18' }), /none of the codecs is ours/],
  ['without a description', '', /missing or malformed/],
  ['with port 0', audioOf(0), /no audio line is open/],
] as const) {
  test(`an answer ${what} is hung up and the call fails`, async (t) => {
    const peer = await aPeer(t, answering({ status: 200, reason: 'OK', body }));
    const phone = await startPhone(t);
    phone.dial(aCall(peer.uri));
    await peer.next('ACK');
    await peer.next('BYE');
    const { end } = await phone.report('ended');
    assert.equal(end.status, 'failed');
    assert.match(end.errorMessage!, message);
  });
}

test('a trunk or media address that is not allowed is refused before a packet leaves', async (t) => {
  const peer = await aPeer(t, answering({ ...accepted, body: audioOf(40_000, { address: '10.1.2.3' }) }));
  const strict = await startPhone(t, { isAllowed: () => false });
  strict.dial(aCall(peer.uri));
  assert.match(
    (await strict.report('ended')).end.errorMessage!,
    /address of the trunk 127\.0\.0\.1 .*sip\.allow_networks/,
  );
  assert.deepEqual(peer.received, []);
  const phone = await startPhone(t, { isAllowed: (address) => address === '127.0.0.1' });
  phone.dial(aCall(peer.uri));
  assert.match((await phone.report('ended')).end.errorMessage!, /media address 10\.1\.2\.3 .*sip\.allow_networks/);
});

test('hold, resume, OPTIONS, keys by INFO, and REFER are answered as they should be', async (t) => {
  const peer = await aPeer(t, answering(accepted));
  const phone = await startPhone(t);
  phone.dial(aCall(peer.uri));
  const invite = await peer.next('INVITE');
  await phone.report('answered');
  const statusOf = async (method: string, parts = {}): Promise<PeerMessage> => {
    peer.request(invite, method, parts);
    return peer.next((message) => message.status >= 200 && headerIn(message, 'CSeq').endsWith(method));
  };
  const held = await statusOf('INVITE', { body: audioOf(40_000, { extra: 'a=sendonly\r\n' }) });
  assert.equal(held.status, 200);
  assert.match(held.body, /a=recvonly/);
  const resumed = await statusOf('UPDATE', { body: audioOf(40_002) });
  assert.match(resumed.body, /a=sendrecv/);
  assert.equal((await statusOf('OPTIONS')).status, 200);
  assert.equal(
    (await statusOf('INFO', { headers: [['Content-Type', 'application/dtmf-relay']], body: 'Signal=5\r\n' })).status,
    200,
  );
  assert.equal((await phone.report('key')).digit, '5');
  assert.equal((await statusOf('REFER')).status, 405);
  const refused = await statusOf('INVITE', { body: audioOf(40_000, { payloads: '18' }) });
  assert.equal(refused.status, 488);
  assert.ok(phone.has(callId));
});

test('a stranger gets no answer at all, and a dialog that has ended 481', async (t) => {
  const peer = await aPeer(t, answering({ status: 486, reason: 'Busy Here' }));
  const phone = await startPhone(t);
  phone.dial(aCall(peer.uri));
  const invite = await peer.next('INVITE');
  await phone.report('ended');
  const before = peer.received.length;
  for (const method of ['OPTIONS', 'INVITE', 'REGISTER', 'ACK']) {
    peer.sendRaw(
      `${method} sip:100@127.0.0.1 SIP/2.0\r\nVia: SIP/2.0/UDP 127.0.0.1:${peer.port};branch=z9hG4bK${method}\r\n` +
        `From: <sip:a@b>;tag=1\r\nTo: <sip:100@127.0.0.1>\r\nCall-ID: scan\r\nCSeq: 1 ${method}\r\nContent-Length: 0\r\n\r\n`,
    );
  }
  peer.sendRaw('nonsense\r\n\r\n');
  peer.request(invite, 'BYE');
  assert.equal((await peer.next('481')).status, 481);
  assert.deepEqual(
    peer.received
      .slice(before)
      .map(({ status, method }) => `${status}${method}`)
      .filter((name) => name !== '0ACK'),
    ['481'],
  );
  assert.deepEqual(phone.metrics().dropped, { unknown: 4, malformed: 1 });
});

test('a 200 to the INVITE of a previous process gets ACK and BYE', async (t) => {
  const peer = await aPeer(t, answering({ status: 486, reason: 'Busy Here' }));
  const secret = 'kept in the data directory';
  const phone = await startPhone(t, { secret });
  phone.dial(aCall(peer.uri, { id: '019cadc6-9a80-7001-a45e-000000000000' }));
  const known = await peer.next('INVITE');
  const tokens = createTokens(secret);
  const late: PeerMessage = {
    ...known,
    headers: [
      ['Via', headerIn(known, 'Via').replace(/branch=[^;]+/, `branch=${tokens.branch(callId, 1, 0)}`)],
      ['From', `<sip:+4930901821@${peer.uri}>;tag=${tokens.fromTag(callId)}`],
      ['To', headerIn(known, 'To')],
      ['Call-ID', tokens.callId(callId)],
      ['CSeq', '1 INVITE'],
    ],
  };
  peer.answer(late, accepted);
  const isLate = (message: PeerMessage): boolean => headerIn(message, 'Call-ID').startsWith(callId);
  assert.equal((await peer.next((message) => message.method === 'ACK' && isLate(message))).method, 'ACK');
  assert.equal((await peer.next((message) => message.method === 'BYE' && isLate(message))).method, 'BYE');
});

test('a stopping phone cancels unanswered calls at once and hangs up answered ones after the grace', async (t) => {
  const talking = await aPeer(t, answering(accepted));
  const ringing = await aPeer(t, (peer, request) => {
    if (request.method === 'CANCEL') peer.answer(request, { status: 200 });
    else if (request.method === 'INVITE') peer.answer(request, { status: 180 });
  });
  const phone = await startPhone(t);
  phone.dial(aCall(talking.uri));
  phone.dial(aCall(ringing.uri, { id: '019cadc6-9a80-7001-a45e-000000000001' }));
  const invite = await ringing.next('INVITE');
  await Promise.all([phone.report('answered'), phone.report('ringing')]);
  const stopped = phone.stop(300);
  await ringing.next('CANCEL');
  assert.ok(!talking.received.some(({ method }) => method === 'BYE'));
  ringing.answer(invite, { status: 487, reason: 'Request Terminated' });
  await talking.next('BYE');
  await stopped;
  const ends = phone.reports.flatMap((report) => (report.type === 'ended' ? [report.end] : []));
  assert.deepEqual(
    ends.map(({ status, disconnectReason }) => [status, disconnectReason]),
    [
      ['failed', 'error'],
      ['failed', 'error'],
    ],
  );
});

test('the successor of a killed process sends BYE for answered calls and CANCEL for ringing ones, and forgets ended ones', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-sip-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const journalFile = join(folder, 'journal');
  const copy = join(folder, 'as-the-crash-left-it');
  const talking = await aPeer(t, answering(accepted));
  const busy = await aPeer(t, answering({ status: 486, reason: 'Busy Here' }));
  const ringing = await aPeer(t);
  const first = await startPhone(t, { journalFile });
  const id = (end: number) => `019cadc6-9a80-7001-a45e-00000000000${end}`;
  first.dial(aCall(talking.uri, { id: id(1), credentials }));
  first.dial(aCall(busy.uri, { id: id(2) }));
  first.dial(aCall(ringing.uri, { id: id(3) }));
  ringing.answer(await ringing.next('INVITE'), { status: 180 });
  await Promise.all([first.report('answered'), first.report('ringing'), first.report('ended')]);
  copyFileSync(journalFile, copy);
  assert.doesNotMatch(readFileSync(copy, 'utf8'), /open sesame|uthorization/);
  appendFileSync(copy, '{"call": "cut o');
  const successor = await startPhone(t, { journalFile: copy });
  const bye = await talking.next('BYE');
  assert.match(headerIn(bye, 'To'), /;tag=peer$/);
  const cancel = await ringing.next('CANCEL');
  const invite = ringing.received.find(({ method }) => method === 'INVITE')!;
  assert.equal(/branch=[^;]+/.exec(headerIn(cancel, 'Via'))?.[0], /branch=[^;]+/.exec(headerIn(invite, 'Via'))?.[0]);
  assert.ok(!busy.received.some(({ method }) => method === 'BYE' || method === 'CANCEL'));
  assert.deepEqual(successor.reports, []);
});

const asks = (status: 401 | 407, realm: string, rest = ''): PeerAnswer => ({
  status,
  headers: [
    [
      status === 407 ? 'Proxy-Authenticate' : 'WWW-Authenticate',
      `Digest realm="${realm}", nonce="${realm}1", qop="auth"${rest}`,
    ],
  ],
});
const answersIn = (request: PeerMessage): string[] =>
  request.headers
    .filter(([name]) => /authorization$/i.test(name))
    .map(([name, value]) => `${name} ${/realm="([^"]*)"/.exec(value)?.[1]} ${/nc=(\w+)/.exec(value)?.[1]}`);

test('a proxy asks for credentials and then the trunk behind it, in an INVITE and in a BYE', async (t) => {
  const asked = [asks(407, 'proxy'), asks(401, 'trunk')];
  const next = new Map<string, number>();
  const peer = await aPeer(t, (own, request) => {
    if (request.method === 'ACK') return;
    const index = next.get(request.method) ?? 0;
    next.set(request.method, index + 1);
    own.answer(request, asked[index] ?? accepted);
  });
  const phone = await startPhone(t);
  phone.dial(aCall(peer.uri, { credentials }));
  await phone.report('answered');
  phone.hangUp(callId, { status: 'completed', errorMessage: null });
  await phone.report('ended');
  const third = (method: string) =>
    peer.next((message) => message.method === method && answersIn(message).length === 2);
  const expected = ['Proxy-Authorization proxy 00000002', 'Authorization trunk 00000001'];
  assert.deepEqual(answersIn(await third('INVITE')), expected);
  assert.deepEqual(answersIn(await third('BYE')), expected);
});

test('a realm that refuses its credentials, and a fourth challenge, end the attempts', async (t) => {
  const refusals: Array<[PeerAnswer[], number]> = [
    [[asks(407, 'proxy'), asks(401, 'trunk'), asks(401, 'trunk')], 3],
    [[asks(407, 'a'), asks(407, 'b'), asks(407, 'c'), asks(407, 'd')], 4],
  ];
  for (const [answers, invites] of refusals) {
    const peer = await aPeer(t, answering(...answers));
    const phone = await startPhone(t);
    phone.dial(aCall(peer.uri, { credentials }));
    await phone.report('out-of-reach');
    assert.equal(peer.received.filter(({ method }) => method === 'INVITE').length, invites);
  }
});

test('a 200 without a session description has that of the last provisional response of the same phone', async (t) => {
  const peer = await aPeer(t);
  const phone = await startPhone(t);
  phone.dial(aCall(peer.uri));
  const invite = await peer.next('INVITE');
  const progress = { status: 183, reason: 'Session Progress' };
  peer.answer(invite, { ...progress, tag: 'one', body: audioOf(40_000, { payloads: '0 101' }) });
  peer.answer(invite, { ...progress, tag: 'one', body: audioOf(40_002, { payloads: '8 101' }) });
  peer.answer(invite, { ...progress, tag: 'other', body: audioOf(40_004, { payloads: '0 101' }) });
  peer.answer(invite, { status: 200, reason: 'OK', tag: 'one' });
  const { sip } = await phone.report('answered');
  assert.equal(sip.codec, 'PCMA');
});

test('a 200 without a session description and without one before is no call', async (t) => {
  const peer = await aPeer(t, answering({ status: 200, reason: 'OK' }));
  const phone = await startPhone(t);
  phone.dial(aCall(peer.uri));
  const { end } = await phone.report('ended');
  assert.deepEqual([end.status, end.disconnectReason], ['failed', 'error']);
});

test('a request with a tag of another phone is refused, and ends nothing', async (t) => {
  const peer = await aPeer(t, answering(accepted));
  const phone = await startPhone(t);
  phone.dial(aCall(peer.uri));
  await phone.report('answered');
  const invite = await peer.next('INVITE');
  peer.request(invite, 'BYE', { tag: 'lost' });
  assert.equal((await peer.next((message) => headerIn(message, 'CSeq').endsWith('BYE'))).status, 481);
  peer.request(invite, 'BYE');
  assert.equal((await peer.next((message) => headerIn(message, 'CSeq').endsWith('BYE'))).status, 200);
  assert.equal((await phone.report('ended')).end.disconnectReason, 'customer_hangup');
});

test('a re-INVITE that is refused moves nothing', async (t) => {
  const peer = await aPeer(t, answering(accepted));
  const phone = await startPhone(t);
  phone.dial(aCall(peer.uri));
  await phone.report('answered');
  const invite = await peer.next('INVITE');
  const elsewhere = await aPeer(t);
  const moved = ['Contact', `<sip:moved@${elsewhere.uri}>`] as const;
  peer.request(invite, 'INVITE', { headers: [moved], body: audioOf(40_006, { payloads: '18' }) });
  assert.equal((await peer.next((message) => message.status === 488)).status, 488);
  phone.hangUp(callId, { status: 'completed', errorMessage: null });
  const bye = await peer.next('BYE');
  assert.equal(bye.uri, `sip:peer@${peer.uri}`);
});

/** Names that the phone may look up. */
const resolverOf = (names: Readonly<Record<string, string[]>>) => ({
  srv: () => Promise.resolve([]),
  addresses: (name: string) => (names[name] ? Promise.resolve(names[name]) : Promise.reject(new Error('no such name'))),
});

test('sound goes to the host that a session description names, in an answer and in a re-INVITE', async (t) => {
  const peer = await aPeer(t, answering({ ...accepted, body: audioOf(40_000, { address: 'media.trunk.test' }) }));
  const resolver = resolverOf({ 'media.trunk.test': ['::1', '127.0.0.1'], 'other.trunk.test': ['127.0.0.2'] });
  const phone = await startPhone(t, { resolver });
  phone.dial(aCall(peer.uri));
  await phone.report('answered');
  const invite = await peer.next('INVITE');
  peer.request(invite, 'INVITE', { body: audioOf(40_002, { address: 'other.trunk.test', extra: 'a=sendonly\r\n' }) });
  const moved = await peer.next((message) => headerIn(message, 'CSeq').endsWith('INVITE') && message.status >= 200);
  assert.equal(moved.status, 200);
  assert.match(moved.body, /a=recvonly/);
  peer.request(invite, 'BYE');
  assert.equal((await phone.report('ended')).end.status, 'completed');
});

test('a host in a session description that is not found, or may not be reached, ends the call with a sentence', async (t) => {
  const faults = [
    ['nowhere.test', /its host nowhere\.test was not found/],
    ['inside.test', /media address 10\.1\.2\.3 .*sip\.allow_networks/],
  ] as const;
  for (const [address, fault] of faults) {
    const peer = await aPeer(t, answering({ ...accepted, body: audioOf(40_000, { address }) }));
    const resolver = resolverOf({ 'inside.test': ['10.1.2.3'] });
    const phone = await startPhone(t, { resolver, isAllowed: (one) => one.startsWith('127.') });
    phone.dial(aCall(peer.uri));
    const { end } = await phone.report('ended');
    assert.equal(end.status, 'failed');
    assert.match(end.errorMessage!, fault);
  }
});

test('an offer that comes while the host of another is looked up is refused, and a call that ends meanwhile has ended', async (t) => {
  const asked = Promise.withResolvers<void>();
  const found = Promise.withResolvers<string[]>();
  const addresses = (): Promise<string[]> => {
    asked.resolve();
    return found.promise;
  };
  const peer = await aPeer(t, answering(accepted));
  const phone = await startPhone(t, { resolver: { srv: () => Promise.resolve([]), addresses } });
  phone.dial(aCall(peer.uri));
  await phone.report('answered');
  const invite = await peer.next('INVITE');
  const answerTo = (method: string) =>
    peer.next((message) => message.status >= 200 && headerIn(message, 'CSeq').endsWith(method));
  peer.request(invite, 'INVITE', { body: audioOf(40_000, { address: 'slow.trunk.test' }) });
  await asked.promise;
  peer.request(invite, 'UPDATE', { body: audioOf(40_002) });
  assert.equal((await answerTo('UPDATE')).status, 491);
  peer.request(invite, 'BYE');
  await phone.report('ended');
  found.resolve(['127.0.0.1']);
  assert.equal((await answerTo('INVITE')).status, 481);
});

test('the user in From may be the account, and the number stands in P-Asserted-Identity and P-Preferred-Identity', async (t) => {
  const peer = await aPeer(t, answering({ status: 486 }));
  const phone = await startPhone(t);
  phone.dial(aCall(peer.uri, { fromUser: '23 45@home;ö' }));
  const invite = await peer.next('INVITE');
  const number = `<sip:+4930901821@${peer.uri}>`;
  assert.match(headerIn(invite, 'From'), new RegExp(`^<sip:23%2045%40home;%C3%B6@${peer.uri}>;tag=`));
  assert.equal(headerIn(invite, 'P-Asserted-Identity'), number);
  assert.equal(headerIn(invite, 'P-Preferred-Identity'), number);
  await phone.report('ended');
});
