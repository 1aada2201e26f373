import Sqlite from 'better-sqlite3';
import { createConnection } from './connection.ts';
import { applyPragmas } from './pragmas.ts';
import { createStorageState } from './storage.ts';
import { databaseOver } from './dialect.ts';
import type { Queryable } from '../transaction.ts';
import { background, createWriteLock, type WriteLockState } from './write-lock.ts';

/** How another thread of the process opens what openDatabase() has open. */
export type SharedDatabase = {
  file: string;
  binding: { nativeBinding?: string };
  durable: boolean;
  writeLockState: WriteLockState;
};

/**
 * A second connection, for the thread beside the one that answers requests. Its commits never wait for the disk: a power cut may take
 * them back, unless writeBack() (transaction.ts) or a later commit of the main connection has brought them there. So it is for what is
 * repeated from the first step on until a transaction of the main connection says that all is done.
 */
export function openBackgroundConnection({ file, binding, durable, writeLockState }: SharedDatabase): {
  db: Queryable;
  close(): void;
} {
  const database = new Sqlite(file, binding);
  database.pragma('busy_timeout = 1000');
  applyPragmas(database, durable ? 'NORMAL' : 'OFF');
  // Between transactions, not at the end of one, while others wait for the turn.
  database.pragma('wal_autocheckpoint = 0');
  const connection = createConnection(database, {
    storage: createStorageState(),
    durable,
    writeLock: createWriteLock(writeLockState, background),
  });
  return { db: databaseOver(connection), close: () => void database.close() };
}
