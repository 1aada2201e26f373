import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { transact } from '../../src/db/transaction.ts';
import { removeBatch } from '../../src/features/campaigns/removal.ts';
import { maxBatchRows } from '../../src/kernel/batch-size.ts';
import { aPhone } from '../support/fixtures.ts';
import { dataOf, startTestServer } from '../support/server.ts';
import { type Campaign, type CallingOrg, newCallingOrg } from './calling-support.ts';

const server = await startTestServer();
after(() => server.stop());
const { db } = server.running.app;

const statusOf = async (org: CallingOrg, path: string) => (await org.client.get(path)).status;

async function rowsOf(campaignId: string): Promise<number> {
  const query = db.selectFrom('campaign_contacts').select((eb) => eb.fn.countAll<number>().as('n'));
  return (await query.where('campaign_id', '=', campaignId).executeTakeFirstOrThrow()).n;
}

test('a call that is live when its paused campaign is deleted ends normally and stays listed', async () => {
  const org = await newCallingOrg(server);
  const { id } = await org.run([aPhone('00')]);
  await org.patch(id, { status: 'paused' });
  assert.equal((await org.client.del(`/campaigns/${id}`)).status, 200);
  await server.advance(120_000);
  const [call] = await org.calls();
  assert.deepEqual([call?.state, call?.status, call?.campaign_id], ['ended', 'completed', id]);
  assert.equal(await rowsOf(id), 0);
  const agent = dataOf(await org.client.get<{ id: string; callStats: object }>(`/agents/${org.agentId}`));
  assert.deepEqual(agent.callStats, { totalCalls: 1, completedCalls: 1 });
});

// This must be the last test, because it stops the runner of the server.
test('a deleted campaign is gone from every answer at once, and its rows go in small batches', async () => {
  const org = await newCallingOrg(server);
  const shared = dataOf(await org.client.post('/contacts/', { phone: aPhone('00') }));
  const contacts = Array.from({ length: 2 * maxBatchRows + 50 }, () => aPhone('00'));
  const doomed = await org.campaign({ name: 'Doomed' });
  await org.add(doomed.id, contacts);
  const kept = await org.campaign({ name: 'Kept' });
  for (const { id } of [doomed, kept])
    dataOf(await org.client.post(`/campaigns/${id}/contacts`, { contact_ids: [shared.id] }));
  const [first] = await org.contacts(doomed.id);
  await server.running.runner.stop(0);

  assert.equal((await org.client.del(`/campaigns/${doomed.id}`)).status, 200);
  const readers = async () => ({
    gets: [
      await statusOf(org, `/campaigns/${doomed.id}`),
      await statusOf(org, `/campaigns/${doomed.id}/contacts`),
      await statusOf(org, `/campaigns/${doomed.id}/plan`),
      await statusOf(org, `/campaigns/${doomed.id}/contacts/${first!.contact_id}/why`),
      (await org.client.patch(`/campaigns/${doomed.id}`, { name: 'Again' })).status,
      (await org.client.post(`/campaigns/${doomed.id}/contacts`, { contact_ids: [shared.id] })).status,
      (await org.client.del(`/campaigns/${doomed.id}/contacts/${first!.contact_id}`)).status,
      (await org.client.del(`/campaigns/${doomed.id}`)).status,
    ],
    listed: await org.client.get<Campaign[]>('/campaigns/'),
    drafts: await org.client.get<Campaign[]>('/campaigns/?status=draft'),
    ofContact: dataOf(await org.client.get<Array<{ name: string }>>(`/contacts/${shared.id}/campaigns`)),
  });
  const assertInvisible = async () => {
    const { gets, listed, drafts, ofContact } = await readers();
    assert.deepEqual(
      gets,
      gets.map(() => 404),
    );
    for (const { body } of [listed, drafts]) {
      assert.deepEqual([body.data.map(({ name }) => name), body.meta.total], [['Kept'], 1]);
    }
    assert.deepEqual(
      ofContact.map(({ name }) => name),
      ['Kept'],
    );
  };
  await assertInvisible();

  const left = [await rowsOf(doomed.id)];
  while (await transact(db, org.client.orgId, (tx) => removeBatch(tx, doomed.id, maxBatchRows))) {
    left.push(await rowsOf(doomed.id));
    await assertInvisible();
  }
  assert.deepEqual(left, [2 * maxBatchRows + 51, maxBatchRows + 51, 51, 0]);
  assert.equal(await rowsOf(kept.id), 1);
  const rows = await db
    .selectFrom('campaigns')
    .select('name')
    .where('organization_id', '=', org.client.orgId)
    .execute();
  assert.deepEqual(rows, [{ name: 'Kept' }]);
  await assertInvisible();
});
