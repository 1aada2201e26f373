import { type Codec, decode } from '../../../src/telephony/audio/g711.ts';

/** Samples a second. */
const rate = 8000;

/** The share of a sound's energy that is a tone of this frequency, by Goertzel's algorithm: 1 for a pure tone, 0 for silence. */
function toneShare(pcm: Int16Array, hertz: number): number {
  const coefficient = 2 * Math.cos((2 * Math.PI * hertz) / rate);
  let [before, last, energy] = [0, 0, 0];
  for (const sample of pcm) {
    [before, last] = [last, sample + coefficient * last - before];
    energy += sample ** 2;
  }
  const power = last ** 2 + before ** 2 - coefficient * last * before;
  return energy === 0 ? 0 : (2 * power) / (energy * pcm.length);
}

/** The share in the parts of 100 ms of which most have it, so that a hole, which shifts the phase, does not cancel the tone. */
export function medianToneShareOfPcm(pcm: Int16Array, hertz: number): number {
  const shares: number[] = [];
  const part = rate / 10;
  for (let at = 0; at + part <= pcm.length; at += part) shares.push(toneShare(pcm.subarray(at, at + part), hertz));
  return shares.toSorted((a, b) => a - b)[Math.floor(shares.length / 2)] ?? 0;
}

export const medianToneShare = (codec: Codec, audio: Uint8Array, hertz: number): number =>
  medianToneShareOfPcm(decode(codec, audio), hertz);
