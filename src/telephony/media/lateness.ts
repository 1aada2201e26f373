/** How late packets are sent, compared with their slot. Fixed memory. */
export type Lateness = {
  add(ms: number): void;
  /** Packets that were at most this late, in milliseconds; of all: `count`. Exact at multiples of 0.25 ms up to 250 ms. */
  atMost(ms: number): number;
  count(): number;
  sumMs(): number;
};

const stepMs = 0.25;
const steps = 1000;

export function lateness(): Lateness {
  /** By lateness, rounded up to steps; the last one has all that are later. */
  const counts = new Float64Array(steps + 2);
  let [count, sumMs] = [0, 0];
  const stepOf = (ms: number): number => Math.min(steps + 1, Math.ceil(Math.max(0, ms) / stepMs));
  return {
    add(ms) {
      counts[stepOf(ms)]! += 1;
      count += 1;
      sumMs += ms;
    },
    atMost: (ms) =>
      counts.subarray(0, Math.min(steps, Math.floor(ms / stepMs)) + 1).reduce((sum, some) => sum + some, 0),
    count: () => count,
    sumMs: () => sumMs,
  };
}
