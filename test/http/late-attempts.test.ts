import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { sql } from 'kysely';
import { transact } from '../../src/db/transaction.ts';
import type { Carrier } from '../../src/features/calls/carriers/carrier.ts';
import { dialer } from '../../src/features/calls/dial.ts';
import { findCall, hangUp } from '../../src/features/calls/service.ts';
import { campaignCalls } from '../../src/features/campaigns/dialing/last-look.ts';
import type { App } from '../../src/kernel/app.ts';
import { afterInsert } from '../support/both-stores.ts';
import { aPhone } from '../support/fixtures.ts';
import { dataOf, startTestServer } from '../support/server.ts';
import { newCallingOrg, nowOf } from './calling-support.ts';

/** Three attempts of the last three seconds that were not handed to the carrier, as if the server had stood still. */
async function lateAttempts(t: TestContext) {
  const server = await startTestServer();
  const { app } = server.running;
  const org = await newCallingOrg(server);
  await afterInsert(
    t,
    app.db,
    { table: 'outbox', when: "NEW.kind = 'call.dial'" },
    "DELETE FROM outbox WHERE id = NEW.id; UPDATE calls SET state = 'queued' WHERE id = NEW.key;",
  );
  t.after(() => server.stop()); // only now: the trigger is dropped before
  const campaign = await org.run([aPhone(), aPhone(), aPhone()], { maxCps: 2 });
  await server.advance(3000);
  await sql`UPDATE calls SET state = 'dialing'`.execute(app.db);
  const ids = (await org.calls()).map((call) => call.call_session_id).toSorted();
  assert.equal(ids.length, 3);
  return { server, app, org, campaign, ids };
}

/** Runs dial jobs with a carrier that takes every call. */
function dialJobs(app: App, orgId: string) {
  const dialed: string[] = [];
  const carrier = {
    dial: (_app: unknown, { id }: { id: string }) => {
      dialed.push(id);
      return Promise.resolve({ accepted: true });
    },
  } as unknown as Carrier;
  const runDial = dialer(() => carrier, campaignCalls);
  const job = { id: 0, kind: 'call.dial', scope: orgId, lane: 'dial:test', exclusive: null, dueAt: 0, attempt: 1 };
  return { dialed, dial: (callId: string) => runDial(app, { ...job, key: callId, payload: { callId } }) };
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
  const { dialed, dial } = dialJobs(app, org.client.orgId);
  dataOf(await org.client.post('/do-not-call', { phone: (await findCall(app.db, ids[0]!))!.to }));
  for (const id of ids) await dial(id);
  assert.deepEqual(dialed, [ids[1]!]);
  assert.equal((await findCall(app.db, ids[1]!))!.handedOverAt, nowOf(server));
  assert.deepEqual([await findCall(app.db, ids[0]!), await findCall(app.db, ids[2]!)], [undefined, undefined]);
  const { pending, inProgress } = await org.stats(campaign.id);
  assert.deepEqual([pending, inProgress], [1, 1]);
});

test('a call that was hung up before its last look is not dialed, and stays as it ended', async (t) => {
  const { app, org, ids } = await lateAttempts(t);
  const single = { agent_id: org.agentId, to: aPhone(), phone_number_id: org.numberId };
  const placed = dataOf(await org.client.post<{ call_session_id: string }>('/calls', single)).call_session_id;
  await sql`UPDATE calls SET state = 'dialing' WHERE id = ${placed}`.execute(app.db);
  const { dialed, dial } = dialJobs(app, org.client.orgId);
  for (const id of [ids[0]!, placed]) {
    await hangUp(app, org.client.orgId, id);
    const ended = await findCall(app.db, id);
    assert.equal(ended!.status, 'no_answer');
    await dial(id);
    assert.deepEqual(await findCall(app.db, id), ended);
  }
  assert.deepEqual(dialed, []);
});
