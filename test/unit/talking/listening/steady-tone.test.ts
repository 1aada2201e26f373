import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decode, encode } from '../../../../src/telephony/audio/g711.ts';
import { createSteadyTone } from '../../../../src/talking/listening/steady-tone.ts';
import {
  between,
  join,
  mixed,
  msOf,
  music,
  noise,
  randomOf,
  silence,
  sine,
  type Sound,
} from '../../../support/listening/sounds.ts';

/** When a tone is found, in milliseconds; after the sound of a telephone. */
function toneAt(sound: Sound): number | undefined {
  const tone = createSteadyTone();
  const pcm = decode('PCMU', encode('PCMU', sound));
  for (let at = 0; at + 160 <= pcm.length; at += 160)
    if (tone.isTone(pcm.subarray(at, at + 160))) return (at + 160) / 8;
  return undefined;
}

test('a tone of 120 ms is found wherever it begins, from 400 to 2,500 Hz, loud and quiet', () => {
  for (let hertz = 400; hertz <= 2500; hertz += 35)
    for (const peak of [200, 2000, 20_000])
      for (const offset of [0, 3, 7, 11, 19]) {
        const at = toneAt(join(silence(100 + offset), sine(hertz, 120, peak), silence(100)));
        assert.ok(at !== undefined && at <= 260, `${hertz} Hz, peak ${peak}, offset ${offset}: ${at}`);
      }
});

test('a shorter one is none, nor one that is lower or higher', () => {
  for (const offset of [0, 5, 10, 15]) {
    const at = (hertz: number, ms: number) => toneAt(join(silence(100 + offset), sine(hertz, ms), silence(200)));
    assert.equal(at(1000, 90), undefined);
    assert.equal(at(350, 500), undefined);
    assert.equal(at(2600, 500), undefined);
  }
});

test('a tone is found in the noise of a line', () => {
  const random = randomOf(7);
  for (let hertz = 440; hertz <= 2000; hertz += 60) {
    const tone = join(silence(100), sine(hertz, 300, 4000), silence(100));
    const noisy = mixed(tone, noise(random, msOf(tone), 500)); // 15 dB below the tone
    assert.ok(toneAt(noisy) !== undefined, `${hertz} Hz`);
  }
});

test('noise, music, keys and a tone that slides are none', () => {
  const random = randomOf(8);
  for (let round = 0; round < 20; round += 1) {
    assert.equal(toneAt(noise(random, 5000, between(random, 10, 8000))), undefined);
    assert.equal(toneAt(music(random, 5000)), undefined);
  }
  assert.equal(toneAt(mixed(sine(770, 500), sine(1336, 500))), undefined);
  const slide = Int16Array.from({ length: 8000 }, (_, at) => {
    const seconds = at / 8000;
    return Math.round(8000 * Math.sin(2 * Math.PI * (500 + 150 * seconds) * seconds));
  });
  assert.equal(toneAt(slide), undefined);
});
