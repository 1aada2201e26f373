import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { listCampaignContacts } from '../../src/features/campaigns/contacts/campaign-contacts.ts';
import { createTestApp } from '../support/app.ts';
import { lists, queriesOf, readPage, readPages, smallTables } from '../support/list-queries.ts';
import { fillDatabase } from '../support/many-rows.ts';
import { planOf, recordStatements } from '../support/plans.ts';

/** Enough rows of each kind that SQLite prefers an index to reading a whole table. */
const rows = 400;

const { app, close } = await createTestApp();
after(() => close());
const world = await fillDatabase(app.db, rows);

for (const route of lists) {
  test(`${route.operationId} reads its rows in order from an index, whatever the filter`, async (t) => {
    const statements = await recordStatements(t, app.db);
    for (const query of queriesOf(route, world)) {
      await readPages(app, world, route, query);
      for (const statement of statements.splice(0).filter((each) => !smallTables.test(each.sql))) {
        const steps = await planOf(app.db, statement);
        const faults = steps.filter(isFault);
        assert.deepEqual(faults, [], `${JSON.stringify(query)}: ${statement.sql}`);
        statements.length = 0;
      }
    }
  });
}

test('sorted campaign contacts are read from indexes that hold no others', async (t) => {
  const statements = await recordStatements(t, app.db);
  const page = { limit: 10, offset: 0, owner: world.orgId };
  const indexes = {
    next_attempt: ['pending', 'pending_zoned', 'called'],
    last_attempt: ['attempted', 'pending', 'pending_zoned', 'postponed', 'unattempted'],
  };
  for (const analyzed of [false, true]) {
    if (analyzed) await sql`ANALYZE`.execute(app.db);
    for (const [sort, wanted] of Object.entries(indexes)) {
      statements.length = 0;
      const filter = { sort: sort as keyof typeof indexes };
      await listCampaignContacts(app, world.orgId, world.campaignId, filter, page);
      const statement = statements.find((each) => each.sql.includes('UNION ALL'))!;
      const steps = await planOf(app.db, statement);
      const used = steps.flatMap((step) => / INDEX campaign_contacts_(\w+)/.exec(step)?.[1] ?? []);
      assert.deepEqual(new Set(used), new Set(wanted), `${sort}, ${analyzed}`);
    }
  }
});

test('the lists of notices and of notes count no rows', async (t) => {
  const statements = await recordStatements(t, app.db);
  for (const operationId of ['listNotices', 'listContactNotes']) {
    const route = lists.find((list) => list.operationId === operationId)!;
    const answer = await readPage(app, world, route, {});
    assert.ok(answer.total! > 0, operationId);
  }
  assert.deepEqual(
    statements.filter((each) => /count\(/i.test(each.sql)),
    [],
  );
});

/** Whether a step reads a whole table or sorts. A list as a parameter and a subquery (`AS found`, a name that PostgreSQL wants) do not count as tables. */
const isFault = (step: string): boolean =>
  (step.startsWith('SCAN ') &&
    !/^SCAN (?:json_each|\(subquery|found$|CONSTANT ROW|numbers)|VIRTUAL TABLE/.test(step)) ||
  step.includes('TEMP B-TREE');
