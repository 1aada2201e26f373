import type { CompiledQuery, QueryResult } from 'kysely';
import type { Queryable } from './transaction.ts';

/** What a query builder and a `sql` template have in common. */
type Compilable<R> = { compile(db: Queryable): CompiledQuery<R> };

/** A query whose text is made once. Answers its rows and how many it changed. */
export type Prepared<P, R> = (db: Queryable, parameters: P) => Promise<QueryResult<R>>;

/** Stands in a compiled query where a parameter's value goes. */
class Place {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

const places = new Proxy({}, { get: (_, name) => new Place(String(name)) });

/**
 * A query for a hot path: built and compiled at its first run, then only run. Building and compiling cost three times what SQLite
 * takes for a point read, and Kysely does both anew for every query. While `build` runs, its parameters are place holders: they can
 * be bound as values, and nothing else can be done with them.
 */
export function prepared<P extends object, R>(build: (db: Queryable, parameters: P) => Compilable<R>): Prepared<P, R> {
  let compiled: CompiledQuery<R> | undefined;
  return (db, parameters) => {
    compiled ??= build(db, places as P).compile(db);
    const values = compiled.parameters.map((value) =>
      value instanceof Place ? parameters[value.name as keyof P] : value,
    );
    return db.executeQuery({ ...compiled, parameters: values });
  };
}

/** Queries that differ in their text only by a key, each prepared when it is first asked for. The keys are few. */
export function preparedBy<K extends string, P extends object, R>(
  build: (key: K) => (db: Queryable, parameters: P) => Compilable<R>,
): (key: K) => Prepared<P, R> {
  const known = new Map<K, Prepared<P, R>>();
  return (key) => {
    const query = known.get(key) ?? prepared(build(key));
    known.set(key, query);
    return query;
  };
}
