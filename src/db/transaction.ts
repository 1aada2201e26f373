import { AsyncLocalStorage } from 'node:async_hooks';
import { type Dialect, Kysely, sql, type Transaction } from 'kysely';
import type { Connection } from './connection.ts';
import type { Tables } from './schema.generated.ts';

/** What a query may run on: the database itself or an open transaction. */
export type Queryable = Kysely<Tables>;
export type Tx = Transaction<Tables>;

type Open = { db: Queryable; tx: Tx; scope: Scope; hooks: Array<() => void>; isOpen: boolean };

/**
 * Whose data a transaction changes: an organization's id, or a named scope for data that belongs to no organization
 * (`installation`, `login:<hash>`). SQLite locks the whole file anyway; the job runner shares its time by scope, and a database with
 * several nodes will lock by it.
 */
export type Scope = string;
/** The scope of what all organizations share: catalog, sealing keys, housekeeping. */
export const installation: Scope = 'installation';

/** The transaction that the code running now was called in, however deep. */
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

/** Whether the code that asks runs inside a transaction on this database: its queries on `db` itself belong to it, too. */
export const isInTransaction = (db: Queryable): boolean => openOn(db) !== undefined;

/**
 * The connection, when a query on `db` may run on it at once: it belongs to the transaction that holds the connection, or nobody
 * holds it. Otherwise the query has to wait for its turn, as Kysely's do.
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
 * Runs queries in one IMMEDIATE transaction. The function may await queries and nothing else: it holds the process's only
 * connection meanwhile. Hooks added by `onCommit` run after the commit, never after a rollback.
 *
 * Inside another transaction on the same database it becomes a savepoint of that one: an error undoes the inner part, and the rest
 * commits or rolls back with the whole. So a request is one transaction, whatever it calls.
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
 * Resolves when what was committed so far is on disk, and copied from the write-ahead log into the file as far as that goes: for long
 * work, so that no commit of others has to write thousands of pages.
 */
export async function syncAndCheckpoint(db: Queryable): Promise<void> {
  const connection = connections.get(db)!;
  await connection.synced();
  // oxlint-disable-next-line require-await -- Kysely's interface is asynchronous, better-sqlite3 is not
  await db.connection().execute(async () => connection.checkpoint());
}

/** The turn comes before the connection: reads go on while a transaction waits for it. */
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
    // A full disk makes SQLite roll back the whole: then there is no savepoint any more, and the first error is what counts.
    await sql`ROLLBACK TO part`.execute(tx).catch(() => Promise.reject(error));
    await sql`RELEASE part`.execute(tx);
    throw error;
  }
}

/** Does something in memory once the transaction is durable, such as waking the runner. It must not throw. */
export function onCommit(tx: Tx, hook: () => void): void {
  const open = transactions.get(tx);
  if (!open) throw new Error('onCommit outside transact()');
  open.hooks.push(hook);
}
