/** Figures of ended calls, which add up. */
export type Figures = {
  calls: number;
  answered: number;
  completed: number;
  voicemail: number;
  no_answer: number;
  busy: number;
  failed: number;
  goals_met: number;
  goals_judged: number;
  talk_sec: number;
  cost: number;
  /** Calls by their latency: below 200 ms, by 100 ms up to 2,000, and beyond. */
  latencies: number[];
};

export const countNames = [
  'calls',
  'answered',
  'completed',
  'voicemail',
  'no_answer',
  'busy',
  'failed',
  'goals_met',
  'goals_judged',
  'talk_sec',
  'cost',
] as const;

export const latencyBuckets = 20;

export const noFigures = (): Figures => ({
  ...(Object.fromEntries(countNames.map((name) => [name, 0])) as Omit<Figures, 'latencies'>),
  latencies: Array.from({ length: latencyBuckets }, () => 0),
});

export function addTo(sum: Figures, more: Figures): void {
  for (const name of countNames) sum[name] += more[name];
  for (const [bucket, calls] of more.latencies.entries()) sum.latencies[bucket]! += calls;
}

const lowerBound = (bucket: number): number => (bucket === 0 ? 0 : 100 + bucket * 100);

/** The latency that this share of the calls does not exceed, interpolated within its bucket; null without calls. */
export function percentileOf(latencies: readonly number[], share: number): number | null {
  const calls = latencies.reduce((sum, count) => sum + count, 0);
  if (calls === 0) return null;
  let before = 0;
  for (const [bucket, count] of latencies.entries()) {
    if (count > 0 && before + count >= calls * share) {
      const from = lowerBound(bucket);
      const width = bucket === latencyBuckets - 1 ? 0 : lowerBound(bucket + 1) - from;
      return Math.round(from + (width * (calls * share - before)) / count);
    }
    before += count;
  }
  return null;
}

export const presentFigures = ({ latencies, ...figures }: Figures) => ({
  ...figures,
  cost: Math.round(figures.cost * 10_000) / 10_000,
  latency: {
    count: latencies.reduce((sum, calls) => sum + calls, 0),
    p50_ms: percentileOf(latencies, 0.5),
    p95_ms: percentileOf(latencies, 0.95),
    buckets: [...latencies],
  },
});
