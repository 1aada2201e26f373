import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { decode, encode, silentByte } from '../../../src/dashboard/sound/mu-law.ts';
import { createPlayout } from '../../../src/dashboard/sound/playout.ts';
import { createResampler } from '../../../src/dashboard/sound/resampler.ts';
import { samples } from '../../../src/telephony/audio/g711.ts';

const everyByte = Uint8Array.from({ length: 256 }, (_, byte) => byte);

test('the browser’s µ-law is that of the telephone', () => {
  assert.deepEqual(
    Array.from(decode(everyByte), (sample) => Math.round(sample * 32_768) + 0),
    [...samples.PCMU],
  );
  for (const [byte, sample] of decode(everyByte).entries()) {
    if (byte !== 0x7f) assert.equal(encode(sample), byte); // 0x7f is the other zero
  }
  fc.assert(
    fc.property(fc.double({ min: -1.2, max: 1.2, noNaN: true }), (sample) => {
      const back = decode(Uint8Array.of(encode(sample)))[0]!;
      const clipped = Math.max(-0.98, Math.min(0.98, sample));
      assert.ok(Math.abs(back - clipped) <= 0.002 + Math.abs(clipped) * 0.035, `${sample} became ${back}`);
    }),
  );
});

const toneOf = (hertz: number, rate: number, count: number): Float32Array =>
  Float32Array.from({ length: count }, (_, at) => 0.5 * Math.sin((2 * Math.PI * hertz * at) / rate));

/** The amplitude of a tone in what was recorded. */
function amplitudeOf(hertz: number, rate: number, recorded: Float32Array): number {
  let [sine, cosine] = [0, 0];
  for (const [at, sample] of recorded.entries()) {
    sine += sample * Math.sin((2 * Math.PI * hertz * at) / rate);
    cosine += sample * Math.cos((2 * Math.PI * hertz * at) / rate);
  }
  return (2 * Math.hypot(sine, cosine)) / recorded.length;
}

/** Converts part by part, in parts of any length. */
function converted(from: number, to: number, sound: Float32Array, partLength: number): Float32Array {
  const resample = createResampler(from, to);
  const made: number[] = [];
  for (let at = 0; at < sound.length; at += partLength) made.push(...resample(sound.subarray(at, at + partLength)));
  return Float32Array.from(made);
}

test('a tone keeps its height and loudness through both conversions, and what telephones cannot carry is left out', () => {
  for (const rate of [44_100, 48_000, 96_000]) {
    for (const [part, hertz] of [
      [128, 300],
      [160, 1000],
      [977, 3000],
    ] as const) {
      const down = converted(rate, 8000, toneOf(hertz, rate, rate), part);
      assert.ok(Math.abs(down.length - 8000) < 20, `${down.length} samples`);
      assert.ok(Math.abs(amplitudeOf(hertz, 8000, down.subarray(100, 7900)) - 0.5) < 0.02, `${hertz} of ${rate}`);
      const up = converted(8000, rate, toneOf(hertz, 8000, 8000), part);
      assert.ok(Math.abs(up.length - rate) < rate / 300, `${up.length} samples`);
      assert.ok(Math.abs(amplitudeOf(hertz, rate, up.subarray(rate / 100, rate * 0.95)) - 0.5) < 0.02);
    }
    const above = converted(rate, 8000, toneOf(5500, rate, rate), 128);
    assert.ok(Math.max(...above.subarray(100).map(Math.abs)) < 0.01, 'no alias');
  }
});

const rate = 48_000;
const frameOf = (byte: number): Uint8Array => new Uint8Array(160).fill(byte);
const loud = 0x90;

/** Plays milliseconds and says which of its quanta of 128 samples were heard. */
function played(playout: ReturnType<typeof createPlayout>, ms: number): boolean[] {
  return Array.from({ length: Math.round((ms * rate) / 1000 / 128) }, () => {
    const quantum = new Float32Array(128);
    playout.read(quantum);
    return quantum.some((sample) => Math.abs(sample) > 0.05);
  });
}

test('sound waits for 60 ms, is played without a gap, and after one waits longer', () => {
  const playout = createPlayout(rate);
  for (const expected of [false, false, false]) {
    playout.take(frameOf(loud));
    assert.equal(played(playout, 10).some(Boolean), expected);
  }
  playout.take(frameOf(loud)); // the conversion holds back 1.5 ms
  assert.ok(played(playout, 60).slice(1).every(Boolean));
  assert.ok(!played(playout, 40).slice(-5).some(Boolean), 'dry');
  for (let frames = 0; frames < 3; frames++) playout.take(frameOf(loud));
  assert.ok(!played(playout, 20).some(Boolean), 'waits for 80 ms now');
  for (let frames = 0; frames < 2; frames++) playout.take(frameOf(loud));
  assert.ok(played(playout, 60).slice(1).every(Boolean));
});

test('what an interruption drops is not heard any more', () => {
  const playout = createPlayout(rate);
  for (let frames = 0; frames < 10; frames++) playout.take(frameOf(loud));
  assert.ok(played(playout, 40).every(Boolean));
  playout.clear();
  assert.ok(!played(playout, 200).some(Boolean));
});

test('a clock that runs ahead is caught up with in silence, and no delay grows without bound', () => {
  const playout = createPlayout(rate);
  for (let frames = 0; frames < 50; frames++) playout.take(frameOf(silentByte));
  playout.take(frameOf(loud));
  assert.ok(played(playout, 140).some(Boolean), 'of a second of silence, only some is left');
  for (let frames = 0; frames < 500; frames++) playout.take(frameOf(loud));
  const heard = played(playout, 2000).filter(Boolean).length * (128 / 48);
  assert.ok(heard > 40 && heard <= 640, `${heard} ms of ten seconds that came at once`);
});
