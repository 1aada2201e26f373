import { createHistogram, type Histogram, type Series, shortTimes } from '../base/meters.ts';
import type { Metric } from '../base/metric.ts';

/** Upper limits of the histogram's buckets, in seconds. */
const timeLimits = [0.001, 0.005, 0.01, 0.05, 0.25];

/** How long statements have held the main thread since the start. */
export type StatementTimes = {
  record(series: Series, ms: number): void;
  /** The series that statements with this text are counted in. */
  seriesOf(sql: string): Series;
  /** How long COMMITs of the main thread took, without their sync. */
  commits: Histogram;
  /** How long syncs of the write-ahead log took. */
  syncs: Histogram;
  metrics(): Metric[];
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
  const statements = createHistogram(
    {
      name: 'parley_main_thread_statement_seconds',
      help: 'How long database statements held the main thread, by what they do and their first table.',
      labelled: true,
    },
    timeLimits,
  );
  const commits = createHistogram(
    { name: 'parley_commit_seconds', help: 'How long commits of the main thread took, without their sync to disk.' },
    shortTimes,
  );
  const syncs = createHistogram(
    { name: 'parley_sync_seconds', help: 'How long syncs of the write-ahead log took; commits share them.' },
    shortTimes,
  );
  const names = new Set<string>();
  return {
    commits,
    syncs,
    metrics: () => [statements, commits, syncs].map((one) => one.metric()),
    seriesOf(sql) {
      const wanted = statementName(sql);
      const name = names.has(wanted) || names.size < maxNames ? wanted : 'other';
      names.add(name);
      return statements.series({ statement: name });
    },
    record: (series, ms) => statements.record(series, ms / 1000),
  };
}
