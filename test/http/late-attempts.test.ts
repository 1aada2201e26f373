import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { sql } from 'kysely';
import { transact } from '../../src/db/transaction.ts';
import type { Carrier } from '../../src/features/calls/carriers/carrier.ts';
import { dialer } from '../../src/features/calls/dial.ts';
import { findCall } from '../../src/features/calls/service.ts';
import { campaignCalls } from '../../src/features/campaigns/dialing/last-look.ts';
import { aPhone } from '../support/fixtures.ts';
import { dataOf, startTestServer } from '../support/server.ts';
import { newCallingOrg, nowOf } from './calling-support.ts';

/** Three attempts of the last three seconds that were not handed to the carrier, as if the server had stood still. */
async function lateAttempts(t: TestContext) {
  const server = await startTestServer();
  t.after(() => server.stop());
  const { app } = server.running;
  const org = await newCallingOrg(server);
  await sql`CREATE TEMP TRIGGER no_dials AFTER INSERT ON main.outbox WHEN new.kind = 'call.dial' BEGIN
              DELETE FROM outbox WHERE id = new.id;
              UPDATE calls SET state = 'queued' WHERE id = new.key;
            END`.execute(app.db);
  const campaign = await org.run([aPhone(), aPhone(), aPhone()], { maxCps: 2 });
  await server.advance(3000);
  await sql`UPDATE calls SET state = 'dialing'`.execute(app.db);
  const ids = (await org.calls()).map((call) => call.call_session_id).toSorted();
  assert.equal(ids.length, 3);
  return { server, app, org, campaign, ids };
}

test('of attempts that have waited too long, one is dialed in each slot, and the others are taken back', async (t) => {
  const { server, app, org, campaign, ids } = await lateAttempts(t);
  const mayDial = (id: string) =>
    transact(app.db, org.client.orgId, async (tx) => campaignCalls.mayDial(app, tx, (await findCall(tx, id))!));
  assert.deepEqual([await mayDial(ids[0]!), await mayDial(ids[1]!)], [true, false]);
  assert.equal((await findCall(app.db, ids[0]!))!.startedAt, nowOf(server));
  assert.equal(await findCall(app.db, ids[1]!), undefined);
  const { pending, inProgress } = await org.stats(campaign.id);
  assert.deepEqual([pending, inProgress], [1, 2]);
});

test('of calls that are late, one whose person opted out meanwhile is not dialed, and one for which no slot is left neither', async (t) => {
  const { server, app, org, campaign, ids } = await lateAttempts(t);
  const dialed: string[] = [];
  const carrier = {
    dial: (_app: unknown, { id }: { id: string }) => {
      dialed.push(id);
      return Promise.resolve({ accepted: true });
    },
  } as unknown as Carrier;
  const runDial = dialer(() => carrier, campaignCalls);
  const dial = (callId: string) =>
    runDial(app, {
      ...{
        id: 0,
        kind: 'call.dial',
        key: callId,
        scope: org.client.orgId,
        lane: `dial:${campaign.id}`,
        exclusive: null,
      },
      ...{ dueAt: 0, attempt: 1, payload: { callId } },
    });
  dataOf(await org.client.post('/do-not-call', { phone: (await findCall(app.db, ids[0]!))!.to }));
  for (const id of ids) await dial(id);
  assert.deepEqual(dialed, [ids[1]!]);
  assert.equal((await findCall(app.db, ids[1]!))!.handedOverAt, nowOf(server));
  assert.deepEqual([await findCall(app.db, ids[0]!), await findCall(app.db, ids[2]!)], [undefined, undefined]);
  const { pending, inProgress } = await org.stats(campaign.id);
  assert.deepEqual([pending, inProgress], [1, 1]);
});
