import type { CompiledQuery } from 'kysely';
import type { PartialRows } from './connection.ts';
import { isInTransaction, onConnection, type Queryable } from './transaction.ts';

/** A SELECT as it goes to the thread that runs it. `maxBytes`: see Connection.readUpTo. */
export type LongRead = { sql: string; parameters: readonly unknown[]; maxBytes: number };

/** Runs a SELECT on another thread. Owners take turns. */
export type LongReader = (read: LongRead, owner: string) => Promise<PartialRows<unknown>>;

const readers = new WeakMap<Queryable, LongReader>();

/** From now on, reads of `db` that may take long run on `reader` instead of this thread. */
export function runLongReadsOn(db: Queryable, reader: LongReader): void {
  readers.set(db, reader);
}

/** False inside a transaction, whose changes other threads do not see, and where there is no other thread. */
export const isLongReadPossible = (db: Queryable): boolean => readers.has(db) && !isInTransaction(db);

/**
 * Runs a SELECT that may take long on the background thread or, where `isLongReadPossible` is false, on this one.
 * @throws unavailable when too many reads of this owner are waiting
 */
export async function readInBackground<R>(
  db: Queryable,
  query: CompiledQuery<R>,
  { owner, maxBytes = Number.MAX_SAFE_INTEGER }: { owner: string; maxBytes?: number },
): Promise<PartialRows<R>> {
  const read = { sql: query.sql, parameters: query.parameters, maxBytes };
  const reader = isLongReadPossible(db) ? readers.get(db) : undefined;
  return reader ? ((await reader(read, owner)) as PartialRows<R>) : run(db, read);
}

const run = <R>(db: Queryable, read: LongRead): Promise<PartialRows<R>> =>
  onConnection(db, (connection) => connection.readUpTo<R>(read.sql, read.parameters, read.maxBytes));

/** Runs a read on the thread that it was passed to. */
export const runLongRead = (db: Queryable, read: LongRead): Promise<PartialRows<unknown>> => run(db, read);
