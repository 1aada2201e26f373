import Sqlite from 'better-sqlite3';
import { migrations } from '../../src/db/sqlite/migrations.generated.ts';

/**
 * Makes a database file like those of an earlier parley, which had only the first `migrationCount` migrations, with one organization in
 * it. With `hashed: 'text'` it holds the hashes of the migrations' whole texts, comments included, as the first releases recorded them.
 */
export function makeOldDatabase(
  file: string,
  migrationCount: number,
  { hashed = 'statements' }: { hashed?: 'statements' | 'text' } = {},
): void {
  const database = new Sqlite(file);
  database.pragma('synchronous = OFF');
  database.pragma('application_id = 1886547065');
  database.exec(`CREATE TABLE schema_migrations (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL, sha256 TEXT NOT NULL, applied_at INTEGER NOT NULL
  ) STRICT`);
  const record = database.prepare('INSERT INTO schema_migrations VALUES (?, ?, ?, 0)');
  for (const { id, name, sha256, textSha256, sql } of migrations.slice(0, migrationCount)) {
    database.exec(sql);
    record.run(id, name, hashed === 'text' ? (textSha256 ?? sha256) : sha256);
  }
  database.prepare('INSERT INTO organizations (id, name, created_at) VALUES (?, ?, 0)').run(oldOrganization, 'Kept');
  database.close();
}

export const oldOrganization = '0199aaaa-0000-7000-8000-0000000000aa';
