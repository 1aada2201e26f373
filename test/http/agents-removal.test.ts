import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { transact } from '../../src/db/transaction.ts';
import { forgetBatch } from '../../src/features/agents/removal.ts';
import { maxBatchRows } from '../../src/kernel/batch-size.ts';
import { columnsOf, numbersTo } from '../support/both-stores.ts';
import { dataOf, startTestServer } from '../support/server.ts';
import { newCallingOrg } from './calling-support.ts';

const server = await startTestServer();
after(() => server.stop());
const { app } = server.running;
const { db } = app;

const campaigns = 2 * maxBatchRows + 50;

async function campaignsWith(agentId: string): Promise<number> {
  const query = db.selectFrom('campaigns').select((eb) => eb.fn.countAll<number>().as('n'));
  return (await query.where('agent_id', '=', agentId).executeTakeFirstOrThrow()).n;
}

test('a deleted agent is gone from every answer at once, and its campaigns lose it in small batches', async () => {
  const org = await newCallingOrg(server);
  const { agentId, numberId, client } = org;
  dataOf(await client.patch(`/phone-numbers/${numberId}`, { inbound_agent_id: agentId }));
  const { id } = await org.campaign();
  const copied = await columnsOf(db, 'campaigns', ['id']);
  await sql`${numbersTo(campaigns - 1)} INSERT INTO campaigns (id, ${copied})
    SELECT ${id} || '-' || n, ${copied} FROM campaigns, numbers WHERE id = ${id}`.execute(db);
  await server.running.runner.stop(0); // the test does what it would do
  assert.equal(await campaignsWith(agentId), campaigns);

  assert.equal((await client.del(`/agents/${agentId}`)).status, 200);
  const assertInvisible = async () => {
    assert.equal((await client.get(`/agents/${agentId}`)).status, 404);
    assert.equal((await client.put(`/agents/${agentId}`, { agentName: 'Eve' })).status, 404);
    assert.equal((await client.del(`/agents/${agentId}`)).status, 404);
    const { body } = await client.get<unknown[]>('/agents/');
    assert.deepEqual([body.data, body.meta.total], [[], 0]);
    assert.equal((await client.post('/campaigns/', { name: 'New', agentId })).status, 400);
    const [number] = dataOf(await client.get<Array<{ inbound_agent_id: string | null }>>('/phone-numbers/'));
    assert.equal(number!.inbound_agent_id, null);
  };
  await assertInvisible();
  const left = [await campaignsWith(agentId)];
  while (!(await transact(db, client.orgId, (tx) => forgetBatch(app, tx, client.orgId, agentId)))) {
    left.push(await campaignsWith(agentId));
    await assertInvisible();
  }
  assert.deepEqual(left, [maxBatchRows + 50, 50]);
  assert.equal(await campaignsWith(agentId), 0);
  assert.deepEqual(await db.selectFrom('agents').select('id').where('id', '=', agentId).execute(), []);
});
