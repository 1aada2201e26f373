import type { DatabaseConnection, QueryResult } from 'kysely';

/** `isCut`: there were more rows, but they would have exceeded the limit. */
export type PartialRows<R> = { rows: R[]; isCut: boolean };

/** SQLite answers at once; a database over the network answers a promise. */
export type Answer<T> = T | Promise<T>;

/** The functions of a database connection that transactions and prepared queries use. Each dialect implements them in its folder. */
export type Connection = {
  /** Runs a statement immediately. Only for the transaction that holds the connection, or while nobody holds it. */
  execute<R>(sql: string, parameters: readonly unknown[]): Answer<QueryResult<R>>;
  /**
   * Runs a statement whose answer nobody reads. In a transaction over the network it is only sent: if it fails, so does a later statement,
   * `settled` or the commit.
   */
  send(sql: string, parameters: readonly unknown[]): Answer<void>;
  /**
   * Resolves when all that was sent in the transaction has been carried out.
   * @throws the first error
   */
  settled(): Answer<void>;
  /** Undoes what the transaction did since the savepoint, also after an error. */
  rollBackTo(savepoint: string): Answer<void>;
  /** Until the transaction ends, those of other scopes that ask for the same lock wait. Only sent, as by `send`. */
  lock(name: string): Answer<void>;
  /** Runs a SELECT and stops reading before the rows exceed `maxBytes`; reads one row at least. */
  readUpTo<R>(sql: string, parameters: readonly unknown[], maxBytes: number): Answer<PartialRows<R>>;
  /** Whether the statement may use `execute` now. A write outside a transaction has to wait: for other writers, and for the disk. */
  canRunNow(sql: string): boolean;
  /**
   * Runs `work`, which is one transaction, while no other one changes data of its scopes. Waiting for that blocks no thread. Runs it again
   * where the database asks for that, after a serialization failure for example.
   */
  withWriteLock<T>(scopes: readonly string[], work: () => Promise<T>): Promise<T>;
  /** Whether a transaction is open, or a query outside of one holds the connection. */
  isHeld(): boolean;
  /**
   * Resolves when everything committed so far is on disk; at once on a connection whose commits need not survive a power cut.
   * @throws StorageRefusal when a sync has failed
   */
  synced(): Promise<void>;
  /**
   * Resolves when everything committed so far survives a power cut, also on a connection whose commits do not wait for the disk. Must not
   * be called inside a transaction.
   * @throws StorageRefusal when a sync has failed
   */
  persist(): Promise<void>;
  /**
   * Makes the database's files forget what was deleted, as far as the database keeps it for itself. Must not be called inside a
   * transaction. Resolves to false while an open read still needs it.
   */
  forgetDeleted(): Promise<boolean>;
  /** Renews the query planner's statistics where the data has changed much since the last time. */
  optimize(): Answer<void>;
};

/** Kysely's right to run queries: within a transaction until its end, else for one query. Queries of hot paths go to `connection` instead. */
export type Lease = DatabaseConnection & { readonly connection: Connection };
