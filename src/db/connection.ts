import type { QueryResult } from 'kysely';

/** `isCut`: there were more rows, but they would have exceeded the limit. */
export type PartialRows<R> = { rows: R[]; isCut: boolean };

/** The functions of a database connection that transactions and prepared queries use. Each dialect implements them in its folder. */
export type Connection = {
  /** Runs a statement immediately. Only for the transaction that holds the connection, or while nobody holds it. */
  execute<R>(sql: string, parameters: readonly unknown[]): QueryResult<R>;
  /** Runs a SELECT and stops reading before the rows exceed `maxBytes`; reads one row at least. */
  readUpTo<R>(sql: string, parameters: readonly unknown[], maxBytes: number): PartialRows<R>;
  /** Whether the statement may use `execute` now. A write outside a transaction has to wait: for other writers, and for the disk. */
  canRunNow(sql: string): boolean;
  /** Runs `work` while no other connection of the process writes. Waiting for that blocks no thread. */
  withWriteLock<T>(work: () => Promise<T>): Promise<T>;
  /** Whether a transaction, or a query outside of one, holds the connection. */
  isHeld(): boolean;
  /**
   * Resolves when everything committed so far is on disk; at once on a connection whose commits need not survive a power cut.
   * @throws StorageRefusal when a sync has failed
   */
  synced(): Promise<void>;
  /**
   * Copies the write-ahead log into the database file; pages that cannot be written stay in the log. Must not be called inside a
   * transaction. Returns how many pages are left in the log, because an open read still needs older ones or they were written meanwhile.
   * @throws StorageRefusal when a sync failed
   */
  checkpoint(): number;
  /**
   * Copies the whole write-ahead log into the database file and empties the log, so that neither holds what was deleted. Must not be called
   * inside a transaction. Returns false while an open read still needs the log.
   */
  truncateLog(): boolean;
  /** Renews the query planner's statistics where the data has changed much since the last time. */
  optimize(): void;
};
