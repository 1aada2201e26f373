import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import type { IncomingInvite } from '../../../src/telephony/dialog/incoming-invite.ts';
import { keyPresses } from '../../../src/telephony/dialog/key-presses.ts';
import { writeRtp } from '../../../src/telephony/media/rtp.ts';
import { openAgent } from '../../../src/talking/agent.ts';
import { callId, startPhone } from '../../support/sip/caller.ts';
import { type DialingTrunk, startDialingTrunk } from '../../support/sip/dialing-trunk.ts';
import { audioOf, headerIn, type PeerMessage } from '../../support/sip/peer.ts';
import { startPhone as startSound } from '../../support/sip/phone.ts';
import { anAgentInCall, noSpeechEvents, voicemailSettings } from '../../support/talking.ts';

/** A trunk that is known, and means harm. */

async function aPhone(t: TestContext) {
  const asked: IncomingInvite[] = [];
  const heard = { ms: 0 };
  const listener = {
    ...openAgent({ echo: { open: () => ({}) as never } }, anAgentInCall(), noSpeechEvents, voicemailSettings),
    answered: () => undefined,
    hear: (audio: Uint8Array) => void (heard.ms += audio.length / 8),
    held: () => undefined,
    sending: () => undefined,
  };
  const phone = await startPhone(t, {
    isInbound: () => true,
    speech: {
      open: () => listener,
      turns: () => ({ turns: 0, interruptions: 0 }),
      transfer: () => Promise.resolve(null),
    },
    decide(invite) {
      asked.push(invite);
      const user = '+4930901821';
      return Promise.resolve(
        invite.fault === null
          ? { accepted: true, callId, user, credentials: null, maxDurationMs: 3_600_000 }
          : { accepted: false, status: 488, phrase: 'Not Acceptable Here' },
      );
    },
  });
  const trunk = await startDialingTrunk();
  t.after(() => trunk.close());
  return { phone, trunk, asked, heard };
}

const answerTo = (trunk: DialingTrunk, method: string): Promise<PeerMessage> =>
  trunk.next((message) => message.status >= 200 && headerIn(message, 'CSeq').endsWith(` ${method}`));

async function answered(trunk: DialingTrunk, port: number, body = audioOf(46_000)) {
  const call = trunk.invite(port, { to: '+4930901821', body });
  const answer = await answerTo(trunk, 'INVITE');
  call.ack(answer);
  return { call, answer };
}

test('hundreds of re-INVITEs are answered no faster than a call needs, and BYE is always taken', async (t) => {
  const { phone, trunk } = await aPhone(t);
  const { call, answer } = await answered(trunk, phone.port);
  for (let count = 0; count < 500; count += 1) call.request(answer, 'INVITE', { body: audioOf(46_000) });
  call.request(answer, 'BYE');
  assert.equal((await answerTo(trunk, 'BYE')).status, 200);
  await phone.report('ended');
  const replies = trunk.received.filter((message) => message.status >= 200 && /INVITE/.test(headerIn(message, 'CSeq')));
  assert.ok(new Set(replies.map((message) => headerIn(message, 'CSeq'))).size < 200);
  assert.ok(phone.metrics().dropped['too-many']! > 300);
});

test('a session description that is too long, or has too many lines, is refused', async (t) => {
  const { phone, trunk, asked } = await aPhone(t);
  const bodies = [
    audioOf(46_000, { extra: 'a=x:1\r\n'.repeat(2400) }),
    audioOf(46_000, { extra: 'm=video 1 RTP/AVP 99\r\n'.repeat(32) }),
  ];
  for (const body of bodies) {
    const call = trunk.invite(phone.port, { to: '+4930901821', body });
    const refusal = await answerTo(trunk, 'INVITE');
    assert.equal(refusal.status, 488);
    call.ack(refusal);
  }
  assert.deepEqual(
    asked.map(({ fault }) => fault),
    ['the session description is longer than 16 KiB', 'the session description has more than 32 media lines'],
  );
});

test('a flood of sound, of the other side or of a stranger, is heard no faster than time passes', async (t) => {
  const { phone, trunk, heard } = await aPhone(t);
  const [own, stranger] = [await startSound(), await startSound()];
  t.after(() => {
    own.stop();
    stranger.stop();
  });
  const startedMs = performance.now();
  const { answer } = await answered(trunk, phone.port, audioOf(own.port));
  const port = Number(/m=audio (\d+)/.exec(answer.body)![1]);
  const packet = (sequence: number): Uint8Array =>
    writeRtp({
      payloadType: 0,
      marker: false,
      sequence,
      timestamp: sequence * 160,
      ssrc: 7,
      payload: new Uint8Array(160),
    });
  for (let sequence = 0; sequence < 2000; sequence += 1) {
    own.sendRaw(packet(sequence), port);
    stranger.sendRaw(packet(sequence), port);
    if (sequence % 50 === 0) await own.received(own.packets.length + 1);
  }
  const huge = {
    payloadType: 0,
    marker: false,
    sequence: 2000,
    timestamp: 0,
    ssrc: 7,
    payload: new Uint8Array(60_000),
  };
  own.sendRaw(writeRtp(huge), port);
  await own.received(own.packets.length + 5);
  const mayHearMs = 2000 + (performance.now() - startedMs) * 1.05;
  assert.ok(heard.ms > 100 && heard.ms <= mayHearMs, `${heard.ms} ms of ${mayHearMs}`);
  assert.ok(phone.facts([callId]).get(callId)!.packets_received > 1000);
});

test('a flood of keys is not passed on', () => {
  const keys: string[] = [];
  let nowMs = 0;
  const press = keyPresses(
    (digit) => keys.push(digit),
    () => nowMs,
  );
  for (let count = 0; count < 10_000; count += 1) press.sound(String(count % 10));
  assert.equal(keys.length, 40);
  nowMs = 1000;
  for (let count = 0; count < 10_000; count += 1) press.info('5');
  assert.equal(keys.length, 55);
});
