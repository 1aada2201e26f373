import type { CompiledQuery, Insertable, QueryResult, Selectable, Updateable } from 'kysely';
import { type DialectName, dialectOf } from './dialect.ts';
import type { Tables } from './schema.generated.ts';
import { connectionNow, type Queryable, type Tx } from './transaction.ts';

type Row = Readonly<Record<string, unknown>>;

/** A query builder or a `sql` template. */
type Compilable<R> = { compile(db: Queryable): CompiledQuery<R> };

/** A query that is compiled once per dialect. Returns its rows, or how many rows it changed. */
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
 * A query for a hot path. It is built and compiled when it first runs; after that it goes to the connection directly. For every query
 * Kysely's building and compiling costs three times what SQLite needs for a point read, and Kysely's way of running it as much again.
 * `build` receives placeholders instead of parameters: it may bind them as values, but not look at them.
 */
export function prepared<P extends object, R>(build: (db: Queryable, parameters: P) => Compilable<R>): Prepared<P, R> {
  const bound = binder(build);
  return async (db, parameters) => {
    const { query, values } = bound(db, parameters);
    return run(db, query, values);
  };
}

/**
 * As prepared(), for a statement whose answer nobody reads: in a transaction on PostgreSQL it is only sent, and where it fails, the transaction
 * does later. Where the caller looks at an error or at how many rows were changed, use prepared().
 */
export function sent<P extends object>(
  build: (db: Queryable, parameters: P) => Compilable<unknown>,
): (db: Queryable, parameters: P) => Promise<void> {
  const bound = binder(build);
  return async (db, parameters) => {
    const { query, values } = bound(db, parameters);
    return send(db, query, values);
  };
}

/** Sends a compiled query with these parameters in place of its own. */
async function send(db: Queryable, query: CompiledQuery, values: readonly unknown[]): Promise<void> {
  const connection = connectionNow(db);
  if (connection?.canRunNow(query.sql)) await connection.send(query.sql, values);
  else await db.executeQuery({ ...query, parameters: values });
}

/** Runs a compiled query with these parameters in place of its own; directly on the connection if that is possible now. */
function run<R>(
  db: Queryable,
  query: CompiledQuery<R>,
  values: readonly unknown[],
): QueryResult<R> | Promise<QueryResult<R>> {
  const connection = connectionNow(db);
  if (connection?.canRunNow(query.sql)) return connection.execute<R>(query.sql, values);
  return db.executeQuery({ ...query, parameters: values });
}

/** A query that is compiled once and then only bound to its parameters: for pages, which pages.ts runs. */
export function compiledOnce<P extends object, R>(
  build: (db: Queryable, parameters: P) => Compilable<R>,
): (db: Queryable, parameters: P) => CompiledQuery<R> {
  const bound = binder(build);
  return (db, parameters) => {
    const { query, values } = bound(db, parameters);
    return { ...query, parameters: values };
  };
}

function binder<P extends object, R>(build: (db: Queryable, parameters: P) => Compilable<R>) {
  const bindingFor = oncePerDialect((db) => binding(build(db, placeholders as P).compile(db)));
  return (db: Queryable, parameters: P): { query: CompiledQuery<R>; values: unknown[] } => {
    const compiled = bindingFor(db);
    return { query: compiled.query, values: compiled.bind(parameters as Row) };
  };
}

/** Makes something once for each dialect: what one compiles, another does not understand. */
function oncePerDialect<T>(make: (db: Queryable) => T): (db: Queryable) => T {
  const made: Partial<Record<DialectName, T>> = {};
  return (db) => (made[dialectOf(db)] ??= make(db));
}

/** Replaces the placeholders of a compiled query by the values of one run. */
function binding<R>(query: CompiledQuery<R>) {
  const valueOf = query.parameters.map((value) => {
    if (!(value instanceof Placeholder)) return () => value;
    const { name, encode } = value;
    return encode ? (parameters: Row) => encode(parameters[name] as never) : (parameters: Row) => parameters[name];
  });
  return { query, bind: (parameters: Row): unknown[] => valueOf.map((of) => of(parameters)) };
}

/** One prepared query for each key, built when the key is first used. They are never forgotten, so use few keys. */
export const preparedBy = <K extends string, P extends object, R>(
  build: (key: K) => (db: Queryable, parameters: P) => Compilable<R>,
): ((key: K) => Prepared<P, R>) => onePerKey((key: K) => prepared(build(key)));

/** As preparedBy(), for statements whose answer nobody reads. */
export const sentBy = <K extends string, P extends object>(
  build: (key: K) => (db: Queryable, parameters: P) => Compilable<unknown>,
): ((key: K) => (db: Queryable, parameters: P) => Promise<void>) => onePerKey((key: K) => sent(build(key)));

function onePerKey<K extends string, Q>(make: (key: K) => Q): (key: K) => Q {
  const queries = new Map<K, Q>();
  return (key) => {
    const query = queries.get(key) ?? make(key);
    queries.set(key, query);
    return query;
  };
}

/** The columns that a row has values for; undefined counts as absent. */
const columnsOf = (row: Row): string =>
  Object.keys(row)
    .filter((column) => row[column] !== undefined)
    .join(',');

/** Inserts one row into a table, with one sent statement per set of columns. Takes plain values, not expressions. */
export function insertInto<T extends keyof Tables>(table: T) {
  const insert = sentBy(
    (columns: string) => (db, row: Row) =>
      db.insertInto(table as 'calls').values(pick(row, columns.split(',')) as Insertable<Tables['calls']>),
  );
  return async (tx: Tx, row: Insertable<Tables[T]>): Promise<void> => {
    await insert(columnsOf(row))(tx, row);
  };
}

/** How many rows one statement inserts: 16 take two thirds of the time of 16 statements, more save little more. */
const rowsPerInsert = 16;

/** Inserts many rows into a table, with sent statements. Takes plain values, not expressions; every row has a value, perhaps null, for every column. */
export function insertRowsInto<T extends keyof Tables, C extends keyof Selectable<Tables[T]> & string>(
  table: T,
  columns: readonly C[],
) {
  /** The parameters of the statement are the values of all rows, in order. */
  const insert = (count: number) => {
    const queryFor = oncePerDialect((tx): CompiledQuery => {
      const row = Object.fromEntries(columns.map((column) => [column, '']));
      const rows = Array.from({ length: count }, () => row) as Array<Insertable<Tables['calls']>>;
      return tx
        .insertInto(table as 'calls')
        .values(rows)
        .compile();
    });
    return async (tx: Tx, values: readonly unknown[]): Promise<void> => {
      await send(tx, queryFor(tx), values);
    };
  };
  const [insertOne, insertMany] = [insert(1), insert(rowsPerInsert)];
  return async (tx: Tx, rows: ReadonlyArray<Pick<Selectable<Tables[T]>, C>>): Promise<void> => {
    let at = 0;
    while (at < rows.length) {
      const count = at + rowsPerInsert <= rows.length ? rowsPerInsert : 1;
      const values: unknown[] = [];
      for (const row of rows.slice(at, at + count)) for (const column of columns) values.push(row[column]);
      await (count === 1 ? insertOne : insertMany)(tx, values);
      at += count;
    }
  };
}

/** Updates columns of the row with an id, with one sent statement per set of columns. Takes plain values, not expressions. */
export function updateById<T extends keyof Tables>(table: T) {
  const update = sentBy(
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
