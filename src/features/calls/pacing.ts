/**
 * Calls per second, kept exactly: each scope (campaign, number, organization) has an instant, `paceAt`, from which its next call
 * may start. These instants lie at least 1000/cps ms apart and have fractions; a call starts in the whole millisecond that holds
 * its instant, several in the same one when the rate is above a thousand. So no second, wherever it begins, has more than cps.
 */

/**
 * Gaps are rounded up to this part of a millisecond: doubles of this century's instants add such parts without rounding. With
 * thirds of a second as they are, one second in some 100,000 had a call too many.
 */
const partsPerMs = 1024;

/** The first whole millisecond, not before now, in which all scopes let a call start. */
export const slotFrom = (now: number, paceAts: readonly number[]): number => Math.max(now, ...paceAts.map(Math.floor));

/** The scope's next instant after a call that starts at `startAt`. Only lost time, never a burst, follows from being late. */
export function paceAfter(paceAt: number, startAt: number, cps: number): number {
  const onTime = startAt <= paceAt;
  return (onTime ? paceAt : startAt) + Math.ceil((1000 * partsPerMs) / cps) / partsPerMs;
}
