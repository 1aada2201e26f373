import { chmodSync, rmSync } from 'node:fs';
import type Sqlite from 'better-sqlite3';
import { passing } from '../base/fault-points.ts';
import { migrations } from './migrations.generated.ts';

type Applied = { id: number; name: string; sha256: string };

/**
 * Brings the schema up to date, all missing migrations in one transaction. Before a database with data in it is changed, a copy
 * is put beside it (`parley.db.before-0002`), which is kept.
 * @throws when the file was written by a newer parley, or when an applied migration's text is not the one shipped
 */
export async function migrate(database: Sqlite.Database, file: string, nowMs: number): Promise<void> {
  database.exec(`CREATE TABLE IF NOT EXISTS schema_migrations (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL, sha256 TEXT NOT NULL, applied_at INTEGER NOT NULL
  ) STRICT`);
  const applied = database.prepare('SELECT id, name, sha256 FROM schema_migrations ORDER BY id').all() as Applied[];
  checkHistory(applied, file);
  const missing = migrations.slice(applied.length);
  const [first] = missing;
  if (!first) return;
  if (applied.length > 0) {
    const copy = `${file}.before-${String(first.id).padStart(4, '0')}`;
    // A copy of that name was left by an upgrade that failed before it changed anything.
    rmSync(copy, { force: true });
    await database.backup(copy);
    chmodSync(copy, 0o600);
  }
  const record = database.prepare('INSERT INTO schema_migrations (id, name, sha256, applied_at) VALUES (?, ?, ?, ?)');
  database.transaction(() => {
    for (const migration of missing) {
      database.exec(migration.sql);
      passing('migration.unrecorded');
      record.run(migration.id, migration.name, migration.sha256, nowMs);
    }
  })();
}

function checkHistory(applied: readonly Applied[], file: string): void {
  for (const [index, row] of applied.entries()) {
    const shipped = migrations[index];
    if (!shipped) {
      throw new Error(
        `${file} was written by a newer parley (it has migration ${row.id}, ${row.name}); run that version`,
      );
    }
    if (shipped.id !== row.id || shipped.sha256 !== row.sha256) {
      throw new Error(`${file}: migration ${row.id} (${row.name}) is not the one this parley ships; restore a backup`);
    }
  }
}
