/** The three figures that bound the rate of calls. */
export type Pace = { maxCps: number; maxConcurrent: number; meanCallSec: number };

/** Lower bound for the mean: even a call that is refused at once occupies capacity for about this long. */
export const minCallSec = 1;

const callMs = ({ meanCallSec }: Pace): number => Math.max(meanCallSec, minCallSec) * 1000;

/** Whether the limit of concurrent calls, rather than that of starts per second, bounds the rate in the long run. */
const isConcurrencyBound = (pace: Pace): boolean => pace.maxConcurrent * 1000 < pace.maxCps * callMs(pace);

/**
 * How many calls start within `lengthMs` if none is live at its beginning. If concurrency is the bound, calls start in rounds of
 * `maxConcurrent`, and a round begins when the first call of the round before it ends.
 */
export function startsIn(pace: Pace, lengthMs: number): number {
  const paced = (ms: number): number => Math.ceil((ms * pace.maxCps) / 1000);
  if (!isConcurrencyBound(pace)) return paced(lengthMs);
  const rounds = Math.floor(lengthMs / callMs(pace));
  return rounds * pace.maxConcurrent + Math.min(pace.maxConcurrent, paced(lengthMs - rounds * callMs(pace)));
}

/** When the next call can start once `calls` have started, in milliseconds from the beginning of the period. */
export function nextStartAfter(pace: Pace, calls: number): number {
  if (!isConcurrencyBound(pace)) return Math.ceil((calls * 1000) / pace.maxCps);
  const rounds = Math.floor(calls / pace.maxConcurrent);
  return Math.ceil(rounds * callMs(pace) + ((calls % pace.maxConcurrent) * 1000) / pace.maxCps);
}
