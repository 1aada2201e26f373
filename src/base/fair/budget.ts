/** A fixed amount of something, such as memory, that owners take from and release. Who finds nothing left is refused and does not wait. */
export type Budget = {
  /** Whether the owner was given the amount. */
  tryTake(owner: string, amount: number): boolean;
  release(owner: string, amount: number): void;
};

/**
 * An owner may hold at most as much as is still free after taking it: a single owner gets half of the total, two get a third each, and
 * something is always left for another. (Switches share their packet buffers like this: dynamic thresholds, Choudhury and Hahne 1998.)
 */
export function createBudget(total: number): Budget {
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
    release(owner, amount) {
      const left = held.get(owner)! - amount;
      if (left === 0) held.delete(owner);
      else held.set(owner, left);
      free += amount;
    },
  };
}
