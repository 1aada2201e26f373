import type { CompiledQuery, Insertable, QueryResult, Updateable } from 'kysely';
import type { Tables } from './schema.generated.ts';
import { connectionNow, type Queryable, type Tx } from './transaction.ts';

type Row = Readonly<Record<string, unknown>>;

/** What a query builder and a `sql` template have in common. */
type Compilable<R> = { compile(db: Queryable): CompiledQuery<R> };

/** A query whose text is made once. Answers its rows and how many it changed. */
export type Prepared<P, R> = (db: Queryable, parameters: P) => Promise<QueryResult<R>>;

/** Stands in a compiled query for the value of a parameter. */
class Placeholder {
  readonly name: string;
  readonly encode: ((value: never) => unknown) | undefined;
  constructor(name: string, encode?: (value: never) => unknown) {
    this.name = name;
    this.encode = encode;
  }
}

/** Encodes a value for the database. A parameter of a prepared query is encoded each time the query runs. */
export const encoded = <T>(value: T, encode: (value: T) => unknown): unknown =>
  value instanceof Placeholder ? new Placeholder(value.name, encode) : encode(value);

const placeholders = new Proxy({}, { get: (_, name) => new Placeholder(String(name)) });

/**
 * A query for a hot path: built and compiled at its first run, then only run, by the shortest way to the connection. Building and
 * compiling cost three times what SQLite takes for a point read, Kysely's way of running as much again, and Kysely does all anew for
 * every query. While `build` runs, its parameters are place holders: they can be bound as values, and nothing else can be done with
 * them.
 */
export function prepared<P extends object, R>(build: (db: Queryable, parameters: P) => Compilable<R>): Prepared<P, R> {
  let known: ReturnType<typeof binding<R>> | undefined;
  return async (db, parameters) => {
    known ??= binding(build(db, placeholders as P).compile(db));
    const values = known.bind(parameters as Row);
    const connection = connectionNow(db);
    if (connection?.canRunNow(known.query.sql)) return connection.execute<R>(known.query.sql, values);
    return db.executeQuery({ ...known.query, parameters: values });
  };
}

/** Puts the values of a run where the place holders of its query are. */
function binding<R>(query: CompiledQuery<R>) {
  const valueOf = query.parameters.map((value) => {
    if (!(value instanceof Placeholder)) return () => value;
    const { name, encode } = value;
    return encode ? (parameters: Row) => encode(parameters[name] as never) : (parameters: Row) => parameters[name];
  });
  return { query, bind: (parameters: Row): unknown[] => valueOf.map((of) => of(parameters)) };
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

/** What a row gives; undefined is as good as not given. */
const columnsOf = (row: Row): string =>
  Object.keys(row)
    .filter((column) => row[column] !== undefined)
    .join(',');

/** Adds one row to a table; prepared for each set of columns that is ever given. Values are values, not expressions. */
export function insertInto<T extends keyof Tables>(table: T) {
  const insert = preparedBy(
    (columns: string) => (db, row: Row) =>
      db.insertInto(table as 'calls').values(pick(row, columns.split(',')) as Insertable<Tables['calls']>),
  );
  return async (tx: Tx, row: Insertable<Tables[T]>): Promise<void> => {
    await insert(columnsOf(row))(tx, row);
  };
}

/** Changes columns of the row with an id; prepared for each set of columns that ever change together. Values are values. */
export function updateById<T extends keyof Tables>(table: T) {
  const update = preparedBy(
    (columns: string) => (db, row: Row) =>
      db
        .updateTable(table as 'calls')
        .set(pick(row, columns.split(',')) as Updateable<Tables['calls']>)
        .where('id', '=', row['id'] as string),
  );
  return async (tx: Tx, id: string, changes: Updateable<Tables[T]>): Promise<void> => {
    await update(columnsOf(changes))(tx, { ...changes, id });
  };
}

const pick = (row: Row, columns: readonly string[]): Row =>
  Object.fromEntries(columns.map((column) => [column, row[column]]));
