import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { transact } from '../../src/db/transaction.ts';
import {
  campaignsOfContact,
  getCampaignContact,
  listCampaignContacts,
} from '../../src/features/campaigns/contacts/campaign-contacts.ts';
import { complete } from '../../src/features/campaigns/completion.ts';
import { campaignJobs } from '../../src/features/campaigns/jobs.ts';
import { planOf } from '../../src/features/campaigns/plan/plan.ts';
import { resultPage } from '../../src/features/campaigns/results/results-store.ts';
import { maxBatchRows } from '../../src/kernel/batch-size.ts';
import { getCampaign } from '../../src/features/campaigns/service.ts';
import { removeContact } from '../../src/features/contacts/removal.ts';
import { subscribe } from '../../src/main/wiring.ts';
import { wrongNumbers } from '../../src/main/kept-numbers.ts';
import { createTestApp } from '../support/app.ts';
import { fillDatabase } from '../support/many-rows.ts';

const rows = 2000;
const { app, runner, close } = await createTestApp({ jobs: () => campaignJobs, wire: subscribe });
after(() => close());
const { orgId, campaignId } = await fillDatabase(app.db, rows);

const storedWith = async (status: string): Promise<number> => {
  const query = sql<{
    n: number;
  }>`SELECT count(*) AS n FROM campaign_contacts WHERE campaign_id = ${campaignId} AND status = ${status}`;
  return (await query.execute(app.db)).rows[0]!.n;
};

test('all pending contacts of a completed campaign are seen as expired at once, and their rows change in batches', async () => {
  const before = await getCampaign(app, orgId, campaignId);
  const [pending, expired] = [await storedWith('pending'), await storedWith('expired')];
  const list = (status: 'pending' | 'expired' | undefined, sort: 'queue' | 'next_attempt' = 'queue', limit = 500) =>
    listCampaignContacts(
      app,
      orgId,
      campaignId,
      { ...(status ? { statuses: [status] } : {}), sort },
      { limit, offset: 0 },
    );
  assert.ok(pending > 1000);
  // Nothing else runs inside the transaction, so these reads see what the first batch has left.
  await transact(app.db, orgId, async (tx) => {
    await complete(app, tx, before);
    assert.equal(await storedWith('pending'), pending - maxBatchRows);
    const { stats } = await getCampaign(app, orgId, campaignId);
    assert.deepEqual([stats.pending, stats.failed], [0, before.stats.failed + pending]);
    assert.deepEqual(await list('pending'), { items: [], total: 0 });
    for (const sort of ['queue', 'next_attempt'] as const) {
      const { items, total } = await list('expired', sort);
      assert.equal(total, pending + expired);
      assert.ok(items.every(({ status, nextRetryAt }) => status === 'expired' && nextRetryAt === null));
    }
    assert.equal((await list('expired')).items.length, 500);
    assert.ok((await list(undefined)).items.every(({ status }) => status !== 'pending'));
    const results = await resultPage(app.db, { orgId, campaignId, after: -1, limit: rows });
    assert.equal(results.filter(({ status }) => status === 'expired').length, pending + expired);
    const [last] = (await list('expired', 'queue')).items.toReversed();
    assert.equal((await getCampaignContact(app.db, orgId, campaignId, last!.id)).status, 'expired');
    const [of] = await campaignsOfContact(app, orgId, last!.contactId!);
    assert.equal(of!.campaignContact.status, 'expired');
    // A reopened campaign would call an expired contact, so a deleted one is cancelled.
    await removeContact(app, orgId, last!.contactId!);
    assert.equal((await getCampaignContact(app.db, orgId, campaignId, last!.id)).status, 'cancelled');
  });
  const { skipped } = await planOf(app, orgId, campaignId);
  assert.equal(skipped.find(({ code }) => code === 'expired')?.count, pending + expired - 1);
  await runner.settled();
  assert.deepEqual([await storedWith('pending'), await storedWith('expired')], [0, pending + expired - 1]);
  assert.equal(runner.ran().get('campaign.expire'), Math.floor((pending - 1) / maxBatchRows));
  assert.deepEqual(await wrongNumbers(app.db), []);
});
