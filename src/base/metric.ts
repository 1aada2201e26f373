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
