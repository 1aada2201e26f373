export type Random = {
  /** At least 0, less than 1. */
  draw(): number;
  chance(share: number): boolean;
  /** A whole number, both bounds included. */
  between(least: number, most: number): number;
  pick<T>(list: readonly T[]): T;
};

/**
 * Pseudorandom numbers (mulberry32). The same seed gives the same plan of crashes and the same sequence of answers by the receiver
 * and the runtime. Timing still differs between runs.
 */
export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  const draw = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (least: number, most: number): number => least + Math.floor(draw() * (most - least + 1));
  return {
    draw,
    between,
    chance: (share) => draw() < share,
    pick: (list) => list[between(0, list.length - 1)]!,
  };
}
