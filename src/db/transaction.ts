import { AsyncLocalStorage } from 'node:async_hooks';
import { type Dialect, Kysely, sql, type Transaction } from 'kysely';
import type { Connection } from './connection.ts';
import type { Tables } from './schema.generated.ts';

/** A query runs either on the database itself or on an open transaction. */
export type Queryable = Kysely<Tables>;
export type Tx = Transaction<Tables>;

type Open = { db: Queryable; tx: Tx; scope: Scope; hooks: Array<() => void>; isOpen: boolean };

/**
 * Whose data a transaction changes: an organization's id, or a named scope for data that belongs to no organization
 * (`installation`, `login:<hash>`). SQLite locks the whole file anyway; the job runner shares its time by scope, and a database with
 * several nodes will lock by it.
 */
export type Scope = string;
/** The scope of data that all organizations share: catalog, encryption keys, housekeeping. */
export const installation: Scope = 'installation';

/** The transaction that the running code was called in, directly or indirectly. */
const ambient = new AsyncLocalStorage<Open>();
const transactions = new WeakMap<Tx, Open>();

/** The connection behind each database that is open. */
const connections = new WeakMap<Queryable, Connection>();

/** A database whose queries run on a connection. The dialect gets a function that tells whether the running code is inside a transaction. */
export function databaseOn(connection: Connection, dialect: (isInside: () => boolean) => Dialect): Queryable {
  const db: Queryable = new Kysely<Tables>({ dialect: dialect(() => isInTransaction(db)) });
  connections.set(db, connection);
  return db;
}

const openOn = (db: Queryable): Open | undefined => {
  const open = ambient.getStore();
  return open?.isOpen === true && open.db === db ? open : undefined;
};

/** Whether the calling code runs inside a transaction on this database. Its queries on `db` itself then belong to that transaction. */
export const isInTransaction = (db: Queryable): boolean => openOn(db) !== undefined;

/**
 * The connection, if a query on `db` may run on it immediately: the query belongs to the transaction that holds the connection, or
 * nobody holds it. Otherwise undefined: run the query through Kysely, which waits for the connection.
 * @throws when `db` is a transaction that has ended
 */
export function connectionNow(db: Queryable): Connection | undefined {
  const own = transactions.get(db as Tx);
  if (own?.isOpen === false) throw new Error('query after its transaction ended (a promise was not awaited)');
  if (own) return connections.get(own.db);
  const connection = connections.get(db);
  return connection && (!connection.isHeld() || isInTransaction(db)) ? connection : undefined;
}

/**
 * Runs queries in one IMMEDIATE transaction. `run` may await nothing but queries, because it holds this thread's only connection
 * until it ends. Hooks added by `onCommit` run after the commit, never after a rollback.
 *
 * Inside another transaction on the same database it becomes a savepoint: an error undoes only the inner part, and otherwise the
 * inner part commits or rolls back with the outer one. So a request is one transaction, whatever functions it calls.
 * @throws Error when it is called inside a transaction of another scope
 */
export async function transact<T>(db: Queryable, scope: Scope, run: (tx: Tx) => Promise<T>): Promise<T> {
  const outer = openOn(db);
  if (!outer) return begin(db, scope, run);
  if (outer.scope !== scope) throw new Error(`a transaction of ${outer.scope} may not open one of ${scope}`);
  return savepoint(outer, run);
}

/** The scope of an open transaction. */
export function scopeOf(tx: Tx): Scope {
  const open = transactions.get(tx);
  if (!open) throw new Error('scopeOf outside transact()');
  return open.scope;
}

/**
 * Resolves when everything committed so far is on disk and, where the disk allows it, copied from the write-ahead log into the
 * database file. Call it between the steps of long work; otherwise somebody else's commit has to copy thousands of pages.
 */
export async function syncAndCheckpoint(db: Queryable): Promise<void> {
  const connection = connections.get(db)!;
  await connection.synced();
  // oxlint-disable-next-line require-await -- Kysely's interface is asynchronous, better-sqlite3 is not
  await db.connection().execute(async () => connection.checkpoint());
}

/** Gives `run` the connection behind `db`, which it may use until it returns: at once if it may run now, else after waiting for it. */
export async function onConnection<T>(db: Queryable, run: (connection: Connection) => T): Promise<T> {
  const connection = connectionNow(db);
  if (connection) return run(connection);
  return db.connection().execute(() => Promise.resolve(run(connections.get(db)!)));
}

/** Renews the query planner's statistics in an open transaction. Reads at most some hundred rows per index, so it takes milliseconds. */
export const optimize = (tx: Tx): Promise<void> => onConnection(tx, (connection) => connection.optimize());

/** Acquires the write lock before the connection, so that reads can use the connection while a transaction waits for the lock. */
const begin = <T>(db: Queryable, scope: Scope, run: (tx: Tx) => Promise<T>): Promise<T> =>
  connections.get(db)!.withWriteLock(() => beginLocked(db, scope, run));

async function beginLocked<T>(db: Queryable, scope: Scope, run: (tx: Tx) => Promise<T>): Promise<T> {
  const hooks: Open['hooks'] = [];
  const result = await db.transaction().execute(async (tx) => {
    const open: Open = { db, tx, scope, hooks, isOpen: true };
    transactions.set(tx, open);
    try {
      return await ambient.run(open, () => run(tx));
    } finally {
      open.isOpen = false;
    }
  });
  for (const hook of hooks) hook();
  return result;
}

async function savepoint<T>({ tx, hooks }: Open, run: (tx: Tx) => Promise<T>): Promise<T> {
  const hooksBefore = hooks.length;
  await sql`SAVEPOINT part`.execute(tx);
  try {
    const result = await run(tx);
    await sql`RELEASE part`.execute(tx);
    return result;
  } catch (error) {
    hooks.length = hooksBefore;
    // A full disk makes SQLite roll back the whole transaction, savepoint included. The rollback here then fails; report the first error.
    await sql`ROLLBACK TO part`.execute(tx).catch(() => Promise.reject(error));
    await sql`RELEASE part`.execute(tx);
    throw error;
  }
}

/** Runs `hook` after the commit, for changes in memory such as waking the job runner. The hook must not throw. */
export function onCommit(tx: Tx, hook: () => void): void {
  const open = transactions.get(tx);
  if (!open) throw new Error('onCommit outside transact()');
  open.hooks.push(hook);
}
