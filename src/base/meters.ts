import { counter, distributed, histogram, type Labels, type Metric, type Sample } from './metric.ts';

/** Counts events since the start of the process. */
export type Counter = {
  add(labels?: Labels): void;
  metric(): Metric;
};

/** Observations of one set of labels: `counts` has a number for each bucket, each without those of smaller buckets. */
export type Series = { labels: Labels; counts: number[]; seconds: number };

/** Distributes durations over buckets. */
export type Histogram = {
  /** The series of these labels, for code that observes it often. */
  series(labels: Labels): Series;
  record(series: Series, seconds: number): void;
  observe(seconds: number, labels?: Labels): void;
  metric(): Metric;
};

type Description = {
  name: string;
  help: string;
  /** Whether samples have labels. Without them the metric has a sample from the start on, as alerts on its rate need. */
  labelled?: boolean;
};

/** In seconds, for what takes a machine milliseconds: requests, commits, syncs. */
export const shortTimes = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10] as const;
/** In seconds, for what waits in a queue. */
export const waitingTimes = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300] as const;

/** By hand rather than with prom-client: its registry of the whole process would mix servers that share one, as in tests. */
export function createCounter({ name, help, labelled = false }: Description): Counter {
  const series = new Map<string, { labels: Labels; value: number }>();
  const add = (labels: Labels, by: number): void => {
    const key = keyOf(labels);
    const known = series.get(key);
    if (known) known.value += by;
    else series.set(key, { labels, value: by });
  };
  if (!labelled) add({}, 0);
  return {
    add: (labels = {}) => add(labels, 1),
    metric: () => counter(name, help, [...series.values()]),
  };
}

/** `limits` are the upper limits of the buckets in seconds, rising; one more bucket counts the rest. */
export function createHistogram({ name, help, labelled = false }: Description, limits: readonly number[]): Histogram {
  const all = new Map<string, Series>();
  function seriesOf(labels: Labels): Series {
    const key = keyOf(labels);
    const known = all.get(key) ?? { labels, counts: [...limits, 0].map(() => 0), seconds: 0 };
    all.set(key, known);
    return known;
  }
  function record(series: Series, seconds: number): void {
    const bucket = limits.findIndex((limit) => seconds <= limit);
    series.counts[bucket === -1 ? limits.length : bucket]! += 1;
    series.seconds += seconds;
  }
  if (!labelled) seriesOf({});
  return {
    series: seriesOf,
    record,
    observe: (seconds, labels = {}) => record(seriesOf(labels), seconds),
    metric: () =>
      histogram(
        name,
        help,
        [...all.values()].flatMap((one) => samplesOf(one, limits)),
      ),
  };
}

const keyOf = (labels: Labels): string => Object.values(labels).join('\n');

/** The buckets of Prometheus are cumulative. */
function samplesOf({ labels, counts, seconds }: Series, limits: readonly number[]): Sample[] {
  let count = 0;
  const atMost = counts.map((inBucket) => (count += inBucket));
  return distributed({ limits, atMost, count, seconds }, labels);
}
