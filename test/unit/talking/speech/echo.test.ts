import assert from 'node:assert/strict';
import { test } from 'node:test';
import { playQueue } from '../../../../src/telephony/media/play-queue.ts';
import { echoEngine } from '../../../../src/talking/speech/echo/echo.ts';
import { greeting } from '../../../../src/talking/speech/echo/greeting.ts';
import { tone } from '../../../../src/telephony/audio/tone.ts';
import { anAgentInCall, noSpeechEvents } from '../../../support/talking.ts';
import { medianToneShare } from '../../../support/sip/tones.ts';

/** A line whose packets are taken one by one; silence where nothing is queued. */
function lineWith(codec: 'PCMU' | 'PCMA') {
  const silence = codec === 'PCMU' ? 0xff : 0xd5;
  const queue = playQueue(silence);
  const session = echoEngine.open(anAgentInCall(), noSpeechEvents);
  session.answered({
    codec,
    play: (audio, item) => queue.add(audio, item) / 8,
    clear: () => queue.clear() / 8,
    sentMs: (item) => queue.sentBytes(item) / 8,
    queuedMs: () => queue.queuedBytes() / 8,
    sendKeys: () => false,
    hangUp: () => undefined,
    transfer: () => Promise.resolve(null),
  });
  session.begin('person');
  const take = (): Uint8Array => queue.take() ?? new Uint8Array(160).fill(silence);
  return { session, queue, take };
}

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
