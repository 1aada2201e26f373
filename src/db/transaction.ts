import { AsyncLocalStorage } from 'node:async_hooks';
import { type Dialect, Kysely, type Transaction } from 'kysely';
import type { Answer, Connection, Lease } from './connection.ts';
import type { Tables } from './schema.generated.ts';

/** A query runs either on the database itself or on an open transaction. */
export type Queryable = Kysely<Tables>;
export type Tx = Transaction<Tables>;

/** Runs when the transaction is on disk. */
type Hook = () => void;
type Open = {
  db: Queryable;
  connection: Connection;
  tx: Tx;
  scope: Scope;
  hooks: Hook[];
  isOpen: boolean;
  /** How many savepoints it is in. */
  depth: number;
};

/**
 * The owner of the data that a transaction changes: an organization's id, or a named scope for data that belongs to no organization
 * (`installation`). SQLite locks the whole file anyway; the job runner shares its time by scope, and PostgreSQL locks by it.
 */
export type Scope = string;
/** The scope of data that all organizations share: catalog, encryption keys, housekeeping. */
export const installation: Scope = 'installation';

/** The scope of a transaction of several ones outside of their parts. */
const several: Scope = 'several';

/** The transaction that the running code was called in, directly or indirectly. */
const ambient = new AsyncLocalStorage<Open>();
const transactions = new WeakMap<Tx, Open>();

/** What must hold inside each transaction that the running code begins. */
const guards = new AsyncLocalStorage<Guard | undefined>();

/** Throws unless a transaction may go on. Its queries on the database itself belong to the transaction. */
export type Guard = () => Promise<void>;

/** Runs work whose every transaction calls `guard` first, so that nothing is written once the guard throws. */
export const guarded = <T>(guard: Guard, run: () => T): T => guards.run(guard, run);

/** Runs work that the server does on its own account, such as cleaning up after a request that a guard has stopped. */
export const unguarded = <T>(run: () => T): T => guards.run(undefined, run);

/** Whether the running code belongs to a request whose right to write is looked at again. */
export const isGuarded = (): boolean => guards.getStore() !== undefined;

/** The connection behind each database that is open. */
const connections = new WeakMap<Queryable, Connection>();

/** A database whose queries run on a connection. The dialect gets a function that returns the connection of the transaction in which the running code is. */
export function databaseOn(
  connection: Connection,
  dialect: (current: () => Connection | undefined) => Dialect,
): Queryable {
  const db: Queryable = new Kysely<Tables>({ dialect: dialect(() => openOn(db)?.connection) });
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
 * The connection on which a query on `db` may run immediately: that of the transaction to which the query belongs, or any if
 * nobody holds one. Otherwise undefined: run the query through Kysely, which waits for the connection.
 * @throws when `db` is a transaction that has ended
 */
export function connectionNow(db: Queryable): Connection | undefined {
  const own = transactions.get(db as Tx);
  if (own?.isOpen === false) throw new Error('query after its transaction ended (a promise was not awaited)');
  if (own) return own.connection;
  const connection = connections.get(db);
  return connection?.isHeld() ? openOn(db)?.connection : connection;
}

/**
 * Runs queries in one transaction, and resolves when it is on disk. `run` may await nothing but queries, because on SQLite it holds this
 * thread's only connection until it ends. PostgreSQL may ask for running it again, from its start. Hooks added by `onCommit` run after the commit, never after a rollback.
 *
 * Inside another transaction on the same database it becomes a savepoint: an error undoes only the inner part, and otherwise the inner part
 * commits or rolls back with the outer one. So a request is one transaction, whatever functions it calls.
 * @throws Error when it is called inside a transaction of another scope
 * @throws StorageRefusal when the storage takes no writes; if a sync has failed (`isUncertain`), the transaction may be there after a restart
 */
export async function transact<T>(db: Queryable, scope: Scope, run: (tx: Tx) => Promise<T>): Promise<T> {
  const outer = openOn(db);
  if (!outer) return begin(db, [scope], run);
  if (outer.scope !== scope) throw new Error(`a transaction of ${outer.scope} may not open one of ${scope}`);
  return savepoint(outer, run);
}

/**
 * Runs queries in one transaction for several scopes, whose parts run `withScope`. For the job runner, because a commit costs as much for
 * one organization as for dozens; requests have one scope. Not inside another transaction.
 */
export function transactTogether<T>(db: Queryable, scopes: readonly Scope[], run: (tx: Tx) => Promise<T>): Promise<T> {
  if (openOn(db)) throw new Error('a transaction of several scopes may not be opened inside another one');
  return begin(db, scopes, run);
}

/** Runs a part of a transaction as one of another scope, which it was begun for. */
export async function withScope<T>(tx: Tx, scope: Scope, run: () => Promise<T>): Promise<T> {
  const open = transactions.get(tx);
  if (!open) throw new Error('withScope outside transact()');
  const outer = open.scope;
  open.scope = scope;
  try {
    return await run();
  } finally {
    open.scope = outer;
  }
}

/**
 * Until the transaction ends, those of other organizations wait here that decide about the same thing, which all share: one decides, and its
 * changes are there for the next one to read. Take it last, after the transaction's own scope, and no second one.
 */
export async function decideAlone(tx: Tx, name: string): Promise<void> {
  const open = transactions.get(tx);
  if (!open) throw new Error('decideAlone outside transact()');
  await open.connection.lock(name);
}

/** The scope of an open transaction. */
export function scopeOf(tx: Tx): Scope {
  const open = transactions.get(tx);
  if (!open) throw new Error('scopeOf outside transact()');
  return open.scope;
}

/**
 * Resolves when everything committed so far is on disk. For an answer that repeats what another request has written and may still be
 * waiting for; transact() waits by itself.
 * @throws StorageRefusal when a sync has failed
 */
export const synced = (db: Queryable): Promise<void> => connections.get(db)!.synced();

/**
 * Resolves when everything committed so far survives a power cut (Connection.persist). For the background thread, because SQLite copies
 * and syncs thousands of pages for it.
 */
export const persist = (db: Queryable): Promise<void> => connections.get(db)!.persist();

/** Makes the database's files forget what was deleted; false while an open read still needs it. For the background thread, as `persist`. */
export const forgetDeleted = (db: Queryable): Promise<boolean> => connections.get(db)!.forgetDeleted();

/** Calls `run` with the connection behind `db`, after waiting for the connection if necessary. `run` must not keep the connection. */
export async function onConnection<T>(db: Queryable, run: (connection: Connection) => Answer<T>): Promise<T> {
  const connection = connectionNow(db);
  if (connection) return run(connection);
  return db.connection().execute(() => Promise.resolve(run(connections.get(db)!)));
}

/** Renews the query planner's statistics in an open transaction. Reads at most some hundred rows per index, so it takes milliseconds. */
export const optimize = (tx: Tx): Promise<void> => onConnection(tx, (connection) => connection.optimize());

/**
 * Acquires the write lock before the connection, so that reads can use the connection while a transaction waits for the lock. Waits for
 * the disk after releasing both, so that transactions which commit meanwhile share the next sync. Others can read what was committed
 * before it is on disk, but the caller and the hooks do not act on it yet.
 */
async function begin<T>(db: Queryable, scopes: readonly Scope[], run: (tx: Tx) => Promise<T>): Promise<T> {
  const connection = connections.get(db)!;
  let hooks: Hook[] = [];
  const guardedRun = withGuard(guards.getStore(), run);
  const scope = scopes.length === 1 ? scopes[0]! : several;
  const result = await connection.withWriteLock(scopes, () => {
    hooks = []; // of the last time that it runs
    return runLocked({ db, scope, hooks }, guardedRun);
  });
  await connection.synced();
  callAll(hooks);
  return result;
}

/** The guard's question goes first, so that over the network it travels with the first statements; its answer is looked at before the commit. */
const withGuard = <T>(guard: Guard | undefined, run: (tx: Tx) => Promise<T>): ((tx: Tx) => Promise<T>) =>
  guard
    ? async (tx) => {
        const allowed = guard();
        allowed.catch(() => undefined); // told below, before what `run` throws
        try {
          return await run(tx);
        } finally {
          await allowed;
        }
      }
    : run;

/** Unguarded, because hooks wake others, who work for themselves. */
const callAll = (hooks: readonly Hook[]): void =>
  unguarded(() => {
    for (const hook of hooks) hook();
  });

type Parts = Pick<Open, 'db' | 'scope' | 'hooks'>;

const runLocked = <T>(parts: Parts, run: (tx: Tx) => Promise<T>): Promise<T> =>
  parts.db.transaction().execute(async (tx) => {
    const open: Open = { ...parts, tx, connection: await connectionOf(tx), isOpen: true, depth: 0 };
    transactions.set(tx, open);
    try {
      return await ambient.run(open, () => run(tx));
    } finally {
      open.isOpen = false;
    }
  });

const connectionOf = (tx: Tx): Promise<Connection> =>
  tx.getExecutor().provideConnection((lease) => Promise.resolve((lease as Lease).connection));

async function savepoint<T>(open: Open, run: (tx: Tx) => Promise<T>): Promise<T> {
  const { connection, hooks } = open;
  const hooksBefore = hooks.length;
  // A name of its own: where the savepoint could not be set, the rollback must not go to an outer one.
  const name = `part_${open.depth}`;
  open.depth += 1;
  await connection.send(`SAVEPOINT ${name}`, []);
  try {
    const result = await run(open.tx);
    await connection.settled();
    await connection.send(`RELEASE ${name}`, []);
    return result;
  } catch (error) {
    hooks.length = hooksBefore;
    // A full disk makes SQLite roll back the whole transaction, savepoint included. The rollback here then fails; report the first error.
    try {
      await connection.rollBackTo(name);
    } catch {
      throw error;
    }
    await connection.send(`RELEASE ${name}`, []);
    throw error;
  } finally {
    open.depth -= 1;
  }
}

/** Runs `hook` once the commit is on disk, for changes in memory such as waking the job runner. The hook must not throw. */
export function onCommit(tx: Tx, hook: () => void): void {
  hooksOf(tx).push(hook);
}

function hooksOf(tx: Tx): Hook[] {
  const open = transactions.get(tx);
  if (!open) throw new Error('a hook outside transact()');
  return open.hooks;
}
