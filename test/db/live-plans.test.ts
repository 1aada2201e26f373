import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { topicOf } from '../../src/features/live/topics.ts';
import { createTestApp } from '../support/app.ts';
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
