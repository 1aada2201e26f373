import type { Codec } from '../../telephony/audio/g711.ts';
import { frameCutter } from './frames.ts';
import { createSteadyTone } from './steady-tone.ts';
import { createVoiceActivity } from './voice-activity.ts';

/** 20 ms of the other side's sound. */
export type Heard = {
  /** The milliseconds of speech that are known since the frame before: more than 20 where speech begins. */
  speechMs: number;
  /** A steady tone has lasted for 120 ms and still lasts. */
  isTone: boolean;
};

export type Hearing = {
  /** G.711 in the codec of the call, of any length. */
  hear(audio: Uint8Array): void;
  close(): void;
};

/** Says of the other side's sound what is speech and what a tone, frame by frame. */
export function createHearing(codec: Codec, onFrame: (heard: Heard) => void): Hearing {
  const voice = createVoiceActivity();
  const tones = createSteadyTone();
  return {
    hear: frameCutter(codec, (frame, energy) => {
      const speechMs = voice.speechMs(frame, energy);
      onFrame({ speechMs, isTone: tones.isTone(frame) });
    }),
    close: () => voice.close(),
  };
}
