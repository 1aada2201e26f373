import { type Codec, silenceByte } from '../../telephony/audio/g711.ts';

/** Both sides of a call, laid down by the time since the answer. What is missing is silence, so that both keep to that time. */
export type Tracks = {
  place(side: 'person' | 'agent', audio: Uint8Array, atMs: number): void;
  /** The next second, once nothing more can come into it; null before that. `nowMs`: the time since the answer. */
  due(nowMs: number): Buffer | null;
  /** Everything up to now that was not taken yet. */
  rest(nowMs: number): Buffer;
};

const samplesPerMs = 8;
const secondSamples = 8000;
/** Reordered packets come up to 60 ms late, those of a burst 100 ms early. */
const windowSamples = 3 * secondSamples;
/**
 * A second is taken when it lies this far back: asked four times a second, what is not written is at most 1.65 s, which leaves a busy
 * machine 0.35 s for the write until 2 s would be lost.
 */
const settledMs = 400;

export function createTracks(codec: Codec): Tracks {
  const silence = silenceByte[codec];
  const window = Buffer.alloc(windowSamples * 2, silence);
  /** The sample since the answer with which the window begins. */
  let base = 0;

  function take(samples: number): Buffer {
    const taken = Buffer.from(window.subarray(0, samples * 2));
    window.copyWithin(0, samples * 2);
    window.fill(silence, (windowSamples - samples) * 2);
    base += samples;
    return taken;
  }

  return {
    place(side, audio, atMs) {
      const channel = side === 'person' ? 0 : 1;
      const start = Math.round(atMs * samplesPerMs) - base;
      const from = Math.max(0, -start);
      const to = Math.min(audio.length, windowSamples - start);
      for (let at = from; at < to; at += 1) window[(start + at) * 2 + channel] = audio[at]!;
    },
    due: (nowMs) =>
      nowMs * samplesPerMs - base >= secondSamples + settledMs * samplesPerMs ? take(secondSamples) : null,
    rest(nowMs) {
      const parts: Buffer[] = [];
      for (;;) {
        const left = Math.round(nowMs * samplesPerMs) - base;
        if (left <= 0) return Buffer.concat(parts);
        parts.push(take(Math.min(left, secondSamples)));
      }
    },
  };
}
