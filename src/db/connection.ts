import type { QueryResult } from 'kysely';

/** What transactions and prepared queries need of a database connection; each dialect has a folder that implements it. */
export type Connection = {
  /** Runs a statement immediately. Only for the transaction that holds the connection, or while nobody holds it. */
  execute<R>(sql: string, parameters: readonly unknown[]): QueryResult<R>;
  /** Runs a SELECT and stops reading once the rows exceed `maxBytes`; reads one row at least. */
  readUpTo<R>(sql: string, parameters: readonly unknown[], maxBytes: number): R[];
  /** False for a write that has to wait first, because another connection of the process is writing. */
  canRunNow(sql: string): boolean;
  /** Runs `work` while no other connection of the process writes. Waiting for that blocks no thread. */
  withWriteLock<T>(work: () => Promise<T>): Promise<T>;
  /** Whether a transaction, or a query outside of one, holds the connection. */
  isHeld(): boolean;
  /** Resolves when everything committed so far is on disk. Does not block the thread. */
  synced(): Promise<void>;
  /** Copies the write-ahead log into the database file; what the disk refuses stays in the log. Not inside a transaction. */
  checkpoint(): void;
  /** Renews the query planner's statistics where the data has changed much since the last time. */
  optimize(): void;
};
