import Sqlite from 'better-sqlite3';
import type { Queryable } from '../transaction.ts';
import { createConnection } from './connection.ts';
import { addFunctions } from './functions.ts';
import { databaseOver } from './dialect.ts';
import { noLogSync } from './log-sync.ts';
import { applyPragmas } from './pragmas.ts';
import { createStorageState, type Distrust } from './storage.ts';
import { background, createWriteLock, type WriteLockState } from './write-lock.ts';

/** Passed to another thread of the process, which needs it to open the database that openDatabase() has open. */
export type SharedDatabase = {
  dialect: 'sqlite';
  file: string;
  binding: { nativeBinding?: string };
  durable: boolean;
  distrust: Distrust;
  writeLockState: WriteLockState;
};

/**
 * The connection of the background thread. Its commits do not wait for the disk: a power cut may undo them, until persist()
 * (transaction.ts) or a later transaction of the main connection, which syncs the same log, has written them. So use it for work that is
 * repeated from its first step until a transaction of the main connection records that all of it is done.
 */
export function openBackgroundConnection({ file, binding, durable, distrust, writeLockState }: SharedDatabase): {
  db: Queryable;
  close(): void;
} {
  const database = new Sqlite(file, binding);
  database.pragma('busy_timeout = 1000');
  applyPragmas(database, durable ? 'NORMAL' : 'OFF');
  addFunctions(database);
  const connection = createConnection(database, {
    storage: createStorageState(distrust),
    logSync: noLogSync,
    writeLock: createWriteLock(writeLockState, background),
  });
  return { db: databaseOver(connection), close: () => void database.close() };
}
