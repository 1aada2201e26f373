import Sqlite from 'better-sqlite3';
import { ensurePrivateFile } from '../../base/files.ts';
import { bindingFor } from './addon.ts';

/** Another process has the database open. */
export class DatabaseInUse extends Error {}

/** The error as DatabaseInUse if SQLite met another process's lock; any other error as it is. */
export const databaseInUseFrom = (error: unknown, file: string): unknown =>
  (error as { code?: string }).code === 'SQLITE_BUSY'
    ? new DatabaseInUse(`${file} is open in another process`, { cause: error })
    : error;

/**
 * Reserves a database for this process with an operating-system lock on an empty file beside it. The lock ends with the process, however
 * that ends. SQLite's `locking_mode=EXCLUSIVE` needs no extra file, but would also refuse the background connection of this process.
 * @throws DatabaseInUse when another process has the lock
 */
export function lockDatabase(file: string, binding = bindingFor(file)): { release(): void } {
  const path = `${file}.lock`;
  ensurePrivateFile(path); // SQLite would create it readable for everybody.
  const lock = new Sqlite(path, binding);
  try {
    lock.pragma('busy_timeout = 1000');
    lock.pragma('journal_mode = MEMORY'); // Otherwise SQLite creates a journal file, though nothing is ever written.
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    throw databaseInUseFrom(error, file);
  }
  return { release: () => void lock.close() };
}
