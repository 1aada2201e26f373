import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { dayMs } from '../../src/base/clock.ts';
import { installation, optimize, type Queryable, transact } from '../../src/db/transaction.ts';
import { requestPruning } from '../../src/features/requests/jobs.ts';
import { createTestApp } from '../support/app.ts';

const analyzedTables = async (db: Queryable): Promise<string[]> => {
  const exists = await sql<{ n: number }>`SELECT count(*) AS n FROM sqlite_schema WHERE name = 'sqlite_stat1'`.execute(
    db,
  );
  if (exists.rows[0]!.n === 0) return [];
  return (await sql<{ tbl: string }>`SELECT DISTINCT tbl FROM sqlite_stat1`.execute(db)).rows.map(({ tbl }) => tbl);
};

/** Enough rows that statistics could change a plan. */
async function fill(db: Queryable): Promise<void> {
  await sql`INSERT INTO organizations (id, name, created_at)
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000) SELECT 'o' || i, 'name', i FROM n`.execute(
    db,
  );
  await sql`INSERT INTO api_keys (id, organization_id, name, role, key_hash, created_at)
    SELECT 'k' || id, id, 'name', 'viewer', id, 0 FROM organizations`.execute(db);
}

test('optimize() gathers statistics inside its transaction, and a rollback undoes them', async (t) => {
  const { app, close } = await createTestApp();
  t.after(() => close());
  await fill(app.db);
  await assert.rejects(
    transact(app.db, installation, async (tx) => {
      await optimize(tx);
      assert.ok((await analyzedTables(tx)).includes('api_keys'));
      throw new Error('no');
    }),
    /^Error: no$/,
  );
  assert.deepEqual(await analyzedTables(app.db), []);
});

test('the nightly cleaning gathers statistics for the query planner', async (t) => {
  const { app, clock, runner, close } = await createTestApp({ jobs: () => [requestPruning.job] });
  t.after(() => close());
  await fill(app.db);
  await requestPruning.schedule(app);
  assert.deepEqual(await analyzedTables(app.db), []);
  clock.set(clock.now() + dayMs);
  await runner.settled();
  assert.ok((await analyzedTables(app.db)).includes('api_keys'));
});
