import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createVoiceActivity } from '../../../../src/talking/listening/voice-activity.ts';
import { join, noise, randomOf, silence, type Sound, voiceLike } from '../../../support/listening/sounds.ts';

/** The milliseconds of speech in each second. */
function speechIn(sound: Sound): number[] {
  const voice = createVoiceActivity();
  const seconds: number[] = [];
  for (let at = 0; at + 160 <= sound.length; at += 160) {
    const second = Math.floor(at / 8000);
    const frame = sound.subarray(at, at + 160);
    const energy = frame.reduce((sum, sample) => sum + sample * sample, 0);
    seconds[second] = (seconds[second] ?? 0) + voice.speechMs(frame, energy);
  }
  voice.close();
  return seconds;
}

const spoken = voiceLike(2000);

test('a voice is heard for as long as it speaks', () => {
  const [before, ...rest] = speechIn(join(silence(1000), spoken, silence(2000)));
  assert.equal(before, 0);
  const sum = rest.reduce((total, ms) => total + ms, 0);
  const spokenMs = spoken.length / 8;
  assert.ok(sum > spokenMs * 0.6 && sum < spokenMs + 150, `${sum} of ${spokenMs} ms`);
  assert.equal(rest.at(-1), 0);
});

test('steady noise is no speech after the first second and a half, and a voice above it is', () => {
  const random = randomOf(3);
  for (const rms of [0, 10, 100, 1000, 3000]) {
    const seconds = speechIn(noise(random, 6000, rms));
    assert.deepEqual(seconds.slice(2), [0, 0, 0, 0], `noise of ${rms}: ${seconds.join(' ')}`);
  }
  const noisy = join(
    noise(random, 2000, 200),
    spoken.map((sample, at) => sample + (at % 2 === 0 ? 100 : -100)),
  );
  assert.ok(
    speechIn(noisy)
      .slice(2)
      .some((ms) => ms > 500),
  );
});

test('a click is no speech', () => {
  const click = Int16Array.from({ length: 160 }, (_, at) => (at < 20 ? 15_000 * (-1) ** at : 0));
  assert.deepEqual(speechIn(join(silence(500), click, silence(480))), [0]);
});
