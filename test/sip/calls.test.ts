import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { dataOf } from '../support/server.ts';
import { skipWithout, skipWithoutIpv6 } from '../support/sip/program.ts';
import { isInProgress, startTelephony, type SipCall, type Telephony } from '../support/sip/server.ts';
import { startSipp } from '../support/sip/sipp.ts';

/** Answered calls through a trunk played by sipp. */

const skip = skipWithout('sipp');
const credentials = { sip_username: 'anna', sip_password: 'open sesame' };

const outcomeOf = ({ status, disconnect_reason: reason }: SipCall): unknown[] => [status, reason];
const hangUp = async ({ server }: Telephony, id: string): Promise<SipCall> =>
  dataOf(await server.post<SipCall>(`/calls/${id}/hangup`));

for (const transport of ['udp', 'tcp'] as const) {
  suite(`over ${transport.toUpperCase()}`, skip, () => {
    const started = startTelephony({ after });

    test('a call rings, is answered, is echoed, and ends with the BYE of the other side', async (t) => {
      const { server, call, ended, timeline } = await started;
      const sipp = await startSipp(t, 'hang-up', { transport, keys: { talk_ms: '3000' }, args: ['-rtp_echo'] });
      const over = await sipp.agrees(ended(await call(sipp.uri, { transport })));
      assert.deepEqual(outcomeOf(over), ['completed', 'customer_hangup']);
      const { packets_sent: sent, packets_received: received, codec } = over.sip;
      assert.equal(codec, 'PCMU');
      assert.ok(sent >= 10 && received >= 10, `sent ${sent}, received ${received}`);
      assert.ok(received <= sent, 'no more comes back than was sent');
      assert.equal(over.sip['packets_lost'], 0);
      const [model] = dataOf(await server.get<Array<{ price: number }>>('/available-llm-models/with-voices'));
      assert.ok(over.duration_sec >= 3);
      assert.equal(over['cost_total'], Math.round((over.duration_sec / 60) * model!.price * 10_000) / 10_000);
      assert.deepEqual(
        (await timeline(over.call_id)).map(({ type }) => type),
        ['invite', 'ringing', 'answered', 'greeting', 'hangup'],
      );
    });

    test('hanging up an answered call sends BYE', async (t) => {
      const telephony = await started;
      const sipp = await startSipp(t, 'talk', { transport });
      const id = await telephony.call(sipp.uri, { transport });
      await telephony.when(id, isInProgress);
      await hangUp(telephony, id);
      assert.deepEqual(outcomeOf(await sipp.agrees(telephony.ended(id))), ['completed', 'agent_hangup']);
    });

    test('a call tells its Call-ID while it rings, and its packets while it is in progress', async (t) => {
      const telephony = await started;
      const sipp = await startSipp(t, 'talk', { transport, args: ['-rtp_echo'] });
      const id = await telephony.call(sipp.uri, { transport });
      const ringing = await telephony.when(id, ({ sip }) => sip !== null);
      assert.ok(String(ringing.sip['call_id']).startsWith(id));
      const live = await telephony.when(id, ({ sip }) => (sip?.packets_received ?? 0) > 10);
      assert.deepEqual([live.state, live.sip.codec], ['in_progress', 'PCMU']);
      const listed = dataOf(await telephony.server.get<SipCall[]>('/calls?state=live'));
      const inList = listed.find(({ call_id: own }) => own === id);
      assert.ok(inList!.sip.packets_sent >= live.sip.packets_sent);
      await hangUp(telephony, id);
      await sipp.agrees(telephony.ended(id));
    });

    test('hanging up a ringing call cancels it', async (t) => {
      const telephony = await started;
      const sipp = await startSipp(t, 'ring', { transport });
      const id = await telephony.call(sipp.uri, { transport });
      await telephony.when(id, ({ state }) => state === 'ringing');
      await hangUp(telephony, id);
      assert.deepEqual(outcomeOf(await sipp.agrees(telephony.ended(id))), ['no_answer', null]);
    });

    test('a 200 that crosses the CANCEL gets ACK and BYE, and nobody has answered', async (t) => {
      const telephony = await started;
      const sipp = await startSipp(t, 'crossing', { transport });
      const id = await telephony.call(sipp.uri, { transport });
      await telephony.when(id, ({ state }) => state === 'ringing');
      await hangUp(telephony, id);
      assert.deepEqual(outcomeOf(await sipp.agrees(telephony.ended(id))), ['no_answer', null]);
    });

    test('a call that rings for too long is cancelled', async (t) => {
      const { call, ended } = await startTelephony(t, { 'sip.ring_timeout_ms': '5000' });
      const sipp = await startSipp(t, 'ring', { transport });
      const over = await sipp.agrees(ended(await call(sipp.uri, { transport })));
      assert.deepEqual(outcomeOf(over), ['no_answer', null]);
      assert.match(over.error_message ?? '', /sip\.ring_timeout_ms/);
    });

    test('a password is given once per nonce, and again when the nonce is stale', async (t) => {
      const { call, ended } = await started;
      const sipp = await startSipp(t, 'ask-401', { transport });
      const over = await sipp.agrees(ended(await call(sipp.uri, { transport, ...credentials })));
      assert.deepEqual(outcomeOf(over), ['completed', 'customer_hangup']);
      assert.ok(!sipp.messages().includes('open sesame'));
    });

    test('a password that is refused is not given again, and the trunk is out of reach', async (t) => {
      const { call, ended } = await started;
      const sipp = await startSipp(t, 'always-401', { transport });
      const over = await sipp.agrees(ended(await call(sipp.uri, { transport, ...credentials })));
      assert.deepEqual([...outcomeOf(over), over.error_message], ['failed', 'error', 'SIP 401 Unauthorized']);
    });

    test('a call is held, resumed and asked by the other side, with INFO as a key', async (t) => {
      const { call, ended, timeline } = await started;
      const sipp = await startSipp(t, 'hold', { transport });
      const over = await sipp.agrees(ended(await call(sipp.uri, { transport })));
      assert.deepEqual(outcomeOf(over), ['completed', 'customer_hangup']);
      const directions = [...sipp.messages().matchAll(/^a=(sendrecv|sendonly|recvonly|inactive)\r?$/gm)];
      const ours = directions.map(([, direction]) => direction).filter((_, at) => at > 1);
      assert.deepEqual(ours, ['sendonly', 'recvonly', 'inactive', 'inactive', 'sendrecv', 'sendrecv']);
      const keys = (await timeline(over.call_id)).filter(({ type }) => type === 'dtmf');
      assert.deepEqual(
        keys.map(({ detail }) => detail),
        ['received 5'],
      );
    });

    test('a session that the other side renews goes on, and says so in each answer', async (t) => {
      const { call, ended } = await started;
      const sipp = await startSipp(t, 'refresh', { transport });
      const over = await sipp.agrees(ended(await call(sipp.uri, { transport })));
      assert.deepEqual(outcomeOf(over), ['completed', 'customer_hangup']);
    });

    for (const [what, scenario, keys] of [
      ['a session description that cannot be read', 'broken-sdp', {}],
      ['an audio line that is refused (port 0)', 'port-zero', {}],
      ['a codec that is not ours', 'offer-none', { codecs: '18' }],
    ] as const) {
      test(`an answer with ${what} is acknowledged and hung up, and the call has failed`, async (t) => {
        const { call, ended } = await started;
        const sipp = await startSipp(t, scenario, { transport, keys });
        const over = await sipp.agrees(ended(await call(sipp.uri, { transport })));
        assert.deepEqual(outcomeOf(over), ['failed', 'error']);
        assert.match(over.error_message ?? '', /^The other side's sound cannot be used: /);
      });
    }

    test('an answer in A-law is talked to in A-law', async (t) => {
      const telephony = await started;
      const sipp = await startSipp(t, 'offer-none', { transport, keys: { codecs: '8' } });
      const id = await telephony.call(sipp.uri, { transport });
      assert.equal((await telephony.when(id, isInProgress)).sip.codec, 'PCMA');
      await hangUp(telephony, id);
    });

    test('of two 200s with different tags the first is kept, the other gets ACK and BYE', async (t) => {
      const { call, ended } = await started;
      const sipp = await startSipp(t, 'fork', { transport });
      const over = await sipp.agrees(ended(await call(sipp.uri, { transport })));
      assert.deepEqual(outcomeOf(over), ['completed', 'customer_hangup']);
      const byes = [...sipp.messages().matchAll(/^BYE sip:trunk[^]*?^To: ([^\r\n]*)/gm)].map(([, to]) => to);
      assert.equal(byes.length, 1);
      assert.match(byes[0]!, /;tag=second$/);
    });

    test('a 200 whose ACK was lost gets another one', async (t) => {
      const { call, ended } = await started;
      const sipp = await startSipp(t, 'late-ack', { transport });
      assert.deepEqual(outcomeOf(await sipp.agrees(ended(await call(sipp.uri, { transport })))), [
        'completed',
        'customer_hangup',
      ]);
    });
  });
}

test('a call over IPv6 is answered, echoed and hung up by the other side', skipWithoutIpv6('sipp'), async (t) => {
  const settings = { 'sip.host': '::1', 'sip.allow_networks': '["::1/128"]' };
  const { call, ended } = await startTelephony(t, settings);
  const sipp = await startSipp(t, 'hang-up', { address: '::1', keys: { talk_ms: '1500' }, args: ['-rtp_echo'] });
  const over = await sipp.agrees(ended(await call(sipp.uri)));
  assert.deepEqual(outcomeOf(over), ['completed', 'customer_hangup']);
  assert.ok(over.sip.packets_received > 10, `${over.sip.packets_received}`);
});

test('calls come through a network that loses a fifth of the messages', skip, async (t) => {
  const { call, ended } = await startTelephony(t);
  const calls = 20;
  // sipp gives a call up when an INVITE is repeated because all its answers were lost, unless told to let such messages pass.
  const args = ['-lost', '20', '-default_behaviors', 'all,-abortunexp'];
  const sipp = await startSipp(t, 'hang-up', { calls, keys: { talk_ms: '100' }, args });
  const ids = await Promise.all(Array.from({ length: calls }, () => call(sipp.uri)));
  const ends = await sipp.agrees(Promise.all(ids.map(ended)));
  for (const end of ends) assert.deepEqual(outcomeOf(end), ['completed', 'customer_hangup']);
});
