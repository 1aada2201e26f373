/** How late packets are sent, compared with their slot. Fixed memory. */
export type Lateness = {
  add(ms: number): void;
  /** Packets that were at most this late, in milliseconds; of all: `count`. Exact at multiples of 0.25 ms up to 250 ms. */
  atMost(ms: number): number;
  count(): number;
  sumMs(): number;
  worstMs(): number;
  /** The lateness that this share of the packets does not exceed, rounded up to 0.25 ms. */
  quantileMs(share: number): number;
};

const stepMs = 0.25;
const steps = 1000;

export function lateness(): Lateness {
  /** By lateness, rounded up to steps; the last one has all that are later. */
  const counts = new Float64Array(steps + 2);
  let [count, sumMs, worstMs] = [0, 0, 0];
  const stepOf = (ms: number): number => Math.min(steps + 1, Math.ceil(Math.max(0, ms) / stepMs));
  return {
    add(ms) {
      counts[stepOf(ms)]! += 1;
      count += 1;
      sumMs += ms;
      worstMs = Math.max(worstMs, ms);
    },
    atMost: (ms) =>
      counts.subarray(0, Math.min(steps, Math.floor(ms / stepMs)) + 1).reduce((sum, some) => sum + some, 0),
    count: () => count,
    sumMs: () => sumMs,
    worstMs: () => worstMs,
    quantileMs(share) {
      let seen = 0;
      const step = counts.findIndex((some) => (seen += some) >= share * count);
      return step > steps ? worstMs : step * stepMs;
    },
  };
}
