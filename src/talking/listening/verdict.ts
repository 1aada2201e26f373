import type { Heard } from './hearing.ts';

/** Times of `sip.amd`. */
export type VerdictTimes = {
  /** Without any speech for this long, a person listens. */
  initialSilenceMs: number;
  /** A person's greeting has at most this much speech. */
  greetingMs: number;
  /** No person greets with more speech than this. */
  machineMs: number;
  /** Silence that ends a greeting. */
  afterGreetingSilenceMs: number;
};

/** Whether a person or a mailbox has answered. `unclear`: sound alone cannot tell a firm's greeting from a short mailbox. */
export type Verdict = {
  who: 'person' | 'machine' | 'unclear';
  /** For people, in the timeline. */
  why: string;
};

/** A machine of pure rules: it is told what is heard and when, and has no clock. */
export type Judge = {
  /**
   * Takes what was heard up to an instant, in milliseconds since the answer, or with `nothing` that no sound came until then. After the
   * first verdict, a tone may still change it to `machine`.
   * @returns the verdict when there is a new one
   */
  take(atMs: number, heard: Heard): Verdict | undefined;
  verdict(): Verdict | undefined;
};

export const nothing: Heard = { speechMs: 0, isTone: false };

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

export function createJudge(times: VerdictTimes): Judge {
  let speechMs = 0;
  let lastSpeechAtMs = 0;
  let verdict: Verdict | undefined;

  function bySpeech(atMs: number): Verdict | undefined {
    if (speechMs > times.machineMs) return { who: 'machine', why: `more than ${seconds(times.machineMs)} of speech` };
    const silenceMs = atMs - lastSpeechAtMs;
    if (speechMs === 0)
      return silenceMs >= times.initialSilenceMs
        ? { who: 'person', why: `silence for ${seconds(times.initialSilenceMs)}` }
        : undefined;
    if (silenceMs < times.afterGreetingSilenceMs) return undefined;
    return speechMs <= times.greetingMs
      ? { who: 'person', why: `${seconds(speechMs)} of speech` }
      : { who: 'unclear', why: `${seconds(speechMs)} of speech` };
  }

  return {
    take(atMs, heard) {
      if (verdict?.who === 'machine') return undefined;
      if (heard.isTone) return (verdict = { who: 'machine', why: 'a steady tone' });
      if (verdict) return undefined;
      speechMs += heard.speechMs;
      if (heard.speechMs > 0) lastSpeechAtMs = atMs;
      return (verdict = bySpeech(atMs));
    },
    verdict: () => verdict,
  };
}
