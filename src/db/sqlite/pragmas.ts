import type Sqlite from 'better-sqlite3';

/**
 * Page size (bytes) of a new database. A call changes a few rows in each of dozens of tables and indexes, and the log takes whole pages: 62
 * KiB a call instead of 84 with pages of 4 KiB. Pages of 1 KiB would cost a quarter more CPU.
 */
export const pageBytes = 2048;

/** A checkpoint runs when this many bytes of pages in the log are not copied yet. It copies a page that was written many times only once. */
export const checkpointBytes = 16_384_000;

/** Size (bytes) to which a log shrinks that one large transaction has made larger. Twice its usual size, so that it seldom shrinks. */
const logBytes = 2 * checkpointBytes;

/**
 * Applies the settings that every connection shares. With `NORMAL`, a commit does not wait for the disk: log-sync.ts syncs the log for
 * many of them. A checkpoint syncs the log before it copies, and the database after.
 */
export function applyPragmas(database: Sqlite.Database, synchronous: 'NORMAL' | 'OFF'): void {
  database.pragma(`synchronous = ${synchronous}`);
  // An automatic checkpoint runs inside a commit and blocks its thread.
  database.pragma('wal_autocheckpoint = 0');
  database.pragma(`journal_size_limit = ${logBytes}`);
  database.pragma('foreign_keys = ON');
  database.pragma('trusted_schema = OFF');
  database.pragma('cache_size = -32768');
  database.pragma('temp_store = MEMORY');
  // What is deleted is overwritten: an erased person must not be found in free pages.
  database.pragma('secure_delete = ON');
}
