import { createFvad } from './fvad.ts';
import { noiseFloor } from './noise-floor.ts';

/** How far above the noise speech is, in dB. Steady noise, which WebRTC's detector takes for speech, varies by less. */
const marginDb = 6;
/** The level of the lowest step of G.711, or less: digital silence, which tells nothing of the noise. */
const digitalSilenceDb = 19;
/** Shorter sounds are clicks and knocks. */
const minSpeechFrames = 3;

export type VoiceActivity = {
  /**
   * Takes the next 20 ms. `energy`: the sum of the squares of its samples.
   * @returns the milliseconds of speech that this frame adds: more than its own when it shows that the frames before it were speech, too
   */
  speechMs(frame: Int16Array, energy: number): number;
  close(): void;
};

const frameMs = 20;

/** Finds speech in the sound of a call. */
export function createVoiceActivity(): VoiceActivity {
  const fvad = createFvad();
  const floor = noiseFloor();
  let active = 0;
  return {
    speechMs(frame, energy) {
      const soundsLikeSpeech = fvad.isSpeech(frame);
      const db = energy === 0 ? 0 : 10 * Math.log10(energy / frame.length);
      if (db > digitalSilenceDb) floor.take(db);
      active = soundsLikeSpeech && db > floor.db() + marginDb ? active + 1 : 0;
      if (active < minSpeechFrames) return 0;
      return active === minSpeechFrames ? minSpeechFrames * frameMs : frameMs;
    },
    close: () => fvad.close(),
  };
}
