import { type Codec, frameBytes, samples } from '../../telephony/audio/g711.ts';

/**
 * Cuts audio of any length into frames of 20 ms and decodes them. `energy`: the sum of the squares of its samples. The frame is used again: it
 * must not be kept.
 */
export function frameCutter(
  codec: Codec,
  onFrame: (frame: Int16Array, energy: number) => void,
): (audio: Uint8Array) => void {
  const frame = new Int16Array(frameBytes);
  const table = samples[codec];
  let filled = 0;
  let energy = 0;
  return (audio) => {
    for (let at = 0; at < audio.length;) {
      const count = Math.min(frameBytes - filled, audio.length - at);
      energy += decodeInto(frame, filled, table, audio, at, count);
      at += count;
      filled += count;
      if (filled < frameBytes) return;
      const whole = energy;
      filled = 0;
      energy = 0;
      onFrame(frame, whole);
    }
  };
}

/** Returns the sum of the squares. Apart from the rest, so that the loop runs on local variables. */
function decodeInto(
  frame: Int16Array,
  to: number,
  table: Int16Array,
  audio: Uint8Array,
  from: number,
  count: number,
): number {
  let energy = 0;
  for (let at = 0; at < count; at += 1) {
    const sample = table[audio[from + at]!]!;
    frame[to + at] = sample;
    energy += sample * sample;
  }
  return energy;
}
