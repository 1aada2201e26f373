import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { transact } from '../../src/db/transaction.ts';
import { findCall } from '../../src/features/calls/service.ts';
import { campaignCalls } from '../../src/features/campaigns/last-look.ts';
import { aPhone } from '../support/fixtures.ts';
import { startTestServer } from '../support/server.ts';
import { newCallingOrg, nowOf } from './calling-support.ts';

test('of attempts that have waited too long, one is dialed in each slot, and the others are taken back', async (t) => {
  const server = await startTestServer();
  t.after(() => server.stop());
  const { app } = server.running;
  const org = await newCallingOrg(server);
  // Nothing is handed to the carrier, as if the server were too busy.
  await sql`CREATE TEMP TRIGGER no_dials AFTER INSERT ON main.outbox WHEN new.kind = 'call.dial'
            BEGIN DELETE FROM outbox WHERE id = new.id; END`.execute(app.db);
  const campaign = await org.run([aPhone(), aPhone(), aPhone()], { maxCps: 2 });
  await server.advance(3000);
  const ids = (await org.calls()).map((call) => call.call_session_id).toSorted();
  assert.equal(ids.length, 3);

  const mayDial = (id: string) =>
    transact(app.db, org.client.orgId, async (tx) => campaignCalls.mayDial(app, tx, (await findCall(tx, id))!));
  assert.deepEqual([await mayDial(ids[0]!), await mayDial(ids[1]!)], [true, false]);
  assert.equal((await findCall(app.db, ids[0]!))!.startedAt, nowOf(server));
  assert.equal(await findCall(app.db, ids[1]!), undefined);
  const { pending, inProgress } = await org.stats(campaign.id);
  assert.deepEqual([pending, inProgress], [1, 2]);
});
