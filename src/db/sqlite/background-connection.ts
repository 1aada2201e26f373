import Sqlite from 'better-sqlite3';
import type { Queryable } from '../transaction.ts';
import { createConnection } from './connection.ts';
import { databaseOver } from './dialect.ts';
import { applyPragmas } from './pragmas.ts';
import { createStorageState } from './storage.ts';
import { background, createWriteLock, type WriteLockState } from './write-lock.ts';

/** What another thread of the process needs to open the database that openDatabase() has open. */
export type SharedDatabase = {
  file: string;
  binding: { nativeBinding?: string };
  durable: boolean;
  writeLockState: WriteLockState;
};

/**
 * The connection of the background thread. Its commits do not wait for the disk: a power cut may undo them, until syncAndCheckpoint()
 * (transaction.ts) or a later commit of the main connection has written them. So use it for work that is repeated from its first step
 * until a transaction of the main connection records that all of it is done.
 */
export function openBackgroundConnection({ file, binding, durable, writeLockState }: SharedDatabase): {
  db: Queryable;
  close(): void;
} {
  const database = new Sqlite(file, binding);
  database.pragma('busy_timeout = 1000');
  applyPragmas(database, durable ? 'NORMAL' : 'OFF');
  // An automatic checkpoint would run inside a commit, while the main connection waits for the write lock. Callers of
  // syncAndCheckpoint() run one between transactions.
  database.pragma('wal_autocheckpoint = 0');
  const connection = createConnection(database, {
    storage: createStorageState(),
    durable,
    writeLock: createWriteLock(writeLockState, background),
  });
  return { db: databaseOver(connection), close: () => void database.close() };
}
