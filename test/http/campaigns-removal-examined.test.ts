import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { transact } from '../../src/db/transaction.ts';
import { findCall, hangUp } from '../../src/features/calls/service.ts';
import { fileRecent } from '../../src/features/calls/store.ts';
import { dataChecks } from '../../src/main/kept-numbers.ts';
import { aPhone } from '../support/fixtures.ts';
import { startTestServer } from '../support/server.ts';
import { newCallingOrg } from './calling-support.ts';

const server = await startTestServer();
after(() => server.stop());
const { app } = server.running;

async function faults(): Promise<string[]> {
  const found: string[] = [];
  for (const { query, fault } of dataChecks) {
    if ((await sql.raw(`SELECT 1 WHERE EXISTS (${query})`).execute(app.db)).rows.length > 0) found.push(fault);
  }
  return found;
}

test('a campaign contact that is not filed, and has no call that is not filed, is a fault', async () => {
  const org = await newCallingOrg(server);
  const campaign = await org.campaign({ name: 'Kept' });
  await org.add(campaign.id, [aPhone('00')]);
  await sql`UPDATE campaign_contacts SET recent = 1 WHERE campaign_id = ${campaign.id}`.execute(app.db);
  assert.deepEqual(await faults(), [
    'a campaign contact is missing from the lists by status, because its call is filed or deleted',
  ]);
  await sql`UPDATE campaign_contacts SET recent = 0 WHERE campaign_id = ${campaign.id}`.execute(app.db);
});

// This must be the last test, because it stops the runner of the server.
test('a backup is sound if a call of a removed campaign was filed before its contacts were deleted', async () => {
  const org = await newCallingOrg(server);
  const { orgId } = org.client;
  const { id } = await org.run([aPhone('00')]);
  await org.patch(id, { status: 'paused' });
  const [live] = await org.calls();
  await server.running.runner.stop(0);
  assert.equal((await org.client.del(`/campaigns/${id}`)).status, 200);
  await hangUp(app, orgId, live!.call_session_id);
  assert.equal(await transact(app.db, orgId, (tx) => fileRecent(tx, orgId, 10)), 1);
  assert.equal((await findCall(app.db, live!.call_session_id))?.state, 'ended');
  const contacts = await sql`SELECT status, recent FROM campaign_contacts WHERE campaign_id = ${id}`.execute(app.db);
  assert.deepEqual(contacts.rows, [{ status: 'in_progress', recent: 1 }]);
  assert.deepEqual(await faults(), []);
});
