import { every, monotonicMs } from '../../../base/clock.ts';
import { frameBytes } from '../../../telephony/audio/g711.ts';
import type { Line } from '../../../telephony/audio/speech.ts';
import { createPatience, type PatienceTimes } from '../../conversation/patience.ts';
import { frameCutter } from '../../listening/frames.ts';

/** 20 ms with at least this sum of squares, -40 dB of full scale, count as heard: a line is tried with tones as often as with speech. */
const heardEnergy = frameBytes * (32_768 * 0.01) ** 2;
const lookMs = 500;

/** What the engine does in a silence. */
export type InSilence = {
  /** Milliseconds that the agent still speaks; its echo does not count. */
  speakingMs(): number;
  remind(): void;
};

export type SilenceWatch = {
  /** The agent may speak from now on: before that, nothing is done about a silence. */
  begin(): void;
  hear(audio: Uint8Array): void;
  /** The other side did something else that shows it is there. */
  userActs(): void;
  held(isHeld: boolean): void;
  stop(): void;
};

/** Reminds, then hangs up, when nobody is heard (`reminderTriggerMs`, `silenceTimeoutMs`), counted from the answer. */
export function watchSilence(line: Line, times: PatienceTimes, inSilence: InSilence): SilenceWatch {
  const answeredMs = monotonicMs();
  const nowMs = (): number => monotonicMs() - answeredMs;
  const patience = createPatience(times, 0);
  const userActs = (): void => patience.userSpoke(nowMs());

  function look(): void {
    const atMs = nowMs();
    const due = patience.look(atMs, atMs + inSilence.speakingMs());
    if (due === 'remind') inSilence.remind();
    else if (due === 'hang-up') line.hangUp({ status: 'completed', errorMessage: null });
  }

  let stop = (): void => undefined;
  return {
    begin: () => void (stop = every(lookMs, look)),
    hear: frameCutter(line.codec, (_frame, energy) => {
      if (energy >= heardEnergy) userActs();
    }),
    userActs,
    held: (isHeld) => patience.held(isHeld, nowMs()),
    stop: () => stop(),
  };
}
