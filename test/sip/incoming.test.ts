import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { pause } from '../../src/base/clock.ts';
import { greeting } from '../../src/talking/speech/echo/greeting.ts';
import { dataOf } from '../support/server.ts';
import { startBaresip } from '../support/sip/baresip.ts';
import { tlsFile } from '../support/sip/kamailio.ts';
import { freePorts, skipWithout, skipWithoutIpv6 } from '../support/sip/program.ts';
import { isInProgress, type SipCall, startTelephony, type Telephony } from '../support/sip/server.ts';
import { startSipp } from '../support/sip/sipp.ts';
import { medianToneShareOfPcm } from '../support/sip/tones.ts';

/** Calls that come in from sipp and from a softphone, over each transport and both families of addresses. */

const toneHz = 440;
const greetingMs = greeting.PCMU.length / 8;

/** The only call of the server that came in, as soon as `isReached` is true of it. */
async function incomingCall({ server }: Telephony, isReached: (call: SipCall) => boolean): Promise<SipCall> {
  for (;;) {
    const [call] = dataOf(await server.get<SipCall[]>('/calls'));
    if (call && isReached(call)) return call;
    if (call?.state === 'ended') throw new Error(`the call ended before that: ${JSON.stringify(call)}`);
    await pause(20);
  }
}

/** A number that the server's agent answers when the trunk at this address calls. */
const answeredNumber = (telephony: Telephony, uri: string) =>
  telephony.number(uri, { inbound_agent_id: telephony.agentId });

for (const address of ['127.0.0.1', '::1'] as const) {
  const isIpv6 = address === '::1';
  const skip = isIpv6 ? skipWithoutIpv6('sipp') : skipWithout('sipp');
  const written = isIpv6 ? `[${address}]` : address;
  const network = isIpv6 ? '["::1/128"]' : '["127.0.0.0/8"]';
  const settings = { 'sip.host': address, 'sip.allow_networks': network };

  for (const transport of ['udp', 'tcp'] as const) {
    const how = `${transport.toUpperCase()} and IPv${isIpv6 ? 6 : 4}`;
    test(`sipp calls over ${how}, talks and hangs up`, skip, async (t) => {
      const telephony = await startTelephony(t, settings);
      const number = await answeredNumber(telephony, `${written}:5060`);
      const sipp = await startSipp(t, 'caller', {
        transport,
        address,
        target: `${written}:${telephony.port}`,
        keys: { number: number.phone, talk_ms: '1500' },
        args: ['-rtp_echo'],
      });
      const ended = await sipp.agrees(incomingCall(telephony, ({ state }) => state === 'ended'));
      assert.deepEqual(
        [ended['direction'], ended['callee_number'], ended.status, ended.disconnect_reason, ended.sip.codec],
        ['inbound', number.phone, 'completed', 'customer_hangup', 'PCMA'],
      );
      const { packets_sent: sent, packets_received: received } = ended.sip;
      assert.ok(sent > 10 && received > 10, `sent ${sent}, received ${received}`);
    });
  }
}

suite('baresip calls', skipWithout('baresip'), () => {
  for (const secure of [false, true]) {
    test(`${secure ? 'over TLS with SRTP' : 'over UDP'}, hears the greeting and itself, and is hung up`, async (t) => {
      const tlsPort = await freePorts(2);
      const telephony = await startTelephony(t, {
        'sip.tls_port': String(tlsPort),
        'sip.tls.cert_file': tlsFile('server.crt'),
        'sip.tls.key_file': tlsFile('server.key'),
        'sip.tls.ca_file': tlsFile('ca.crt'),
      });
      const phone = await startBaresip(t, { codec: secure ? 'pcma' : 'pcmu', srtp: secure });
      const number = await answeredNumber(telephony, phone.uri);
      const port = secure ? tlsPort : telephony.port;
      phone.dial(`sip:${number.phone}@127.0.0.1:${port}${secure ? ';transport=tls' : ''}`);
      const { call_id: id, sip } = await incomingCall(telephony, isInProgress);
      assert.deepEqual([sip.codec, sip['srtp']], [secure ? 'PCMA' : 'PCMU', secure]);
      const heard = await phone.heardTone(toneHz, greetingMs); // the microphone, said back
      assert.ok(medianToneShareOfPcm(heard.subarray(0, greetingMs * 8), toneHz) < 0.5, 'first the greeting');
      dataOf(await telephony.server.post(`/calls/${id}/hangup`));
      await phone.happened('CALL_CLOSED', 1);
      const ended = await telephony.ended(id);
      assert.deepEqual([ended.status, ended.disconnect_reason], ['completed', 'agent_hangup']);
    });
  }
});
