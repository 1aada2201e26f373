import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { wrongNumbers } from '../../src/main/kept-numbers.ts';
import { createTestApp } from '../support/app.ts';
import { fillDatabase } from '../support/many-rows.ts';

const { app, close } = await createTestApp();
after(() => close());
const { orgId, campaignId } = await fillDatabase(app.db, 200);

async function count({ campaign }: { campaign: string }): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    SELECT sum(calls) AS n FROM call_counts
    WHERE organization_id = ${orgId} AND agent_id = '' AND campaign_id = ${campaign}`.execute(app.db);
  return rows[0]!.n;
}

test('live calls are counted when they end, with a campaign or without one', async () => {
  const live = sql`status IS NULL AND organization_id = ${orgId}`;
  await sql`UPDATE calls SET campaign_id = NULL
    WHERE id IN (SELECT id FROM calls WHERE ${live} ORDER BY id LIMIT 5)`.execute(app.db);
  const { rows } = await sql<{ campaign: string | null; id: string }>`
    SELECT campaign_id AS campaign, id FROM calls WHERE ${live}`.execute(app.db);
  const ofCampaign = rows.filter(({ campaign }) => campaign === campaignId);
  assert.ok(ofCampaign.length > 0 && ofCampaign.length <= rows.length - 5);
  const before = { all: await count({ campaign: '' }), ofCampaign: await count({ campaign: campaignId }) };
  for (const [index, { id }] of rows.entries()) {
    const status = ['completed', 'busy', 'voicemail'][index % 3]!;
    await sql`UPDATE calls SET state = 'ended', status = ${status}, ended_at = started_at WHERE id = ${id}`.execute(
      app.db,
    );
  }
  assert.equal((await count({ campaign: '' })) - before.all, rows.length);
  assert.equal((await count({ campaign: campaignId })) - before.ofCampaign, ofCampaign.length);
  assert.deepEqual(await wrongNumbers(app.db), []);
});
