import Sqlite from 'better-sqlite3';

/** Makes a database file with what tells the databases of the builds before the baseline from others. */
export function makeDatabaseBeforeBaseline(file: string): void {
  const database = new Sqlite(file);
  database.pragma('application_id = 1886547065');
  database.pragma('journal_mode = WAL');
  database.exec(`
    CREATE TABLE schema_migrations (
      id INTEGER PRIMARY KEY, name TEXT NOT NULL, sha256 TEXT NOT NULL, applied_at INTEGER NOT NULL
    ) STRICT;
    INSERT INTO schema_migrations VALUES
      (1, 'spine', 'b98ee0e51c1f774fb784fe262ef3ad9ec38efbef6aa6427ffd6f25806a03bb77', 0), (2, 'calendar', 'ed3fa89b', 0);`);
  database.close();
}
