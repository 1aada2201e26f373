// Long: each operation that may forbid a call is tried with a carrier of its own.
import assert from 'node:assert/strict';
import { after, suite, type TestContext, test } from 'node:test';
import { transact } from '../../src/db/transaction.ts';
import { carrierDriver } from '../../src/features/calls/carriers/driver.ts';
import { findCall, hangUp } from '../../src/features/calls/service.ts';
import { refusalOf, setCampaignCalls, takeBack } from '../../src/features/calls/withdrawal.ts';
import { campaignCalls } from '../../src/features/campaigns/dialing/last-look.ts';
import { featureRoutes } from '../../src/features/interface.ts';
import type { Withdrawal } from '../../src/telephony/dialog/reports.ts';
import { aPhone } from '../support/fixtures.ts';
import { type Answer, type Client, dataOf, startTestServer, type TestServer } from '../support/server.ts';
import { newCallingOrg } from './calling-support.ts';

/** A server with a carrier that has calls which do not ring. `confirm`: the carrier confirms that it takes calls back. */
async function startSlowCarrier() {
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
  const stop = async (): Promise<void> => {
    confirm();
    await server.stop();
  };
  return { server, app: server.running.app, withdrawn, confirm, stop };
}

/** A call that the carrier has and that has not rung, of a new organization. */
async function aCallOf(server: TestServer) {
  const org = await newCallingOrg(server);
  const { id } = await org.run([aPhone()]);
  const [call] = await org.calls();
  return { org, campaignId: id, callId: call!.call_session_id };
}

async function aCallBeforeItsRing(t: TestContext) {
  const carrier = await startSlowCarrier();
  t.after(carrier.stop);
  return { ...carrier, ...(await aCallOf(carrier.server)) };
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

type Cell = { client: Client; agentId: string; campaignId: string; contactId: string; phone: string };

/** One request of every operation that may forbid a call. */
const forbidding: Record<string, (cell: Cell) => Promise<Answer<unknown>>> = {
  createContact: ({ client, phone }) => client.post('/contacts/', { phone, do_not_call: true }),
  updateContact: ({ client, contactId }) => client.patch(`/contacts/${contactId}`, { do_not_call: true }),
  optOutContact: ({ client, contactId }) => client.put(`/contacts/${contactId}/do-not-call`),
  importContacts: ({ client, phone }) => client.post('/contacts/import', fileOf(`phone,do_not_call\n${phone},true\n`)),
  addDoNotCall: ({ client, phone }) => client.post('/do-not-call', { phone }),
  importDoNotCall: ({ client, phone }) => client.post('/do-not-call/import', fileOf(`phone\n${phone}\n`)),
  importCampaignContacts: ({ client, campaignId, phone }) =>
    client.post(`/campaigns/${campaignId}/contacts/import`, fileOf(`phone,do_not_call\n${phone},true\n`)),
  updateAgent: ({ client, agentId }) => client.put(`/agents/${agentId}`, { status: 'INACTIVE' }),
  updateCampaign: ({ client, campaignId }) => client.patch(`/campaigns/${campaignId}/`, { status: 'paused' }),
  updateOrganization: ({ client }) =>
    client.patch('/organization', { guard_hours: { start: '03:00', end: '03:01', days: [7] } }),
  stopCalling: ({ client }) => client.post('/calling/stop'),
};

function fileOf(text: string): FormData {
  const form = new FormData();
  form.append('file', new Blob([text], { type: 'text/csv' }), 'rows.csv');
  return form;
}

suite('an operation that forbids a call waits until its carrier has taken it back', { concurrency: true }, async () => {
  const carrier = await startSlowCarrier();
  after(carrier.stop);
  for (const [operation, request] of Object.entries(forbidding)) {
    test(operation, async () => {
      const { org, campaignId, callId } = await aCallOf(carrier.server);
      const [contact] = await org.contacts(campaignId);
      const cell = {
        client: org.client,
        agentId: org.agentId,
        campaignId,
        contactId: contact!.contact_id!,
        phone: contact!.phone,
      };
      const { status, text } = await request(cell);
      assert.equal(status, 503, text);
      assert.equal(carrier.withdrawn.filter((one) => one.callId === callId).length, 1);
    });
  }
  test('no other operation does', () => {
    const waiting = featureRoutes.filter(({ forbidsCalls }) => forbidsCalls);
    assert.deepEqual(waiting.map(({ operationId }) => operationId).toSorted(), Object.keys(forbidding).toSorted());
  });
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
