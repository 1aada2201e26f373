/** How fast calls can be made: starts per second at most, lines, and how long a call takes one. */
export type Pace = { maxCps: number; maxConcurrent: number; meanCallSec: number };

/** A call that is refused at once takes its line for so long all the same. */
const minCallSec = 1;

const callMs = ({ meanCallSec }: Pace): number => Math.max(meanCallSec, minCallSec) * 1000;

/** Whether lines are what calls wait for in the long run, and not the pace. */
const isConcurrencyBound = (pace: Pace): boolean => pace.maxConcurrent * 1000 < pace.maxCps * callMs(pace);

/**
 * How many calls start in a stretch of time that begins with all lines free. Where lines are short, each round begins when the first
 * call of the one before ends, and starts as many as there are lines.
 */
export function startsIn(pace: Pace, lengthMs: number): number {
  const paced = (ms: number): number => Math.ceil((ms * pace.maxCps) / 1000);
  if (!isConcurrencyBound(pace)) return paced(lengthMs);
  const rounds = Math.floor(lengthMs / callMs(pace));
  return rounds * pace.maxConcurrent + Math.min(pace.maxConcurrent, paced(lengthMs - rounds * callMs(pace)));
}

/** When, in milliseconds from the beginning of such a stretch, so many calls have started and the next one can. */
export function nextStartAfter(pace: Pace, calls: number): number {
  if (!isConcurrencyBound(pace)) return Math.ceil((calls * 1000) / pace.maxCps);
  const rounds = Math.floor(calls / pace.maxConcurrent);
  return Math.ceil(rounds * callMs(pace) + ((calls % pace.maxConcurrent) * 1000) / pace.maxCps);
}
