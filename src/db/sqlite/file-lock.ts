import { chmodSync } from 'node:fs';
import Sqlite from 'better-sqlite3';

/**
 * Keeps a database for this process alone, for as long as it is open: by a lock of the operating system's on an empty file beside it,
 * which goes with the process, however that ends. SQLite's `locking_mode=EXCLUSIVE` would do without the file, but would keep out the
 * second connection of this process, too (beside.ts).
 * @throws SQLITE_BUSY when another process has it
 */
export function lockDatabase(file: string, binding: { nativeBinding?: string }): { release(): void } {
  const path = `${file}.lock`;
  const lock = new Sqlite(path, binding);
  try {
    chmodSync(path, 0o600);
    lock.pragma('busy_timeout = 1000');
    lock.pragma('journal_mode = MEMORY'); // or SQLite writes a journal for what is not written
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    throw error;
  }
  return { release: () => void lock.close() };
}
