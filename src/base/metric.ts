export type Labels = Readonly<Record<string, string>>;

/** `suffix` tells the samples of a histogram apart. */
export type Sample = { value: number; labels?: Labels; suffix?: '_bucket' | '_sum' | '_count' };

/** A metric of Prometheus' text format, version 0.0.4, with its samples. */
export type Metric = {
  name: string;
  help: string;
  type: 'counter' | 'gauge' | 'histogram';
  samples: readonly Sample[];
};

export const counter = (name: string, help: string, samples: readonly Sample[]): Metric => ({
  name,
  help,
  type: 'counter',
  samples,
});

export const gauge = (name: string, help: string, samples: readonly Sample[]): Metric => ({
  name,
  help,
  type: 'gauge',
  samples,
});

/** Durations by upper limits in seconds, rising: `atMost` has for each how many took at most that long. */
export type Distribution = { limits: readonly number[]; atMost: readonly number[]; count: number; seconds: number };

/** The samples of one series of a histogram. */
export function distributed({ limits, atMost, count, seconds }: Distribution, labels: Labels = {}): Sample[] {
  const bucket = (le: string, value: number): Sample => ({ suffix: '_bucket', labels: { ...labels, le }, value });
  return [
    ...limits.map((limit, index) => bucket(String(limit), atMost[index]!)),
    bucket('+Inf', count),
    { suffix: '_sum', labels, value: Number(seconds.toFixed(6)) },
    { suffix: '_count', labels, value: count },
  ];
}

export const histogram = (name: string, help: string, samples: readonly Sample[]): Metric => ({
  name,
  help,
  type: 'histogram',
  samples,
});
