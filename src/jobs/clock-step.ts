import { type Clock, monotonicMs } from '../base/clock.ts';

/** A time service that adjusts the clock gradually moves it by less than this between two calls; more means that somebody set it. */
const toleranceMs = 2000;

/**
 * Notices when the machine's clock was set back: compares it with the monotonic clock. The function it returns tells by how many
 * milliseconds the clock was set back since the call before; 0 if it was not.
 */
export function watchClock({ now }: Pick<Clock, 'now'>, monotonicNow: () => number = monotonicMs): () => number {
  let [wallAt, monotonicAt] = [now(), monotonicNow()];
  return () => {
    const [wall, monotonic] = [now(), monotonicNow()];
    const setBackMs = monotonic - monotonicAt - (wall - wallAt);
    [wallAt, monotonicAt] = [wall, monotonic];
    return setBackMs > toleranceMs ? Math.round(setBackMs) : 0;
  };
}
