// Waits: silence takes its time.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { every, monotonicMs } from '../../../../src/base/clock.ts';
import type { HangUp } from '../../../../src/telephony/audio/speech.ts';
import { playQueue } from '../../../../src/telephony/media/play-queue.ts';
import { echoEngine } from '../../../../src/talking/speech/echo/echo.ts';
import { greeting } from '../../../../src/talking/speech/echo/greeting.ts';
import { tone } from '../../../../src/telephony/audio/tone.ts';
import type { AgentInCall } from '../../../../src/talking/speech/engine.ts';
import { anAgentInCall, noSpeechEvents } from '../../../support/talking.ts';
import { medianToneShare } from '../../../support/sip/tones.ts';

/** A line whose packets are taken one by one; silence where nothing is queued. */
function lineWith(codec: 'PCMU' | 'PCMA', changes: Partial<AgentInCall> = {}) {
  const silence = codec === 'PCMU' ? 0xff : 0xd5;
  const queue = playQueue(silence);
  const session = echoEngine.open(anAgentInCall(changes), noSpeechEvents);
  const hungUp = Promise.withResolvers<HangUp>();
  session.answered({
    codec,
    play: (audio, item) => queue.add(audio, item) / 8,
    clear: () => queue.clear() / 8,
    sentMs: (item) => queue.sentBytes(item) / 8,
    queuedMs: () => queue.queuedBytes() / 8,
    sendKeys: () => false,
    hangUp: hungUp.resolve,
    transfer: () => Promise.resolve(null),
  });
  session.begin('person');
  const take = (): Uint8Array => queue.take() ?? new Uint8Array(160).fill(silence);
  return { session, queue, take, hungUp: hungUp.promise };
}

const isSilent = (byte: number): boolean => byte === 0xff;

const packets = (audio: Uint8Array): Uint8Array[] =>
  Array.from({ length: audio.length / 160 }, (_, at) => audio.subarray(at * 160, at * 160 + 160));

test('it greets in the codec of the call, then says back what it hears', () => {
  for (const codec of ['PCMU', 'PCMA'] as const) {
    const { session, take } = lineWith(codec);
    const greeted = Array.from({ length: Math.ceil(greeting[codec].length / 160) }, () => {
      session.hear(tone(codec, 2000, 20), 0);
      return take();
    });
    assert.deepEqual(Buffer.concat(greeted).subarray(0, greeting[codec].length), Buffer.from(greeting[codec]));
    const said = packets(tone(codec, 440, 1000)).map((packet) => {
      session.hear(packet, 0);
      return take();
    });
    assert.ok(medianToneShare(codec, Buffer.concat(said), 440) > 0.95);
    assert.ok(
      medianToneShare(codec, Buffer.concat(said), 2000) < 0.01,
      'what was said during the greeting is not said back',
    );
  }
});

test('packets that come in bursts leave no holes, and the echo is at most 0.4 s late', () => {
  const { session, queue, take } = lineWith('PCMU');
  while (queue.queuedBytes() > 0) take();
  const heard = packets(tone('PCMU', 440, 2000));
  const said: Uint8Array[] = [];
  for (let at = 0; at < heard.length; at += 3) {
    for (const packet of heard.slice(at, at + 3)) session.hear(packet, 0);
    said.push(take(), take(), take());
  }
  assert.ok(
    said.slice(3, -3).every((packet) => packet.some((byte) => byte !== 0xff)),
    'no packet of silence',
  );
  for (const packet of [...heard, ...heard]) session.hear(packet, 0);
  assert.ok(queue.queuedBytes() <= 400 * 8 + 160);
});

test('a text is a tone as long as saying it would take, after what is being said', () => {
  const { session, queue } = lineWith('PCMU');
  const greetingBytes = queue.queuedBytes();
  assert.equal(session.say('Good morning, Ada.'), true);
  assert.equal(queue.queuedBytes() - greetingBytes, 18 * 60 * 8);
  session.say('x'.repeat(1000));
  assert.equal(queue.queuedBytes() - greetingBytes, (18 * 60 + 5000) * 8);
});

/** Every 20 ms the phone sends one packet and one is sent to it, until the agent hangs up. Returns the milliseconds and what was sent. */
async function untilHungUp(phone: ReturnType<typeof lineWith>, packetAt: (ms: number) => Uint8Array) {
  const begun = monotonicMs();
  const sent: Uint8Array[] = [];
  const stop = every(20, () => {
    phone.session.hear(packetAt(monotonicMs() - begun), 0);
    sent.push(phone.take());
  });
  const how = await phone.hungUp;
  stop();
  phone.session.end();
  return { how, ms: monotonicMs() - begun, sent: Buffer.concat(sent) };
}

test('silence makes it ask, then hang up; whatever is heard above -40 dB begins the wait anew', async () => {
  const greetingMs = greeting.PCMU.length / 8;
  // Far apart, so that a machine that stands still for a moment does not reach both at once.
  const times = { reminderTriggerMs: 300, silenceTimeoutMs: greetingMs + 2000 };
  const quiet = new Uint8Array(160).fill(0xff);
  const spoke = tone('PCMU', 300, 20);
  const spokeUntilMs = greetingMs + 400;
  const [silent, heard] = await Promise.all([
    untilHungUp(lineWith('PCMU', times), () => quiet),
    untilHungUp(lineWith('PCMU', times), (ms) => (ms < spokeUntilMs ? spoke : quiet)),
  ]);
  assert.deepEqual(silent.how, { status: 'completed', errorMessage: null });
  assert.ok(silent.ms >= times.silenceTimeoutMs, `${silent.ms} ms`);
  const asked = packets(silent.sent.subarray(greeting.PCMU.length + 160)).filter((packet) => !packet.every(isSilent));
  assert.ok(medianToneShare('PCMU', Buffer.concat(asked), 440) > 0.9, 'it asked with a tone');
  assert.ok(heard.ms >= spokeUntilMs + times.silenceTimeoutMs - 40, `${heard.ms} ms`);
});

test('to a mailbox it says its message and hangs up after it', async () => {
  const { session, queue, hungUp } = lineWith('PCMU', { voicemailMessage: 'Call us back, please.' });
  const before = queue.queuedBytes();
  session.begin('mailbox');
  assert.equal(queue.queuedBytes() - before, 21 * 60 * 8);
  assert.deepEqual(await hungUp, { status: 'completed', errorMessage: null, afterPlayed: true });
});

test('the queue of a call is bounded, and its last packet filled up with silence', () => {
  const queue = playQueue(0xff);
  queue.add(Uint8Array.of(1, 2, 3), 'a');
  queue.add(new Uint8Array(160).fill(4), 'b');
  assert.deepEqual([...queue.take()!.subarray(0, 5)], [1, 2, 3, 4, 4]);
  const last = queue.take()!;
  assert.deepEqual([last.length, last[2], last[3], queue.take()], [160, 4, 0xff, undefined]);
  for (let second = 0; second < 100; second += 1) queue.add(new Uint8Array(8000), 'c');
  assert.equal(queue.queuedBytes(), 60 * 8000);
  assert.equal(queue.add(new Uint8Array(8000), 'd'), 0);
});

test('the queue knows how much of each item was sent, also when the rest is dropped', () => {
  const queue = playQueue(0xff);
  queue.add(new Uint8Array(200), 'first');
  queue.add(new Uint8Array(400), 'second');
  assert.deepEqual([queue.sentBytes('first'), queue.begun()], [0, []]);
  queue.take();
  assert.deepEqual([queue.sentBytes('first'), queue.sentBytes('second'), queue.begun()], [160, 0, ['first']]);
  queue.take();
  assert.deepEqual([queue.sentBytes('first'), queue.sentBytes('second'), queue.begun()], [200, 120, ['second']]);
  assert.equal(queue.clear(), 280);
  assert.deepEqual([queue.take(), queue.sentBytes('second'), queue.queuedBytes()], [undefined, 120, 0]);
});
