import Sqlite from 'better-sqlite3';

type Method = (...parameters: unknown[]) => unknown;

/** Counts the SQL statements that the main thread runs, by their text. There is one counter per process: tests that count run alone. */
export type StatementCounter = {
  /** Forgets what was counted. */
  restart(): void;
  /** How many statements ran since then; with `pattern`, those whose text matches it. */
  count(pattern?: RegExp): number;
  /** The texts with their counts, the most frequent first, for the message of a failed assertion. */
  list(): string;
  stop(): void;
};

/**
 * Replaces methods on the prototype of better-sqlite3's statements, so that every statement is counted, whichever way it reaches the
 * database.
 */
export function countStatements(): StatementCounter {
  const database = new Sqlite(':memory:');
  const prototype = Object.getPrototypeOf(database.prepare('SELECT 1')) as Record<string, Method>;
  database.close();
  const counts = new Map<string, number>();
  const originals = ['run', 'all', 'get', 'iterate'].map((name) => [name, prototype[name]!] as const);
  for (const [name, original] of originals) {
    prototype[name] = function counting(this: { source: string }, ...parameters: unknown[]) {
      counts.set(this.source, (counts.get(this.source) ?? 0) + 1);
      return Reflect.apply(original, this, parameters);
    };
  }
  const entries = (): Array<[string, number]> => [...counts].toSorted(([, a], [, b]) => b - a);
  return {
    restart: () => counts.clear(),
    count: (pattern = /./) => entries().reduce((sum, [source, count]) => sum + (pattern.test(source) ? count : 0), 0),
    list: () =>
      entries()
        .map(([source, count]) => `${count} × ${source.replaceAll(/\s+/g, ' ').slice(0, 150)}`)
        .join('\n'),
    stop() {
      for (const [name, original] of originals) prototype[name] = original;
    },
  };
}
