import type pg from 'pg';
import { isOlderVersion } from '../../base/version.ts';
import { runAll } from './client.ts';
import { type Migration, migrations as shipped } from './migrations.generated.ts';
import { notGivenUp } from './nodes.ts';

/** The advisory lock of migrations. Another node waits this long for one that migrates. */
const [lock, maxWaitMs] = [0x70726c79_6d, 600_000];

/** `version`: the parley that applied it. `beside`: the oldest one that may work on the database afterwards. */
type Applied = { id: number; name: string; sha256: string; version: string; beside: string };

export type MigrateOptions = {
  /** The database, for messages. */
  shown: string;
  nowMs: number;
  version: string;
  onProgress: (message: string) => void;
  /** Whether older nodes that still live are about to end. */
  mayBreakOthers?: boolean;
  /** Replaces the migrations that parley ships, for tests. */
  migrations?: readonly Migration[] | undefined;
};

/** What is left to do: migrations, and the nodes that could not go on beside them. */
export type Missing = { isEmpty: boolean; migrations: readonly Migration[]; olderNodes: readonly OlderNode[] };
type OlderNode = { name: string; version: string };

/**
 * Creates parley's tables in an empty database, and applies what is missing in an existing one, in one transaction. Nodes that start
 * together wait for the one that migrates. Applies nothing while an older node lives that could not go on.
 * @returns what is still missing
 * @throws when the tables are another program's, or a newer parley's that does not allow this version
 */
export async function migrate(client: pg.ClientBase, options: MigrateOptions): Promise<Missing> {
  await client.query('BEGIN');
  try {
    await lockMigrations(client);
    const missing = await missingFrom(client, options);
    if (missing.olderNodes.length > 0 && options.mayBreakOthers !== true) {
      await client.query('ROLLBACK');
      return missing;
    }
    await bringUpToDate(client, missing, options);
    await client.query('COMMIT');
    return { isEmpty: false, migrations: [], olderNodes: [] };
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

/** Waits in the open transaction for another node that migrates. */
export const lockMigrations = (client: pg.ClientBase): Promise<unknown> =>
  runAll(client, `SET LOCAL lock_timeout = ${maxWaitMs}; SELECT pg_advisory_xact_lock(${lock})`);

/** Applies in the open transaction what is missing. */
export async function bringUpToDate(
  client: pg.ClientBase,
  missing: Pick<Missing, 'isEmpty' | 'migrations'>,
  options: Pick<MigrateOptions, 'nowMs' | 'version' | 'onProgress'>,
): Promise<void> {
  if (missing.isEmpty) await client.query(createHistory);
  for (const migration of missing.migrations) {
    if (!missing.isEmpty) options.onProgress(`Upgrading the database: migration ${migration.id}, ${migration.name}.`);
    await apply(client, migration, options);
  }
}

const createHistory = `CREATE TABLE schema_migrations (
  id bigint PRIMARY KEY, name text NOT NULL, sha256 text NOT NULL, applied_at bigint NOT NULL, version text NOT NULL, beside text NOT NULL
)`;

async function apply(
  client: pg.ClientBase,
  migration: Migration,
  { nowMs, version }: Pick<MigrateOptions, 'nowMs' | 'version'>,
): Promise<void> {
  const { id, name, sha256, sql } = migration;
  await client.query(sql);
  await client.query('INSERT INTO schema_migrations VALUES ($1, $2, $3, $4, $5, $6)', [
    id,
    name,
    sha256,
    nowMs,
    version,
    besideOf(migration) ?? version,
  ]);
}

/** A migration begins with the oldest version that may go on beside it: `-- beside: 0.2.0`. */
const besideOf = ({ sql }: Pick<Migration, 'sql'>): string | undefined =>
  /^-- beside: (?<version>\S+)$/m.exec(sql)?.groups?.['version'];

/**
 * Looks for what migrate() would do, and changes nothing.
 * @throws as migrate() does
 */
export async function missingFrom(
  client: pg.ClientBase,
  { shown, version, migrations = shipped }: Pick<MigrateOptions, 'shown' | 'version' | 'migrations'>,
): Promise<Missing> {
  const applied = await appliedTo(client, shown);
  requireHistory(applied, { shown, version, migrations });
  const missing = migrations.slice(applied.length);
  const isEmpty = applied.length === 0;
  const olderNodes = isEmpty || missing.length === 0 ? [] : await nodesThatEnd(client, missing, version);
  return { isEmpty, migrations: missing, olderNodes };
}

const rowsIn = async <R>(client: pg.ClientBase, query: string): Promise<R[]> => (await client.query(query)).rows as R[];

async function nodesThatEnd(
  client: pg.ClientBase,
  missing: readonly Migration[],
  version: string,
): Promise<OlderNode[]> {
  const nodes = await rowsIn<OlderNode>(client, `SELECT name, version FROM nodes WHERE ${notGivenUp} ORDER BY name`);
  return nodes.filter((node) =>
    missing.some((migration) => isOlderVersion(node.version, besideOf(migration) ?? version)),
  );
}

async function appliedTo(client: pg.ClientBase, shown: string): Promise<Applied[]> {
  const tables = await rowsIn<{ name: string }>(
    client,
    'SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema() ORDER BY tablename',
  );
  const [own] = await rowsIn(
    client,
    `SELECT 1 FROM pg_attribute WHERE attrelid = to_regclass(quote_ident(current_schema()) || '.schema_migrations') AND attname = 'sha256'`,
  );
  if (own) return rowsIn(client, 'SELECT * FROM schema_migrations ORDER BY id');
  const [other] = tables;
  if (other)
    throw new Error(
      `${shown}: the first schema of the database has tables of another program (${other.name}, …) and none of parley's; give parley a database or a schema of its own`,
    );
  return [];
}

/** Checks that this version may work with the migrations of a database. */
function requireHistory(
  applied: readonly Applied[],
  { shown, version, migrations }: Pick<MigrateOptions, 'shown' | 'version'> & { migrations: readonly Migration[] },
): void {
  for (const [index, row] of applied.entries()) {
    const migration = migrations[index];
    if (!migration) requireAllowed(row, shown, version);
    else if (migration.sha256 !== row.sha256)
      throw new Error(
        `${shown} was made by a build of parley that was never released (its migration ${row.id} is another one); only that build opens it`,
      );
  }
}

function requireAllowed({ id, name, beside, version: by }: Applied, shown: string, version: string): void {
  if (!isOlderVersion(version, beside)) return;
  throw new Error(
    `${shown} was upgraded by parley ${by} (migration ${id}, ${name}); it needs parley ${beside} or later, and this is ${version}`,
  );
}

/** For a node that has stood by: another one may have migrated meanwhile. */
export async function requireAllowedSchema(
  client: pg.ClientBase,
  { shown, version }: Pick<MigrateOptions, 'shown' | 'version'>,
): Promise<void> {
  requireHistory(await appliedTo(client, shown), { shown, version, migrations: shipped });
}

/** What a person has to do before this version can work with the database. */
export function describeMissing({ isEmpty, migrations, olderNodes }: Missing): string {
  if (isEmpty) return "the database is empty, and parley's tables are to be created";
  const names = migrations.map(({ id, name }) => `${id}, ${name}`).join('; ');
  const older = olderNodes.map(({ name, version }) => `${name} (parley ${version})`).join(', ');
  const first = older === '' ? '' : `; stop these nodes first, which could not go on: ${older}`;
  return `the database has an older schema, and migrations are to be applied (${names})${first}`;
}
