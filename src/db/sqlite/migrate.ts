import { chmodSync, rmSync } from 'node:fs';
import type Sqlite from 'better-sqlite3';
import { faultPoint } from '../../base/fault-points.ts';
import { type Migration, migrations } from './migrations.generated.ts';

type Applied = { id: number; name: string; sha256: string };

/** "prly" as a 32-bit number: `file` and other tools can tell a parley database from any other. */
export const applicationId = 0x70726c79;

/** Told what an upgrade is about: with a large database it takes minutes, in which nothing else shows. */
export type Progress = (message: string) => void;

/** Of a copy, between two looks at whether there is something to tell; a step takes some milliseconds. */
const pagesPerStep = 2000;

/**
 * Brings the schema up to date, all missing migrations in one transaction, which makes an empty file parley's, too. Before a database
 * with data in it is changed, a copy is put beside it (`parley.db.before-0002`), which is kept.
 * @throws when the file was written by a newer parley, or when an applied migration's text is not the one shipped
 */
export async function migrate(
  database: Sqlite.Database,
  file: string,
  { nowMs, tell = () => undefined }: { nowMs: number; tell?: Progress | undefined },
): Promise<void> {
  const applied = appliedTo(database);
  checkHistory(applied, file);
  const missing = migrations.slice(applied.length);
  const [first] = missing;
  if (!first) return;
  const say: Progress = applied.length > 0 ? tell : () => undefined; // a new database is no upgrade
  if (applied.length > 0) await keepCopy(database, `${file}.before-${numberOf(first)}`, say);
  const apply = database.transaction(() => {
    if (applied.length === 0) makeOwn(database);
    const record = database.prepare('INSERT INTO schema_migrations (id, name, sha256, applied_at) VALUES (?, ?, ?, ?)');
    for (const migration of missing) {
      say(`Upgrading the database: migration ${numberOf(migration)}, ${migration.name}.`);
      database.exec(migration.sql);
      faultPoint('migration.unrecorded');
      record.run(migration.id, migration.name, migration.sha256, nowMs);
    }
    checkReferences(database, file);
  });
  // A table that is made anew takes the place of the old one without its rows being deleted from under those who refer to them
  // (https://www.sqlite.org/lang_altertable.html, section 7). The setting has no effect inside a transaction.
  database.pragma('foreign_keys = OFF');
  try {
    apply();
  } finally {
    database.pragma('foreign_keys = ON');
  }
  say('The database is upgraded.');
}

const numberOf = ({ id }: { id: number }): string => String(id).padStart(4, '0');

/** Copies the database as it is, and tells of every tenth part. */
async function keepCopy(database: Sqlite.Database, copy: string, say: Progress): Promise<void> {
  // A copy of that name was left by an upgrade that failed before it changed anything.
  rmSync(copy, { force: true });
  say(`Upgrading the database: it is copied to ${copy} first.`);
  let tenths = 0;
  await database.backup(copy, {
    progress({ totalPages, remainingPages }) {
      const reached = Math.floor((10 * (totalPages - remainingPages)) / Math.max(totalPages, 1));
      if (reached > tenths) say(`Upgrading the database: ${reached * 10} % are copied.`);
      tenths = reached;
      return pagesPerStep;
    },
  });
  chmodSync(copy, 0o600);
}

function checkReferences(database: Sqlite.Database, file: string): void {
  const broken = database.pragma('foreign_key_check') as Array<{ table: string; parent: string }>;
  const [first] = broken;
  if (first)
    throw new Error(`${file}: ${broken.length} rows refer to nothing, as of ${first.table} to ${first.parent}`);
}

function appliedTo(database: Sqlite.Database): Applied[] {
  const table = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'schema_migrations'").get();
  if (table === undefined) return [];
  return database.prepare('SELECT id, name, sha256 FROM schema_migrations ORDER BY id').all() as Applied[];
}

function makeOwn(database: Sqlite.Database): void {
  database.pragma(`application_id = ${applicationId}`);
  database.exec(`CREATE TABLE IF NOT EXISTS schema_migrations (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL, sha256 TEXT NOT NULL, applied_at INTEGER NOT NULL
  ) STRICT`);
}

function checkHistory(applied: readonly Applied[], file: string): void {
  for (const [index, row] of applied.entries()) {
    const shipped = migrations[index];
    if (!shipped) {
      throw new Error(
        `${file} was written by a newer parley (it has migration ${row.id}, ${row.name}); run that version`,
      );
    }
    if (!isSame(shipped, row)) {
      throw new Error(`${file}: migration ${row.id} (${row.name}) is not the one this parley ships; restore a backup`);
    }
  }
}

const isSame = (shipped: Migration, row: Applied): boolean =>
  shipped.id === row.id && (row.sha256 === shipped.sha256 || row.sha256 === shipped.textSha256);
