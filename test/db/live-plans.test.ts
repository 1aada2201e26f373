import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { topicOf } from '../../src/features/live/topics.ts';
import { createTestApp } from '../support/app.ts';
import { numbersTo } from '../support/both-stores.ts';
import { fillDatabase, rowId } from '../support/many-rows.ts';
import { planOf, recordStatements } from '../support/plans.ts';

const { app, close } = await createTestApp();
after(() => close());
const { orgId, campaignId } = await fillDatabase(app.db, 400);

/**
 * Steps that walk the calls or deliveries of a whole organization, which can be millions. A topic is read once a second, so it must have
 * none of them.
 */
const walksAll =
  /SCAN (?:calls|webhook_deliveries|knowledge_sources|source|crawl)|calls_of_organization|webhook_deliveries_of_organization/;

for (const name of ['overview', 'calls', 'deliveries', `campaign:${campaignId}`, `knowledge:${rowId('org', 0)}`]) {
  test(`the topic ${name.split(':')[0]} reads no list as a whole`, async (t) => {
    const statements = await recordStatements(t, app.db);
    await topicOf(app, orgId, name).read();
    const recorded = statements.splice(0);
    assert.ok(recorded.length > 0);
    for (const statement of recorded) {
      const steps = (await planOf(app.db, statement)).filter((step) => walksAll.test(step));
      assert.deepEqual(steps, [], statement.sql);
    }
  });
}

test('the topic incidents reads each kind once, and no more than it shows', async (t) => {
  await sql`${numbersTo(60)} INSERT INTO phone_numbers (id, organization_id, phone, type, status, max_concurrent, max_cps, created_at)
    SELECT 'paused' || n, ${orgId}, '+49301234' || (100 + n), 'sip', CASE WHEN n % 10 = 0 THEN 'released' ELSE 'active' END, 1, 1, 0
    FROM numbers`.execute(app.db);
  await sql`INSERT INTO carrier_pauses (phone_number_id, organization_id, paused_at, probe_at, probes, reason)
    SELECT id, organization_id, 1, 2, 0, 'no answer' FROM phone_numbers WHERE id LIKE 'paused%'`.execute(app.db);
  await sql`${numbersTo(60)} INSERT INTO knowledge_bases (id, organization_id, name, enable_auto_refresh, created_at, updated_at)
    SELECT 'failing' || (100 + n), ${orgId}, 'Base', 0, 0, 0 FROM numbers`.execute(app.db);
  await sql`INSERT INTO knowledge_source_counts (knowledge_base_id, type, status, sources)
    SELECT id, 'url', 'error', 1 FROM knowledge_bases WHERE id LIKE 'failing%'`.execute(app.db);

  const statements = await recordStatements(t, app.db);
  const {
    endpoints,
    numbers,
    knowledge_bases: bases,
  } = (await topicOf(app, orgId, 'incidents').read()) as Record<string, Array<{ id: string; phone?: string }>>;
  assert.deepEqual(
    statements.map(({ rows }) => rows),
    [endpoints!.length, 50, 50],
  );
  const active = Array.from({ length: 60 }, (_, n) => `+49301234${100 + n}`).filter((_, n) => n % 10 > 0);
  assert.deepEqual(
    numbers!.map(({ phone }) => phone),
    active.slice(0, 50),
  );
  assert.deepEqual(
    bases!.map(({ id }) => id),
    Array.from({ length: 50 }, (_, n) => `failing${159 - n}`),
  );
});
