import type pg from 'pg';
import { runAll } from './client.ts';
import { type Migration, migrations as shipped } from './migrations.generated.ts';

/** The advisory lock of migrations. Another node waits this long for one that migrates. */
const [lock, maxWaitMs] = [0x70726c79_6d, 600_000];

type Applied = { id: number; name: string; sha256: string };

/**
 * Creates parley's tables in an empty database, and applies what is missing in an existing one, in one transaction. Nodes that start
 * together wait for the one that migrates.
 * @throws when the tables are another program's, or a newer parley's
 */
export async function migrate(
  client: pg.ClientBase,
  { shown, nowMs, onProgress }: { shown: string; nowMs: number; onProgress: (message: string) => void },
): Promise<void> {
  await runAll(client, `BEGIN; SET LOCAL lock_timeout = ${maxWaitMs}; SELECT pg_advisory_xact_lock(${lock})`);
  try {
    const applied = await appliedTo(client, shown);
    const missing = missingOf(applied, shown);
    for (const migration of missing) {
      if (applied.length > 0) onProgress(`Upgrading the database: migration ${migration.id}, ${migration.name}.`);
      await client.query(migration.sql);
      await client.query('INSERT INTO schema_migrations VALUES ($1, $2, $3, $4)', [
        migration.id,
        migration.name,
        migration.sha256,
        nowMs,
      ]);
    }
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

const rowsIn = async <R>(client: pg.ClientBase, query: string): Promise<R[]> => (await client.query(query)).rows as R[];

async function appliedTo(client: pg.ClientBase, shown: string): Promise<Applied[]> {
  const tables = await rowsIn<{ name: string }>(
    client,
    'SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema() ORDER BY tablename',
  );
  if (tables.some(({ name }) => name === 'schema_migrations'))
    return rowsIn(client, 'SELECT id, name, sha256 FROM schema_migrations ORDER BY id');
  const [other] = tables;
  if (other)
    throw new Error(
      `${shown}: the first schema of the database has tables of another program (${other.name}, …) and none of parley's; give parley a database or a schema of its own`,
    );
  await client.query(
    'CREATE TABLE schema_migrations (id bigint PRIMARY KEY, name text NOT NULL, sha256 text NOT NULL, applied_at bigint NOT NULL)',
  );
  return [];
}

function missingOf(applied: readonly Applied[], shown: string): readonly Migration[] {
  for (const [index, row] of applied.entries()) {
    const migration = shipped[index];
    if (!migration)
      throw new Error(
        `${shown} was written by a newer parley (it has migration ${row.id}, ${row.name}); run that version`,
      );
    if (migration.sha256 !== row.sha256)
      throw new Error(
        `${shown} was made by a build of parley that was never released (its migration ${row.id} is another one); only that build opens it`,
      );
  }
  return shipped.slice(applied.length);
}
