import assert from 'node:assert/strict';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { connect } from 'node:net';
import { type TestContext, test } from 'node:test';
import { nextMacrotask } from '../../../src/base/clock.ts';
import type { IncomingDecision, IncomingInvite } from '../../../src/telephony/dialog/incoming-invite.ts';
import { callId, startPhone, type TestPhone } from '../../support/sip/caller.ts';
import { type DialingTrunk, startDialingTrunk } from '../../support/sip/dialing-trunk.ts';
import { audioOf, headerIn, type PeerMessage } from '../../support/sip/peer.ts';

const accepted: IncomingDecision = {
  accepted: true,
  callId,
  user: '+4930901821',
  credentials: null,
  maxDurationMs: 3_600_000,
};

/** A phone that takes calls from everywhere, with what it asks of the main thread. */
async function aPhone(t: TestContext, decide: (invite: IncomingInvite) => Promise<IncomingDecision>) {
  const asked: IncomingInvite[] = [];
  const phone = await startPhone(t, {
    isInbound: () => true,
    decide(invite) {
      asked.push(invite);
      return decide(invite);
    },
  });
  const trunk = await startDialingTrunk();
  t.after(() => trunk.close());
  return { phone, trunk, asked };
}

const answerTo = (trunk: DialingTrunk, method: string, number = 1): Promise<PeerMessage> =>
  trunk.next((message) => message.status >= 200 && headerIn(message, 'CSeq') === `${number} ${method}`);

test('a caller who gives up while parley decides is told so, and the call has not been answered', async (t) => {
  const decision = Promise.withResolvers<IncomingDecision>();
  const { phone, trunk } = await aPhone(t, () => decision.promise);
  const sent = trunk.invite(phone.port, { to: '+4930901821' });
  await trunk.next('100');
  sent.cancel();
  assert.equal((await answerTo(trunk, 'CANCEL')).status, 200);
  const refusal = await answerTo(trunk, 'INVITE');
  assert.equal(refusal.status, 487);
  sent.ack(refusal);
  decision.resolve(accepted);
  const { end } = await phone.report('ended');
  assert.deepEqual([end.status, end.disconnectReason], ['no_answer', null]);
});

test('an answered call takes its session timer from the caller, is held, hears keys and is hung up', async (t) => {
  const { phone, trunk } = await aPhone(t, () => Promise.resolve(accepted));
  const sent = trunk.invite(phone.port, {
    to: '+4930901821',
    headers: [
      ['Supported', 'timer'],
      ['Require', 'timer'],
      ['Session-Expires', '120;refresher=uac'],
    ],
  });
  const answer = await answerTo(trunk, 'INVITE');
  assert.equal(answer.status, 200);
  assert.equal(headerIn(answer, 'Session-Expires'), '120;refresher=uac');
  sent.ack(answer);
  sent.request(answer, 'INVITE', { body: audioOf(46_000, { extra: 'a=sendonly\r\n' }) });
  const held = await answerTo(trunk, 'INVITE', 2);
  assert.match(held.body, /a=recvonly/);
  sent.request(answer, 'INFO', { headers: [['Content-Type', 'application/dtmf-relay']], body: 'Signal=7\r\n' });
  assert.equal((await answerTo(trunk, 'INFO', 3)).status, 200);
  assert.equal((await phone.report('key')).digit, '7');
  phone.hangUp(callId, { status: 'completed', errorMessage: null });
  const bye = await trunk.next('BYE');
  assert.equal(headerIn(bye, 'To'), headerIn(answer, 'From'));
  assert.equal(headerIn(bye, 'From'), headerIn(answer, 'To'));
  trunk.answer(bye, 200);
  const { end } = await phone.report('ended');
  assert.deepEqual([end.status, end.disconnectReason], ['completed', 'agent_hangup']);
});

test('a request with another tag of the caller is refused, and ends nothing', async (t) => {
  const { phone, trunk } = await aPhone(t, () => Promise.resolve(accepted));
  const sent = trunk.invite(phone.port, { to: '+4930901821' });
  const answer = await answerTo(trunk, 'INVITE');
  sent.ack(answer);
  await phone.report('answered');
  const bye = [
    `BYE ${/<([^>]+)>/.exec(headerIn(answer, 'Contact'))![1]} SIP/2.0`,
    `Via: SIP/2.0/UDP ${trunk.uri};branch=z9hG4bKforeign;rport`,
    `From: ${headerIn(answer, 'From').replace(/tag=.*/, 'tag=foreign')}`,
    `To: ${headerIn(answer, 'To')}`,
    `Call-ID: ${sent.callId}`,
    'CSeq: 7 BYE',
    'Content-Length: 0',
    '\r\n',
  ].join('\r\n');
  trunk.sendRaw(phone.port, bye);
  assert.equal((await answerTo(trunk, 'BYE', 7)).status, 481);
  sent.request(answer, 'BYE');
  assert.equal((await answerTo(trunk, 'BYE', 2)).status, 200);
  assert.equal((await phone.report('ended')).end.disconnectReason, 'customer_hangup');
});

test('a call that comes over TCP is answered on its connection', async (t) => {
  const { phone } = await aPhone(t, () => Promise.resolve(accepted));
  const socket = connect(phone.port, '127.0.0.1');
  t.after(() => socket.destroy());
  await once(socket, 'connect');
  const own = `127.0.0.1:${socket.localPort}`;
  const [body, answer] = [audioOf(46_000), Promise.withResolvers<string>()];
  let text = '';
  socket.on('data', (bytes) => {
    text += bytes.toString();
    if (/SIP\/2\.0 200 OK[\s\S]*m=audio/.test(text)) answer.resolve(text);
  });
  const headers = [
    `Via: SIP/2.0/TCP ${own};branch=z9hG4bKtcp`,
    'Max-Forwards: 70',
    'From: <sip:+4930901820@127.0.0.1>;tag=tcp',
    'To: <sip:+4930901821@127.0.0.1>',
    'Call-ID: over-tcp',
    'CSeq: 1 INVITE',
    `Contact: <sip:trunk@${own};transport=tcp>`,
    'Content-Type: application/sdp',
    `Content-Length: ${body.length}`,
  ];
  socket.write(`INVITE sip:+4930901821@127.0.0.1 SIP/2.0\r\n${headers.join('\r\n')}\r\n\r\n${body}`);
  const answered = await answer.promise;
  assert.match(answered, /^SIP\/2\.0 100 Trying\r\n/);
  assert.match(answered, /\r\nContact: <sip:\+4930901821@127\.0\.0\.1:\d+;transport=tcp>\r\n/);
  assert.equal((await phone.report('answered')).sip.call_id, 'over-tcp');
});

test('a call that came over TCP is hung up on its connection where its Contact takes no connections', async (t) => {
  const { phone } = await aPhone(t, () => Promise.resolve(accepted));
  const socket = connect(phone.port, '127.0.0.1');
  t.after(() => socket.destroy());
  await once(socket, 'connect');
  const body = audioOf(46_000);
  const [answer, bye] = [Promise.withResolvers<void>(), Promise.withResolvers<string>()];
  let text = '';
  socket.on('data', (bytes) => {
    text += bytes.toString();
    if (/SIP\/2\.0 200 OK[\s\S]*m=audio/.test(text)) answer.resolve();
    const request = /^BYE [^]*?\r\n\r\n/m.exec(text)?.[0];
    if (request !== undefined) bye.resolve(request);
  });
  const headers = [
    `Via: SIP/2.0/TCP 127.0.0.1:${socket.localPort};branch=z9hG4bKdeaf`,
    'From: <sip:+4930901820@127.0.0.1>;tag=deaf',
    'To: <sip:+4930901821@127.0.0.1>',
    'Call-ID: no-listener',
    'CSeq: 1 INVITE',
    'Contact: <sip:trunk@127.0.0.1:1;transport=tcp>',
    'Content-Type: application/sdp',
    `Content-Length: ${body.length}`,
  ];
  socket.write(`INVITE sip:+4930901821@127.0.0.1 SIP/2.0\r\n${headers.join('\r\n')}\r\n\r\n${body}`);
  await answer.promise;
  await phone.report('answered');
  await new Promise((resolve) => void setImmediate(resolve)); // by then it has found where its Contact leads
  phone.hangUp(callId, { status: 'completed', errorMessage: null });
  assert.match(await bye.promise, /^BYE sip:trunk@127\.0\.0\.1:1;transport=tcp SIP\/2\.0\r\n/);
});

test('an extension that parley does not know, a body that is no sound and a Call-ID of kilobytes are refused undecided', async (t) => {
  const { phone, trunk, asked } = await aPhone(t, () => Promise.resolve(accepted));
  const refused = async (parts: Parameters<DialingTrunk['invite']>[1]): Promise<PeerMessage> => {
    const sent = trunk.invite(phone.port, parts);
    const answer = await trunk.next((message) => message.status >= 200 && headerIn(message, 'Call-ID') === sent.callId);
    sent.ack(answer);
    return answer;
  };
  const extension = await refused({ to: '1', headers: [['Require', '100rel']] });
  assert.deepEqual([extension.status, headerIn(extension, 'Unsupported')], [420, '100rel']);
  assert.equal((await refused({ to: '1', contentType: 'multipart/mixed;boundary=x' })).status, 415);
  assert.deepEqual(asked, []);
});

test('the called number and the callers are read as trunks write them', async (t) => {
  const refuse: IncomingDecision = { accepted: false, status: 404, phrase: 'Not Found' };
  const { phone, trunk, asked } = await aPhone(t, () => Promise.resolve(refuse));
  const ask = async (parts: Parameters<DialingTrunk['invite']>[1]): Promise<IncomingInvite> => {
    const sent = trunk.invite(phone.port, parts);
    sent.ack(await trunk.next((message) => message.status === 404 && headerIn(message, 'Call-ID') === sent.callId));
    return asked.at(-1)!;
  };
  const plain = await ask({
    to: '%2B49-30.901821;user=phone',
    from: '<tel:+4930901820>',
    headers: [['P-Asserted-Identity', '"Desk" <sip:+4930901999@a.test>']],
  });
  assert.deepEqual(
    [plain.called[0], plain.callers, plain.source],
    ['+4930901821', ['+4930901820', '+4930901999'], '127.0.0.1'],
  );
  const withheld = await ask({ to: '4930901821', from: '<sip:anonymous@anonymous.invalid>' });
  assert.deepEqual([withheld.called, withheld.callers], [['4930901821'], []]);
  const redirected = await ask({ to: 'main', headers: [['P-Called-Party-ID', '<sip:030-901821@a.test>;cause=302']] });
  assert.deepEqual(redirected.called, ['main', '030901821']);
  const asserted = [['P-Asserted-Identity', '<sip:+4930901999@a.test>'] as const];
  const hidden = await ask({ to: '1', from: '<sip:1@a.test>', headers: [...asserted, ['Privacy', 'id;critical']] });
  assert.deepEqual(hidden.callers, []);
});

for (const [what, parameter] of [
  ['at the port of Via', ''],
  ['at the port that it came from where Via has rport', ';rport'],
] as const) {
  test(`a request over UDP is answered ${what}`, async (t) => {
    const { phone } = await aPhone(t, () => Promise.resolve({ accepted: false, status: 404, phrase: 'Not Found' }));
    const bound = async (): Promise<Socket> => {
      const socket = createSocket('udp4');
      t.after(() => socket.close());
      socket.bind(0, '127.0.0.1');
      await once(socket, 'listening');
      return socket;
    };
    const [sending, named] = [await bound(), await bound()];
    const [expected, other] = parameter === '' ? [named, sending] : [sending, named];
    other.on('message', () => assert.fail('the answer went to the other port'));
    const answer = once(expected, 'message');
    const via = `SIP/2.0/UDP 127.0.0.1:${named.address().port};branch=z9hG4bKwhere;received=192.0.2.9${parameter}`;
    const invite = [
      'INVITE sip:+4930901821@127.0.0.1 SIP/2.0',
      `Via: ${via}`,
      'From: <sip:+4930901820@127.0.0.1>;tag=where',
      'To: <sip:+4930901821@127.0.0.1>',
      'Call-ID: where',
      'CSeq: 1 INVITE',
      'Content-Length: 0',
    ];
    sending.send(`${invite.join('\r\n')}\r\n\r\n`, phone.port, '127.0.0.1');
    const [bytes] = (await answer) as [Buffer];
    const lines = bytes.toString().split('\r\n');
    assert.equal(lines[0], 'SIP/2.0 100 Trying');
    const rport = parameter === '' ? '' : `;rport=${sending.address().port}`;
    assert.equal(
      lines.find((line) => line.startsWith('Via: ')),
      `Via: SIP/2.0/UDP 127.0.0.1:${named.address().port};branch=z9hG4bKwhere${rport};received=127.0.0.1`,
    );
  });
}

test('a session that is too short is refused with the shortest that parley accepts', async (t) => {
  const { phone, trunk, asked } = await aPhone(t, () => Promise.resolve(accepted));
  const headers = [
    ['Supported', 'timer'],
    ['Session-Expires', '60'],
  ] as const;
  const sent = trunk.invite(phone.port, { to: '+4930901821', headers });
  const refusal = await answerTo(trunk, 'INVITE');
  sent.ack(refusal);
  assert.deepEqual([refusal.status, headerIn(refusal, 'Min-SE'), asked], [422, '90', []]);
});

test('a caller that asks for no session timer is told that parley renews the session', async (t) => {
  const { phone, trunk } = await aPhone(t, () => Promise.resolve(accepted));
  const sent = trunk.invite(phone.port, { to: '+4930901821' });
  const answer = await answerTo(trunk, 'INVITE');
  sent.ack(answer);
  assert.equal(headerIn(answer, 'Session-Expires'), '1800;refresher=uas');
  assert.equal(headerIn(answer, 'Require'), '', 'it may not know session timers');
  sent.request(answer, 'UPDATE', {
    headers: [
      ['Supported', 'timer'],
      ['Session-Expires', '30'],
    ],
  });
  const refusal = await answerTo(trunk, 'UPDATE', 2);
  assert.deepEqual([refusal.status, headerIn(refusal, 'Min-SE')], [422, '90']);
});

/** OPTIONS outside a dialog, with a request line that names nobody. */
const optionsText = (trunk: DialingTrunk, target: string, branch: string): string =>
  [
    `OPTIONS ${target} SIP/2.0`,
    `Via: SIP/2.0/UDP ${trunk.uri};branch=z9hG4bK${branch};rport`,
    'Max-Forwards: 70',
    `From: <sip:pbx@${trunk.uri}>;tag=pbx`,
    `To: <${target}>`,
    `Call-ID: options-${branch}`,
    'CSeq: 1 OPTIONS',
    'Content-Length: 0',
    '',
    '',
  ].join('\r\n');

test('OPTIONS from a known source are answered whatever their request line, and ask nothing of the main thread', async (t) => {
  const { phone, trunk, asked } = await aPhone(t, () => Promise.resolve(accepted));
  for (const [index, target] of ['sip:127.0.0.1', 'sip:ping@example.com', 'sip:+4930901821@127.0.0.1'].entries()) {
    trunk.sendRaw(phone.port, optionsText(trunk, target, String(index)));
    const answer = await answerTo(trunk, 'OPTIONS');
    assert.equal(answer.status, 200);
    assert.match(headerIn(answer, 'Allow'), /INVITE.*OPTIONS/);
    assert.equal(headerIn(answer, 'Accept'), 'application/sdp');
    assert.match(headerIn(answer, 'To'), /;tag=\w+$/);
  }
  assert.deepEqual(asked, []);
});

test('OPTIONS from an unknown source, and beyond the pace of a known one, get no answer', async (t) => {
  const unknown = await startPhone(t, { isInbound: () => false });
  const trunk = await startDialingTrunk();
  t.after(() => trunk.close());
  trunk.sendRaw(unknown.port, optionsText(trunk, 'sip:127.0.0.1', 'unknown'));
  const { phone } = await aPhone(t, () => Promise.resolve(accepted));
  for (let index = 0; index < 400; index++) trunk.sendRaw(phone.port, optionsText(trunk, 'sip:127.0.0.1', `${index}-`));
  const dropped = (one: TestPhone, reason: string): number => one.metrics().dropped[reason] ?? 0;
  while (dropped(phone, 'too-many') === 0 || dropped(unknown, 'unknown') === 0) await nextMacrotask();
  assert.ok(trunk.received.every((message) => !headerIn(message, 'Call-ID').includes('unknown')));
});

test('an offer may name a host instead of an address', async (t) => {
  const addresses = (name: string) =>
    name === 'media.trunk.test' ? Promise.resolve(['127.0.0.1']) : Promise.reject(new Error('none'));
  const asked: IncomingInvite[] = [];
  const phone = await startPhone(t, {
    isInbound: () => true,
    resolver: { srv: () => Promise.resolve([]), addresses },
    decide(invite) {
      asked.push(invite);
      return Promise.resolve(
        invite.fault === null ? accepted : { accepted: false, status: 488, phrase: 'Not Acceptable Here' },
      );
    },
  });
  const trunk = await startDialingTrunk();
  t.after(() => trunk.close());
  for (const [address, status, fault] of [
    ['media.trunk.test', 200, null],
    ['nowhere.test', 488, 'its host nowhere.test was not found'],
  ] as const) {
    const sent = trunk.invite(phone.port, { to: '+4930901821', body: audioOf(46_000, { address }) });
    const answer = await trunk.next((message) => message.status >= 200 && headerIn(message, 'Call-ID') === sent.callId);
    sent.ack(answer);
    assert.deepEqual([answer.status, asked.at(-1)!.fault], [status, fault]);
  }
});
