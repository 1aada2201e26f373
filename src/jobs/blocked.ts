import type { Scope } from '../db/transaction.ts';

/**
 * Scopes whose due jobs could not all be claimed, because their lanes or all places were taken. A place that becomes free goes to the
 * scope that has waited longest for it: waking all of them would cost a claim each.
 */
export type Blocked = {
  /** `lanes`: those in which jobs were left; undefined when not known. */
  add(scope: Scope, lanes: ReadonlySet<string> | undefined): void;
  /** The scope is being looked at. Returns the lane for which it was woken, if it was. */
  remove(scope: Scope): string | undefined;
  /** A job of the lane has finished. */
  freed(lane: string): void;
  /** The scope woken for the lane had no use for the place: wakes the next one. */
  passOn(scope: Scope, lane: string): void;
};

export function createBlocked(wake: (scope: Scope) => void): Blocked {
  const waiting = new Map<Scope, ReadonlySet<string> | undefined>();
  const wokenFor = new Map<Scope, string>();
  /** Scopes that had no use for the places freed last. */
  let refused = new Set<Scope>();

  function wakeOne(lane: string): void {
    for (const [scope, lanes] of waiting) {
      if ((lanes && !lanes.has(lane)) || refused.has(scope)) continue;
      waiting.delete(scope);
      wokenFor.set(scope, lane);
      wake(scope);
      return;
    }
  }

  return {
    add: (scope, lanes) => void waiting.set(scope, lanes),
    remove(scope) {
      waiting.delete(scope);
      const lane = wokenFor.get(scope);
      wokenFor.delete(scope);
      return lane;
    },
    freed(lane) {
      refused = new Set();
      wakeOne(lane);
    },
    passOn(scope, lane) {
      refused.add(scope);
      wakeOne(lane);
    },
  };
}
