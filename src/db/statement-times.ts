/** Upper limits of the histogram's buckets, in seconds. One more counts the rest. */
export const timeLimits = [0.001, 0.005, 0.01, 0.05, 0.25] as const;

/** How long the statements of one name took: `counts` has one number per bucket, each without those of smaller buckets. */
export type TimesOfName = { name: string; counts: number[]; seconds: number };

/** How long statements have held the main thread since the start. */
export type StatementTimes = {
  record(series: TimesOfName, ms: number): void;
  /** The series that statements with this text are counted in. */
  seriesOf(sql: string): TimesOfName;
  all(): Iterable<TimesOfName>;
};

/** Bounds the answer of a scrape; the program has some two hundred names. */
const maxNames = 400;

const verb = /\b(?:select|insert|update|delete|commit|begin|rollback|savepoint|release|pragma)\b/i;
/** Not a table function, such as `json_each(`, and no subquery. */
const table = /\b(?:from|into|update)\s+"?([a-z][a-z0-9_]*)"?(?![\w"(])/i;

/** A short name for a statement: what it does, and the first table that it names. */
export function statementName(sql: string): string {
  const [does = 'other'] = verb.exec(sql) ?? [];
  const [, of] = table.exec(sql) ?? [];
  return (of === undefined ? does : `${does} ${of}`).toLowerCase();
}

export function createStatementTimes(): StatementTimes {
  const byName = new Map<string, TimesOfName>();
  return {
    seriesOf(sql) {
      const wanted = statementName(sql);
      const name = byName.has(wanted) || byName.size < maxNames ? wanted : 'other';
      const series = byName.get(name) ?? { name, counts: [...timeLimits, 0].map(() => 0), seconds: 0 };
      byName.set(name, series);
      return series;
    },
    record(series, ms) {
      const seconds = ms / 1000;
      const bucket = timeLimits.findIndex((limit) => seconds <= limit);
      series.counts[bucket === -1 ? timeLimits.length : bucket]! += 1;
      series.seconds += seconds;
    },
    all: () => byName.values(),
  };
}
