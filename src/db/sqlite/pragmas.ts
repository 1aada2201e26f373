import type Sqlite from 'better-sqlite3';

/** Applies the settings that every connection shares. Only with `FULL` does each commit survive a power cut. */
export function applyPragmas(database: Sqlite.Database, synchronous: 'FULL' | 'NORMAL' | 'OFF'): void {
  database.pragma(`synchronous = ${synchronous}`);
  database.pragma('foreign_keys = ON');
  database.pragma('trusted_schema = OFF');
  database.pragma('cache_size = -32768');
  database.pragma('temp_store = MEMORY');
}
