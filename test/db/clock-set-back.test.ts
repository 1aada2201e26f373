import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { moveInstantsBack } from '../../src/features/clock-set-back.ts';
import { maxBatchRows } from '../../src/kernel/batch-size.ts';
import { createTestApp } from '../support/app.ts';
import { fillDatabase } from '../support/many-rows.ts';
import { planOf, recordStatements } from '../support/plans.ts';

const { app, close } = await createTestApp();
after(() => close());
const { orgId, numberId } = await fillDatabase(app.db, 1);

const hour = 3_600_000;

test('after the clock was set back, instants in the future move back by as much, in batches', async (t) => {
  const now = app.clock.now();
  const campaigns = 2 * maxBatchRows + 10;
  await sql`WITH RECURSIVE numbers (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n + 1 < ${campaigns})
    INSERT INTO campaigns (id, organization_id, name, status, execution_status, window_days, timezone, max_concurrent, max_cps,
      retry_attempts, retry_gap_min, retry_on, pace_at, wake_at, created_at, updated_at)
    SELECT printf('many-%05d', n), ${orgId}, 'Campaign', 'active', 'running', '[]', 'UTC', 1, 1, 0, 60, '[]',
      ${now} + iif(n % 2, ${hour} + n, -n), iif(n % 5, NULL, ${now} + ${hour} + 7), 0, 0 FROM numbers`.execute(app.db);
  await sql`UPDATE organizations SET pace_at = ${now + hour + 1} WHERE id = ${orgId}`.execute(app.db);
  await sql`UPDATE phone_numbers SET pace_at = ${now + hour + 2}`.execute(app.db);
  await sql`INSERT INTO carrier_pauses (phone_number_id, organization_id, paused_at, probe_at, probes, reason)
    VALUES (${numberId}, ${orgId}, ${now}, ${now + hour + 3}, 0, 'refused')`.execute(app.db);
  const statements = await recordStatements(t, app.db);
  await moveInstantsBack(app, hour);
  const recorded = statements.splice(0);
  const rows = async (query: ReturnType<typeof sql<{ at: number | null }>>) =>
    (await query.execute(app.db)).rows.map(({ at }) => (at === null ? null : at - now));
  const numbers = Array.from({ length: campaigns }, (_, n) => n);
  const many = sql`FROM campaigns WHERE id LIKE 'many-%' ORDER BY id`;
  assert.deepEqual(
    await rows(sql`SELECT pace_at AS at ${many}`),
    numbers.map((n) => (n % 2 ? n : 0 - n)),
  );
  assert.deepEqual(
    await rows(sql`SELECT wake_at AS at ${many}`),
    numbers.map((n) => (n % 5 ? null : 7)),
  );
  assert.deepEqual(await rows(sql`SELECT pace_at AS at FROM organizations WHERE id = ${orgId}`), [1]);
  assert.deepEqual(await rows(sql`SELECT pace_at AS at FROM phone_numbers`), [2]);
  assert.deepEqual(await rows(sql`SELECT probe_at AS at FROM carrier_pauses`), [3]);
  const updates = recorded.filter((statement) => /UPDATE\s+"campaigns"/.test(statement.sql));
  assert.ok(updates.length >= 2 * 3, `${updates.length} statements`);
  for (const statement of updates) {
    const [keys] = statement.parameters.filter((value) => typeof value === 'string') as [string];
    assert.ok((JSON.parse(keys) as unknown[]).length <= maxBatchRows);
    const plan = (await planOf(app.db, statement)).join('\n');
    assert.match(plan, /SEARCH campaigns USING PRIMARY KEY/);
  }
});

test('moving instants back again moves none before the present', async () => {
  const now = app.clock.now();
  await sql`UPDATE phone_numbers SET pace_at = ${now + 50}`.execute(app.db);
  await moveInstantsBack(app, hour);
  const { rows } = await sql<{ at: number }>`SELECT pace_at AS at FROM phone_numbers`.execute(app.db);
  assert.deepEqual(rows, [{ at: now }]);
});
