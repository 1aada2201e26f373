import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { aCall, callId, startPhone } from '../../support/sip/caller.ts';
import { audioOf, headerIn, type Peer, type PeerAnswer, type PeerMessage, startPeer } from '../../support/sip/peer.ts';

const target = 'sip:+4930901999@trunk.example';
const callee = { uri: target, phone: '+4930901999' };

/** An answered call whose other side answers REFER like this. */
async function answeredCall(t: TestContext, referAnswer: PeerAnswer) {
  const peer = await startPeer((trunk, request) => {
    if (request.method === 'INVITE') trunk.answer(request, { status: 200, body: audioOf(46_000) });
    else if (request.method === 'REFER') trunk.answer(request, referAnswer);
    else if (request.method !== 'ACK') trunk.answer(request, { status: 200 });
  });
  t.after(() => peer.close());
  const phone = await startPhone(t);
  phone.dial(aCall(peer.uri));
  const invite = await peer.next('INVITE');
  await phone.report('answered');
  await peer.next('ACK');
  const transfer = phone.transfer(callId, callee);
  const refer = await peer.next('REFER');
  return { peer, phone, invite, transfer, refer };
}

const notify = (peer: Peer, invite: PeerMessage, line: string, state = 'active'): void =>
  peer.request(invite, 'NOTIFY', {
    headers: [
      ['Event', 'refer'],
      ['Subscription-State', state],
    ],
    body: `${line}\r\n`,
  });

test('a transfer is over when the other side says that the new callee has answered, and the call is hung up', async (t) => {
  const { peer, phone, invite, transfer, refer } = await answeredCall(t, { status: 202, reason: 'Accepted' });
  assert.equal(headerIn(refer, 'Refer-To'), `<${target}>`);
  notify(peer, invite, 'SIP/2.0 100 Trying');
  await peer.next((message) => message.status === 200 && headerIn(message, 'CSeq').endsWith('NOTIFY'));
  assert.equal(await phone.transfer(callId, callee), 'A transfer of this call is already under way.');
  notify(peer, invite, 'SIP/2.0 200 OK', 'terminated;reason=noresource');
  assert.equal(await transfer, null);
  assert.equal((await phone.report('transferred')).phone, '+4930901999');
  await peer.next('BYE');
  const { end } = await phone.report('ended');
  assert.deepEqual([end.status, end.disconnectReason], ['completed', 'agent_hangup']);
});

test('a new callee who does not answer is told in the words of the other side, and the call goes on', async (t) => {
  const { peer, phone, invite, transfer } = await answeredCall(t, { status: 202 });
  notify(peer, invite, 'SIP/2.0 180 Ringing');
  notify(peer, invite, 'SIP/2.0 486 Busy Here', 'terminated;reason=noresource');
  assert.equal(await transfer, 'SIP 486 Busy Here');
  assert.ok(!peer.received.some(({ method }) => method === 'BYE'));
  const again = phone.transfer(callId, callee);
  await peer.next('REFER');
  notify(peer, invite, '', 'terminated;reason=timeout');
  assert.equal(await again, 'The other side gave the transfer up without saying why.');
  peer.request(invite, 'BYE');
  assert.equal((await phone.report('ended')).end.disconnectReason, 'customer_hangup');
});

test('a trunk that refuses REFER, tells nothing more, or hangs up after it has accepted has decided, too', async (t) => {
  const refused = await answeredCall(t, { status: 603, reason: 'Decline' });
  assert.equal(await refused.transfer, 'SIP 603 Decline');
  const silent = await answeredCall(t, { status: 202, headers: [['Refer-Sub', 'false']] });
  assert.equal(await silent.transfer, null);
  const gone = await answeredCall(t, { status: 202 });
  notify(gone.peer, gone.invite, 'SIP/2.0 100 Trying');
  await gone.peer.next((message) => message.status === 200 && headerIn(message, 'CSeq').endsWith('NOTIFY'));
  gone.peer.request(gone.invite, 'BYE');
  assert.equal(await gone.transfer, null);
});
