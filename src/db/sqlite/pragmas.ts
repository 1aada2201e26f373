import type Sqlite from 'better-sqlite3';

/** What every connection is set to. Those that are not `durable` lose what a power cut finds unwritten. */
export function applyPragmas(database: Sqlite.Database, synchronous: 'FULL' | 'NORMAL' | 'OFF'): void {
  database.pragma(`synchronous = ${synchronous}`);
  database.pragma('foreign_keys = ON');
  database.pragma('trusted_schema = OFF');
  database.pragma('cache_size = -32768');
  database.pragma('temp_store = MEMORY');
}
