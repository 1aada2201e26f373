import { rmSync } from 'node:fs';
import type Sqlite from 'better-sqlite3';
import { createPrivateFile } from '../../base/files.ts';
import { faultPoint } from '../../base/fault-points.ts';
import { countingTriggers } from './counters.generated.ts';
import { type Migration, migrations as shipped } from './migrations.generated.ts';
import { peek } from './peek.ts';

type Applied = { id: number; name: string; sha256: string };

/** "prly" as a 32-bit number, by which `file` and other tools recognize a parley database. */
export const applicationId = 0x70726c79;

/** Called with each step of an upgrade, because upgrading a large database takes minutes without any other sign of life. */
export type Progress = (message: string) => void;

export type MigrateOptions = {
  nowMs: number;
  onProgress?: Progress | undefined;
  /** Replaces the migrations that parley ships, for tests. */
  migrations?: readonly Migration[] | undefined;
};

/** Pages that are copied between two reports of progress; copying them takes some milliseconds. */
const pagesPerStep = 4000;

/**
 * Creates the database in an empty file; in an existing one it applies all missing migrations in one transaction, and before that writes
 * a copy beside it (`parley.db.before-0002`), which stays there.
 * @throws when a newer parley or an unreleased build wrote the file
 */
export async function migrate(database: Sqlite.Database, file: string, options: MigrateOptions): Promise<void> {
  const { nowMs, onProgress = () => undefined, migrations = shipped } = options;
  const applied = appliedTo(database);
  checkHistory(applied, migrations, file);
  const missing = migrations.slice(applied.length);
  const [first] = missing;
  if (!first) return;
  if (applied.length === 0) return create(database, missing, nowMs);
  await keepCopy(database, `${file}.before-${numberOf(first)}`, onProgress);
  const upgrade = database.transaction(() => {
    dropCountingTriggers(database);
    for (const migration of missing) {
      onProgress(`Upgrading the database: migration ${numberOf(migration)}, ${migration.name}.`);
      apply(database, migration, nowMs);
    }
    database.exec(countingTriggers);
    checkReferences(database, file);
  });
  // Some migrations replace a table by a new one. With foreign keys on, dropping the old table would delete the rows that refer to it
  // (https://www.sqlite.org/lang_altertable.html, section 7). The setting has no effect inside a transaction.
  database.pragma('foreign_keys = OFF');
  try {
    upgrade();
  } finally {
    database.pragma('foreign_keys = ON');
  }
  onProgress('The database is upgraded.');
}

const numberOf = ({ id }: { id: number }): string => String(id).padStart(4, '0');

/** Copies the database as it is, and reports every 10 %. */
async function keepCopy(database: Sqlite.Database, copy: string, report: Progress): Promise<void> {
  // An existing copy of that name is from an upgrade that failed before it changed anything.
  rmSync(copy, { force: true });
  report(`Upgrading the database: it is copied to ${copy} first.`);
  createPrivateFile(copy); // SQLite would create it readable for everybody.
  let tenths = 0;
  await database.backup(copy, {
    progress({ totalPages, remainingPages }) {
      const reached = Math.floor((10 * (totalPages - remainingPages)) / Math.max(totalPages, 1));
      if (reached > tenths) report(`Upgrading the database: ${reached * 10} % are copied.`);
      tenths = reached;
      return pagesPerStep;
    },
  });
}

function checkReferences(database: Sqlite.Database, file: string): void {
  const broken = database.pragma('foreign_key_check') as Array<{ table: string; parent: string }>;
  const [first] = broken;
  if (!first) return;
  throw new Error(
    `${file}: ${broken.length} rows refer to missing rows, for example in ${first.table} to ${first.parent}; the upgrade was undone`,
  );
}

function appliedTo(database: Sqlite.Database): Applied[] {
  const table = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'schema_migrations'").get();
  if (table === undefined) return [];
  return database.prepare('SELECT id, name, sha256 FROM schema_migrations ORDER BY id').all() as Applied[];
}

function create(database: Sqlite.Database, migrations: readonly Migration[], nowMs: number): void {
  database.transaction(() => {
    database.pragma(`application_id = ${applicationId}`);
    database.exec(`CREATE TABLE IF NOT EXISTS schema_migrations (
      id INTEGER PRIMARY KEY, name TEXT NOT NULL, sha256 TEXT NOT NULL, applied_at INTEGER NOT NULL
    ) STRICT`);
    for (const migration of migrations) apply(database, migration, nowMs);
    database.exec(countingTriggers);
  })();
}

/** A migration that fills a table fills its counts, too, and one that replaces a table would lose its triggers: so all are made anew. */
function dropCountingTriggers(database: Sqlite.Database): void {
  const made = database.prepare(
    "SELECT name FROM sqlite_schema WHERE type = 'trigger' AND name LIKE 'counting\\_%' ESCAPE '\\'",
  );
  for (const name of made.pluck().all()) database.exec(`DROP TRIGGER ${name as string}`);
}

function apply(database: Sqlite.Database, { id, name, sha256, sql }: Migration, nowMs: number): void {
  database.exec(sql);
  faultPoint('migration.unrecorded');
  database.prepare('INSERT INTO schema_migrations VALUES (?, ?, ?, ?)').run(id, name, sha256, nowMs);
}

/** The migrations that a start would apply to a file that no process has open. @throws as `migrate` does */
export function missingFrom(file: string): readonly Migration[] {
  const applied = peek<Applied>(file, 'SELECT id, name, sha256 FROM schema_migrations ORDER BY id');
  checkHistory(applied, shipped, file);
  return shipped.slice(applied.length);
}

function checkHistory(applied: readonly Applied[], migrations: readonly Migration[], file: string): void {
  for (const [index, row] of applied.entries()) {
    const migration = migrations[index];
    if (!migration) {
      throw new Error(
        `${file} was written by a newer parley (it has migration ${row.id}, ${row.name}); run that version`,
      );
    }
    if (migration.sha256 !== row.sha256) throw new Error(unreleased(row, file));
  }
}

/** The last commit that opens the databases of the builds whose first migration was called "spine". */
const lastWithSpine = '56484bd';

/** A released migration never changes, so another one of that number is from a build between releases. */
function unreleased({ id, name }: Applied, file: string): string {
  const opening =
    name === 'spine' ? `Commit ${lastWithSpine} is the last one that opens it` : 'Only that build opens it';
  return `${file} was made by a build of parley that was never released (its migration ${id}, ${name}, is another one). ${opening}: contacts and results can be exported there`;
}
