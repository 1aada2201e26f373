import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { resample, resampler } from '../../../src/telephony/audio/resample.ts';

const sine = (hertz: number, rate: number, ms: number): Int16Array =>
  Int16Array.from({ length: (rate * ms) / 1000 }, (_, at) =>
    Math.round(10_000 * Math.sin((2 * Math.PI * hertz * at) / rate)),
  );
const rms = (pcm: Int16Array): number => Math.sqrt(pcm.reduce((sum, sample) => sum + sample ** 2, 0) / pcm.length);

for (const [from, to] of [
  [24_000, 8000],
  [8000, 24_000],
  [22_050, 8000],
  [44_100, 8000],
  [16_000, 8000],
] as const) {
  test(`a tone of 1 kHz stays what it is from ${from} to ${to} samples a second`, () => {
    const made = resample(sine(1000, from, 500), from, to);
    const expected = sine(1000, to, 500);
    assert.ok(Math.abs(made.length - expected.length) <= 1, `${made.length} samples instead of ${expected.length}`);
    const inner = [to / 50, expected.length - to / 50] as const;
    const difference = made.slice(...inner).map((sample, at) => sample - expected[inner[0] + at]!);
    assert.ok(rms(difference) < 20, `differs by ${rms(difference)}`);
  });
}

test('what the lower rate cannot carry is left out and not folded down', () => {
  for (const hertz of [4500, 6000, 9000]) {
    const made = resample(sine(hertz, 24_000, 500), 24_000, 8000).slice(400, -400);
    assert.ok(rms(made) < 20, `${hertz} Hz leaves ${rms(made)}`);
  }
});

test('pieces of any length make the same sound as the whole', () => {
  const pcm = sine(700, 22_050, 200);
  const whole = resample(pcm, 22_050, 8000);
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 500 }), { minLength: 1, maxLength: 40 }), (lengths) => {
      const { push, end } = resampler(22_050, 8000);
      const made: number[] = [];
      let at = 0;
      for (const length of [...lengths, pcm.length]) {
        made.push(...push(pcm.subarray(at, at + length)));
        at += length;
      }
      made.push(...end());
      assert.deepEqual(made, [...whole]);
    }),
  );
});
