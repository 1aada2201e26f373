/** Notices an answer that has begun and does not go on. Instants are milliseconds of one clock. */
export type Starvation = {
  /**
   * To be called now and then while an answer is made. `queuedMs`: sound that waits to be sent; `soundMs`: all that has come so far;
   * `isAwaited`: it is right that nothing comes now.
   * @returns whether nothing was to be heard for too long, less the sound that came
   */
  look(nowMs: number, state: { queuedMs: number; soundMs: number; isAwaited: boolean }): boolean;
  /** Nothing is made now. */
  reset(nowMs: number): void;
};

const frameMs = 20;

/** A service that sends a byte now and then answers no better than one that sends nothing, so single sounds do not begin the time anew. */
export function createStarvation(limitMs: number, startMs: number): Starvation {
  let silentMs = 0;
  let lookedMs = startMs;
  let knownMs = 0;
  return {
    look(nowMs, { queuedMs, soundMs, isAwaited }) {
      if (queuedMs < frameMs && !isAwaited) silentMs += nowMs - lookedMs;
      silentMs = Math.max(0, silentMs - (soundMs - knownMs));
      lookedMs = nowMs;
      knownMs = soundMs;
      return silentMs >= limitMs;
    },
    reset(nowMs) {
      silentMs = 0;
      lookedMs = nowMs;
    },
  };
}
