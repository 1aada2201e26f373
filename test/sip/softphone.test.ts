import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { pause } from '../../src/base/clock.ts';
import { greeting } from '../../src/talking/speech/echo/greeting.ts';
import { aPhone } from '../support/fixtures.ts';
import { dataOf } from '../support/server.ts';
import { startBaresip } from '../support/sip/baresip.ts';
import { tlsFile } from '../support/sip/kamailio.ts';
import { skipWithout } from '../support/sip/program.ts';
import { isInProgress, startTelephony, type Telephony } from '../support/sip/server.ts';
import { medianToneShareOfPcm } from '../support/sip/tones.ts';

/** Sound both ways with a real softphone, baresip: its microphone is a tone of 440 Hz, which the echo engine says back. */

const skip = skipWithout('baresip');
const toneHz = 440;
const greetingMs = greeting.PCMU.length / 8;
const settings = {
  'sip.tls_port': '0',
  'sip.tls.cert_file': tlsFile('server.crt'),
  'sip.tls.key_file': tlsFile('server.key'),
  'sip.tls.ca_file': tlsFile('ca.crt'),
};

suite('with baresip', skip, () => {
  for (const codec of ['pcmu', 'pcma'] as const) {
    for (const secure of [false, true]) {
      const how = `${codec.toUpperCase()}${secure ? ' over TLS with SRTP' : ''}`;
      test(`the greeting is heard, and the microphone said back, in ${how}`, async (t) => {
        const to = aPhone();
        const phone = await startBaresip(t, { user: to, codec, srtp: secure });
        const telephony = await startTelephony(t, settings);
        const id = await telephony.call(secure ? phone.tlsUri : phone.uri, { transport: secure ? 'tls' : 'udp' }, to);
        const { sip } = await telephony.when(id, isInProgress);
        assert.deepEqual([sip.codec, sip['srtp']], [codec.toUpperCase(), secure]);
        const heard = await phone.heardTone(toneHz, greetingMs);
        const spoken = heard.subarray(0, greetingMs * 8);
        assert.ok(spoken.some((sample) => Math.abs(sample) > 3000) && medianToneShareOfPcm(spoken, toneHz) < 0.5);
        phone.command('hangup');
        const over = await telephony.ended(id);
        assert.deepEqual([over.status, over.disconnect_reason], ['completed', 'customer_hangup']);
        assert.ok(over.sip.packets_received > 100 && over.sip.packets_sent > 100);
      });
    }
  }

  test('a call on hold gets no packets; resumed, both sides hear each other again', async (t) => {
    const to = aPhone();
    const phone = await startBaresip(t, { user: to });
    const telephony = await startTelephony(t, settings);
    const id = await telephony.call(phone.uri, {}, to);
    await phone.heard(500);
    phone.command('hold');
    await phone.happened('CALL_REMOTE_SDP', 2); // our answer to its re-INVITE
    const heldAt = performance.now();
    await pause(1500);
    const heldMs = performance.now() - heldAt;
    phone.command('resume');
    await phone.happened('CALL_REMOTE_SDP', 3);
    // Its recording ends with the first hold, so that keys, which are RTP packets, show that it hears.
    dataOf(await telephony.server.post(`/calls/${id}/dtmf`, { digits: '5' }));
    phone.command('sndcode', '6');
    while (phone.keys() !== '5' || (await receivedKeys(telephony, id)) !== '6') await pause(20);
    phone.command('hangup');
    const { sip } = await telephony.ended(id);
    const timeline = await telephony.timeline(id);
    const msOf = (wanted: string): number => Date.parse(timeline.find(({ type }) => type === wanted)!.at);
    const talkedMs = msOf('hangup') - msOf('answered') - heldMs;
    assert.ok(sip.packets_sent <= talkedMs / 20 + 25, `${sip.packets_sent} packets in ${talkedMs} ms beside the hold`);
  });

  test('a call is transferred: the phone calls the other number, says that it was answered, and ours ends', async (t) => {
    const to = aPhone();
    const phone = await startBaresip(t, { user: to });
    const telephony = await startTelephony(t, settings);
    const id = await telephony.call(phone.uri, {}, to);
    await telephony.when(id, isInProgress);
    await phone.heard(500);
    // The phone is its own trunk, so that the only number that it reaches is its own.
    dataOf(await telephony.server.post(`/calls/${id}/transfer`, { to }));
    const over = await telephony.ended(id);
    assert.deepEqual([over.status, over.disconnect_reason], ['completed', 'agent_hangup']);
    const timeline = await telephony.timeline(id);
    assert.deepEqual(
      timeline.slice(-2).map(({ type, detail }) => [type, type === 'transfer' ? detail : null]),
      [
        ['transfer', to],
        ['hangup', null],
      ],
    );
  });

  test('a transfer that the phone cannot make is refused in its words, and the call goes on', async (t) => {
    const to = aPhone();
    const phone = await startBaresip(t, { user: to });
    const telephony = await startTelephony(t, settings);
    const id = await telephony.call(phone.uri, {}, to);
    await telephony.when(id, isInProgress);
    await phone.heard(500);
    const refusal = await telephony.server.post(`/calls/${id}/transfer`, { to: aPhone() });
    assert.equal(refusal.status, 409, refusal.text);
    assert.match(refusal.body.message, /404/);
    assert.equal((await telephony.when(id, isInProgress)).state, 'in_progress');
    phone.command('hangup');
    await telephony.ended(id);
  });

  test('keys go both ways', async (t) => {
    const to = aPhone();
    const phone = await startBaresip(t, { user: to });
    const telephony = await startTelephony(t, settings);
    const id = await telephony.call(phone.uri, {}, to);
    await telephony.when(id, isInProgress);
    await phone.heard(500);
    dataOf(await telephony.server.post(`/calls/${id}/dtmf`, { digits: '42#' }));
    while (phone.keys().length < 3) await pause(20);
    for (const key of ['7', '9']) phone.command('sndcode', key);
    while ((await receivedKeys(telephony, id)).length < 2) await pause(20);
    phone.command('hangup');
    await telephony.ended(id);
    assert.equal(phone.keys(), '42#');
    assert.equal(await receivedKeys(telephony, id), '79');
  });
});

const receivedKeys = async (telephony: Telephony, id: string): Promise<string> =>
  (await telephony.timeline(id))
    .map(({ type, detail }) => (type === 'dtmf' ? /^received (.)/.exec(detail!)?.[1] : ''))
    .join('');
