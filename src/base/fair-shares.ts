/** A fixed amount of something, such as memory, that owners take from and give back. */
export type FairShares = {
  /** Whether the owner was given the amount. */
  tryTake(owner: string, amount: number): boolean;
  giveBack(owner: string, amount: number): void;
};

/**
 * An owner may hold as much as stays free after it took: one alone gets half of the total, two get a third each, and there is always
 * something left for the next one. (Switches share their packet buffers by this rule: dynamic thresholds, Choudhury and Hahne 1998.)
 */
export function createFairShares(total: number): FairShares {
  const held = new Map<string, number>();
  let free = total;
  return {
    tryTake(owner, amount) {
      const wanted = (held.get(owner) ?? 0) + amount;
      if (wanted > free - amount) return false;
      held.set(owner, wanted);
      free -= amount;
      return true;
    },
    giveBack(owner, amount) {
      const left = held.get(owner)! - amount;
      if (left === 0) held.delete(owner);
      else held.set(owner, left);
      free += amount;
    },
  };
}
