import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { transact } from '../../src/db/transaction.ts';
import { carrierDriver } from '../../src/features/calls/carriers/driver.ts';
import { findCall, hangUp } from '../../src/features/calls/service.ts';
import { refusalOf, setCampaignCalls, takeBack } from '../../src/features/calls/withdrawal.ts';
import { campaignCalls } from '../../src/features/campaigns/dialing/last-look.ts';
import type { Withdrawal } from '../../src/telephony/dialog/reports.ts';
import { aPhone } from '../support/fixtures.ts';
import { dataOf, startTestServer } from '../support/server.ts';
import { newCallingOrg } from './calling-support.ts';

/** A call that a carrier has and that has not rung. `confirm`: the carrier confirms that it takes calls back. */
async function aCallBeforeItsRing(t: TestContext) {
  const { promise: confirmed, resolve: confirm } = Promise.withResolvers<void>();
  const withdrawn: Withdrawal[] = [];
  const slow = carrierDriver({
    name: 'slow',
    summary: 'takes its time',
    simulated: true,
    settings: {},
    create: () => ({
      carrier: {
        maxRequestMs: 0,
        dial: () => Promise.resolve({ accepted: true }),
        knows: () => Promise.resolve(true),
        hangUp: () => Promise.resolve(),
        withdraw(withdrawals) {
          withdrawn.push(...withdrawals);
          return confirmed;
        },
      },
      health: () => Promise.resolve({ status: 'ok', message: 'slow' }),
    }),
  });
  const server = await startTestServer({ carrierDrivers: [slow], settings: { 'carrier.driver': 'slow' } });
  t.after(() => server.stop());
  t.after(() => confirm());
  const org = await newCallingOrg(server);
  const { id } = await org.run([aPhone()]);
  const [call] = await org.calls();
  return { app: server.running.app, org, campaignId: id, callId: call!.call_session_id, withdrawn, confirm };
}

test('a change that forbids a call is answered 503 when its carrier does not confirm within a second, and 200 once it has', async (t) => {
  const { org, campaignId, callId, withdrawn, confirm } = await aCallBeforeItsRing(t);
  const pause = () => org.client.patch(`/campaigns/${campaignId}/`, { status: 'paused' });
  const unconfirmed = await pause();
  assert.deepEqual([unconfirmed.status, unconfirmed.body.code], [503, 'UNAVAILABLE']);
  assert.match(unconfirmed.body.message, /The change is made, .* send the same request again/);
  assert.equal(unconfirmed.headers.get('retry-after'), '1');
  assert.equal((await org.read(campaignId)).status, 'paused');
  assert.deepEqual(
    withdrawn.map((one) => one.callId),
    [callId],
  );
  confirm();
  assert.equal(dataOf(await pause())['status'], 'paused');
});

test('a call of which it cannot be decided whether it may ring does not ring', async (t) => {
  const { app, callId } = await aCallBeforeItsRing(t);
  assert.equal(await refusalOf(app, callId), null);
  setCampaignCalls(app, { ...campaignCalls, reasonNotToRing: () => Promise.reject(new Error('out of luck')) });
  assert.match((await refusalOf(app, callId))!, /^Internal error/);
});

test('a call does not ring while another node may be active', async (t) => {
  const { app, callId } = await aCallBeforeItsRing(t);
  const cutOff = { ...app, mayAct: () => false };
  setCampaignCalls(cutOff, campaignCalls);
  assert.match((await refusalOf(cutOff, callId))!, /another node may be active/);
});

test('a call that has ended is not taken back', async (t) => {
  const { app, org, callId } = await aCallBeforeItsRing(t);
  await hangUp(app, org.client.orgId, callId);
  const ended = await findCall(app.db, callId);
  await transact(app.db, org.client.orgId, (tx) => takeBack(app, tx, ended!, 'too late'));
  assert.deepEqual(await findCall(app.db, callId), ended);
  assert.match((await refusalOf(app, callId))!, /has ended/);
});

test('a single call that is taken back has failed with the reason', async (t) => {
  const { app, org } = await aCallBeforeItsRing(t);
  const { orgId } = org.client;
  const single = { agent_id: org.agentId, to: aPhone(), phone_number_id: org.numberId };
  const { call_session_id: callId } = dataOf(await org.client.post<{ call_session_id: string }>('/calls', single));
  await transact(app.db, orgId, async (tx) => takeBack(app, tx, (await findCall(tx, callId))!, 'On the list.'));
  const { state, status, errorMessage, handedOverAt } = (await findCall(app.db, callId))!;
  assert.deepEqual([state, status, errorMessage, handedOverAt], ['ended', 'failed', 'On the list.', null]);
});
