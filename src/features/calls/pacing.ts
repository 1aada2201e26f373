/**
 * Exact limits of calls per second (cps): each campaign, number and organization has `paceAt`, the instant from which its next call may
 * start. Consecutive values are at least 1000/cps ms apart, with fractions. A call starts in the whole millisecond that contains its
 * instant (several share one if cps > 1000). Therefore no interval of one second, wherever it begins, contains more than cps starts.
 */

/**
 * Gaps are rounded up to 1/1024 ms, which doubles add exactly to Unix milliseconds of this century. With unrounded thirds of a second,
 * about one second in 100,000 had one call too many.
 */
const partsPerMs = 1024;

/** The first whole millisecond, at or after `now`, in which every limit allows a call to start. */
export const slotFrom = (now: number, paceAts: readonly number[]): number => Math.max(now, ...paceAts.map(Math.floor));

/** The next `paceAt` after a call that starts at `startAt`. A late start loses its slot: later calls never catch up in a burst. */
export function paceAfter(paceAt: number, startAt: number, cps: number): number {
  const onTime = startAt <= paceAt;
  return (onTime ? paceAt : startAt) + Math.ceil((1000 * partsPerMs) / cps) / partsPerMs;
}
