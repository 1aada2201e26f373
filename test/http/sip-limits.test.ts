// Waits: time-outs of SIP pass in real time.
// Long: each setting has a server and a telephony thread of its own.
import assert from 'node:assert/strict';
import { suite, type TestContext, test } from 'node:test';
import { anAgent, aPhone } from '../support/fixtures.ts';
import { startFakeRealtime } from '../support/realtime/server.ts';
import { dataOf } from '../support/server.ts';
import { audioOf, headerIn, type Peer, type PeerMessage, startPeer } from '../support/sip/peer.ts';
import { isInProgress, startTelephony, type Telephony } from '../support/sip/server.ts';

/** Settings and limits of calls, as a trunk sees them on the wire. */

type OnRequest = (peer: Peer, request: PeerMessage) => void;

const ok = { status: 200, reason: 'OK' };

/** Answers every call, and all else with 200. */
const answers: OnRequest = (peer, request) => {
  if (request.method === 'INVITE') peer.answer(request, { ...ok, body: audioOf(40_000) });
  else if (request.method !== 'ACK') peer.answer(request, ok);
};

async function aTrunk(t: TestContext, onRequest: OnRequest = answers): Promise<Peer> {
  const peer = await startPeer(onRequest);
  t.after(() => peer.close());
  return peer;
}

/** Calls with an agent of its own. */
async function callWith({ server, number }: Telephony, peer: Peer, agent: object): Promise<string> {
  const { id } = await anAgent(server, agent);
  const own = await number(peer.uri);
  const body = { agent_id: id, phone_number_id: own.id, to: aPhone() };
  return dataOf(await server.post<{ call_id: string }>('/calls', body)).call_id;
}

suite('on the wire', { concurrency: true }, () => {
  test('an INVITE names the advertised host, and offers the codecs, encryption and timer of the settings', async (t) => {
    const telephony = await startTelephony(t, {
      'sip.advertised_host': '192.0.2.7',
      'sip.codecs': '["PCMA"]',
      'sip.srtp': 'required',
      'sip.session_expires_sec': '0',
    });
    const peer = await aTrunk(t, (own, request) => {
      if (request.method === 'INVITE') own.answer(request, { status: 486, reason: 'Busy Here' });
    });
    const id = await telephony.call(peer.uri, { dial_format: 'digits' });
    const invite = await peer.next('INVITE');
    assert.match(headerIn(invite, 'Via'), /^SIP\/2\.0\/UDP 192\.0\.2\.7:\d+/);
    assert.match(headerIn(invite, 'Contact'), /@192\.0\.2\.7:\d+>/);
    assert.equal(headerIn(invite, 'Session-Expires'), '');
    assert.match(invite.body, /^c=IN IP4 192\.0\.2\.7\r$/m);
    assert.match(invite.body, /^m=audio \d+ RTP\/SAVP 8 101\r$/m);
    assert.match(invite.body, /^a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:/m);
    assert.match(invite.uri, new RegExp(`^sip:\\d+@${peer.uri.replaceAll('.', '\\.')}$`));
    assert.match(headerIn(invite, 'From'), /^<sip:\d+@/);
    assert.match(headerIn(invite, 'P-Asserted-Identity'), /^<sip:\d+@/);
    assert.equal((await telephony.ended(id)).status, 'busy');
  });

  test('a session timer is offered as long as the setting says', async (t) => {
    const telephony = await startTelephony(t, { 'sip.session_expires_sec': '900' });
    const peer = await aTrunk(t);
    await telephony.call(peer.uri);
    assert.equal(headerIn(await peer.next('INVITE'), 'Session-Expires'), '900');
  });

  test('a call that hears nothing for sip.rtp_timeout_ms is hung up and has failed', async (t) => {
    const telephony = await startTelephony(t, { 'sip.rtp_timeout_ms': '600' });
    const peer = await aTrunk(t);
    const id = await telephony.call(peer.uri);
    await peer.next('BYE');
    const call = await telephony.ended(id);
    assert.deepEqual([call.status, call.disconnect_reason], ['failed', 'error']);
    assert.match(call.error_message!, /sip\.rtp_timeout_ms/);
  });

  test('a call that is not answered within sip.ring_timeout_ms is cancelled, and nobody answered', async (t) => {
    const telephony = await startTelephony(t, { 'sip.ring_timeout_ms': '5000' });
    const peer = await aTrunk(t, (own, request) => {
      if (request.method === 'INVITE') own.answer(request, { status: 180, reason: 'Ringing' });
      else if (request.method === 'CANCEL') own.answer(request, ok);
    });
    const id = await telephony.call(peer.uri);
    const invite = await peer.next('INVITE');
    await peer.next('CANCEL');
    peer.answer(invite, { status: 487, reason: 'Request Terminated' });
    const call = await telephony.ended(id);
    assert.deepEqual([call.status, call.disconnect_reason], ['no_answer', null]);
  });

  test('maxCallDurationMs after the answer comes the BYE', async (t) => {
    const telephony = await startTelephony(t);
    const peer = await aTrunk(t);
    const id = await callWith(telephony, peer, { maxCallDurationMs: 10_000 });
    await peer.next('ACK');
    const answeredMs = performance.now();
    await peer.next('BYE');
    const talkedMs = performance.now() - answeredMs;
    assert.ok(talkedMs > 9000 && talkedMs < 11_000, `${talkedMs} ms`);
    const call = await telephony.ended(id);
    assert.deepEqual([call.status, call.disconnect_reason, call.duration_sec], ['completed', 'agent_hangup', 10]);
  });

  test('without a free port for sound a call fails, and names the settings', async (t) => {
    const telephony = await startTelephony(t, { 'sip.rtp_port_min': '39998', 'sip.rtp_port_max': '39999' });
    const peer = await aTrunk(t);
    await telephony.when(await telephony.call(peer.uri), isInProgress);
    const failed = await telephony.ended(await telephony.call(peer.uri));
    assert.deepEqual([failed.status, failed.disconnect_reason], ['failed', 'error']);
    assert.match(failed.error_message!, /sip\.rtp_port_min/);
  });

  test('a single call beyond sip.max_calls is a 409', async (t) => {
    const telephony = await startTelephony(t, { 'sip.max_calls': '1' });
    const peer = await aTrunk(t);
    await telephony.when(await telephony.call(peer.uri), isInProgress);
    const own = await telephony.number(peer.uri);
    const body = { agent_id: telephony.agentId, phone_number_id: own.id, to: aPhone() };
    const refused = await telephony.server.post('/calls', body);
    assert.deepEqual([refused.status, refused.text.includes('sip.max_calls')], [409, true]);
  });

  test('a 2xx without a description has that of the last provisional with its tag', async (t) => {
    const telephony = await startTelephony(t);
    const peer = await aTrunk(t, (own, request) => {
      if (request.method === 'INVITE') {
        own.answer(request, { status: 183, reason: 'Session Progress', body: audioOf(40_000), tag: 'one' });
        own.answer(request, {
          status: 183,
          reason: 'Session Progress',
          body: audioOf(40_002, { payloads: '8' }),
          tag: 'two',
        });
        own.answer(request, { ...ok, tag: 'two' });
      } else if (request.method !== 'ACK') own.answer(request, ok);
    });
    const id = await telephony.call(peer.uri);
    const call = await telephony.when(id, isInProgress);
    assert.equal(call.sip.codec, 'PCMA');
  });
});

suite('emergencyFallback', { concurrency: true }, () => {
  const phone = '+491701234567';

  /** A call whose speech service takes no session at all. */
  async function lost(t: TestContext, onRequest: OnRequest, settings: Readonly<Record<string, string>> = {}) {
    const fake = await startFakeRealtime();
    t.after(() => fake.close());
    fake.door = 'refuses';
    const telephony = await startTelephony(t, {
      'speech.engine': 'realtime',
      'speech.realtime.url': fake.url,
      ...settings,
    });
    const peer = await aTrunk(t, onRequest);
    const id = await callWith(telephony, peer, { emergencyFallback: phone, voicemailDetection: false });
    return { telephony, peer, id };
  }

  test('speech that is lost hands the call on, which is completed', async (t) => {
    const { telephony, peer, id } = await lost(t, (own, request) => {
      if (request.method === 'REFER') own.answer(request, { status: 202, reason: 'Accepted' });
      else answers(own, request);
    });
    const invite = await peer.next('INVITE');
    const refer = await peer.next('REFER');
    assert.equal(headerIn(refer, 'Refer-To'), `<sip:${phone}@${peer.uri}>`);
    peer.request(invite, 'NOTIFY', {
      headers: [
        ['Event', 'refer'],
        ['Subscription-State', 'terminated;reason=noresource'],
        ['Content-Type', 'message/sipfrag'],
      ],
      body: 'SIP/2.0 200 OK\r\n',
    });
    await peer.next('BYE');
    const call = await telephony.ended(id);
    assert.deepEqual([call.status, call.disconnect_reason], ['completed', 'agent_hangup']);
    const types = (await telephony.timeline(id)).map(({ type }) => type);
    assert.ok(types.includes('speech_lost') && types.includes('transfer'), types.join());
  });

  test('where the trunk refuses that, or the setting forbids the phone, the call has failed', async (t) => {
    const refusing = await lost(t, (own, request) => {
      if (request.method === 'REFER') own.answer(request, { status: 603, reason: 'Decline' });
      else answers(own, request);
    });
    await refusing.peer.next('REFER');
    await refusing.peer.next('BYE');
    const refused = await refusing.telephony.ended(refusing.id);
    assert.deepEqual([refused.status, refused.disconnect_reason], ['failed', 'error']);

    const forbidden = await lost(t, answers, { 'sip.allowed_prefixes': '["+4930"]' });
    const call = await forbidden.telephony.ended(forbidden.id);
    assert.equal(call.status, 'failed');
    await forbidden.peer.next('INVITE');
    assert.ok(!forbidden.peer.received.some(({ method }) => method === 'REFER'));
  });
});
