import { type Codec, encode } from './g711.ts';

const sampleRate = 8000;
/** A fifth of full scale: as loud as speech. */
const amplitude = 6500;

/** A steady tone; its ends are faded over 5 ms, so that they do not click. */
export function tone(codec: Codec, hertz: number, ms: number): Uint8Array {
  const length = Math.round((ms * sampleRate) / 1000);
  const faded = sampleRate / 200;
  const pcm = Float64Array.from({ length }, (_, at) => {
    const fade = Math.min(1, at / faded, (length - 1 - at) / faded);
    return Math.round(amplitude * fade * Math.sin((2 * Math.PI * hertz * at) / sampleRate));
  });
  return encode(codec, pcm);
}
