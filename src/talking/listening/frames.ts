import { type Codec, frameBytes, samples } from '../../telephony/audio/g711.ts';

/** Cuts audio of any length into frames of 20 ms and decodes them. The frame is used again: it must not be kept. */
export function frameCutter(codec: Codec, onFrame: (frame: Int16Array) => void): (audio: Uint8Array) => void {
  const table = samples[codec];
  const frame = new Int16Array(frameBytes);
  let filled = 0;
  return (audio) => {
    for (let at = 0; at < audio.length;) {
      const count = Math.min(frameBytes - filled, audio.length - at);
      for (let index = 0; index < count; index += 1) frame[filled + index] = table[audio[at + index]!]!;
      at += count;
      filled = (filled + count) % frameBytes;
      if (filled === 0) onFrame(frame);
    }
  };
}
