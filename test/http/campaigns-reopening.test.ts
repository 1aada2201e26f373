import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { transact } from '../../src/db/transaction.ts';
import { removeCampaignContact } from '../../src/features/campaigns/contacts/campaign-contacts.ts';
import { updateCampaign } from '../../src/features/campaigns/service.ts';
import { aPhone } from '../support/fixtures.ts';
import { dataOf, startTestServer } from '../support/server.ts';
import { type CallingOrg, isBalanced, newCallingOrg, nowOf } from './calling-support.ts';

const server = await startTestServer();
after(() => server.stop());

const minute = 60_000;
const statuses = async (org: CallingOrg, id: string) => (await org.contacts(id)).map(({ status }) => status);
const join = async (org: CallingOrg, id: string, phones: readonly string[]) =>
  dataOf(await org.client.post(`/campaigns/${id}/contacts`, { contacts: phones.map((phone) => ({ phone })) }));
const reopen = (org: CallingOrg, id: string, more: object = {}) =>
  org.client.patch(`/campaigns/${id}/`, { executionStatus: 'running', ...more });

test('a completed campaign takes contacts, stays completed, and calls them once it is active again', async () => {
  const org = await newCallingOrg(server);
  const { id } = await org.run([aPhone('00')]);
  await server.advance(minute);
  const completed = await org.read(id);
  assert.equal(completed.status, 'completed');
  const refused = await reopen(org, id);
  assert.deepEqual([refused.status, refused.body.code], [409, 'CONFLICT']);
  assert.match(refused.body.message, /pending or expired/);

  await join(org, id, [aPhone('00')]);
  assert.deepEqual(await statuses(org, id), ['completed', 'pending']);
  await server.advance(minute);
  const waiting = await org.read(id);
  assert.deepEqual(
    [waiting.status, waiting.contactStats.pending, waiting.completedAt],
    ['completed', 1, completed.completedAt],
  );

  const reopened = dataOf(await reopen(org, id));
  assert.deepEqual([reopened.status, reopened.completedAt, reopened.startedAt], ['active', null, completed.startedAt]);
  await server.advance(minute);
  assert.deepEqual(await statuses(org, id), ['completed', 'completed']);
  assert.equal((await org.read(id)).status, 'completed');
  const events = dataOf(await org.client.get<Array<{ type: string }>>(`/campaigns/${id}/events`));
  assert.equal(events.filter(({ type }) => type === 'reopened').length, 1);
});

test('reopening makes expired contacts pending with their attempts counted on, and leaves cancelled ones', async () => {
  const org = await newCallingOrg(server);
  const phones = [aPhone('02'), aPhone('00'), aPhone('00')];
  const { id } = await org.run(phones, { schedule: { maxConcurrent: 1, retryAttempts: 1, retryGapMin: 30 } });
  const [, , third] = await org.contacts(id);
  dataOf(await org.client.del(`/campaigns/${id}/contacts/${third!.contact_id}`));
  await server.advance(10_000); // the first was busy and waits for its retry, the second is on the phone
  await org.patch(id, { status: 'completed' });
  await server.advance(minute);
  assert.deepEqual(await statuses(org, id), ['expired', 'completed', 'cancelled']);

  dataOf(await reopen(org, id));
  const [first] = await org.contacts(id);
  assert.deepEqual([first!.status, first!.attempt_count], ['pending', 1]);
  const waitsMs = Date.parse(first!.next_retry_at!) - nowOf(server);
  assert.ok(waitsMs > 28 * minute && waitsMs < 30 * minute, 'the gap after its call holds');
  await server.advance(31 * minute);
  assert.deepEqual(await statuses(org, id), ['busy', 'completed', 'cancelled']);
  assert.deepEqual((await org.contacts(id))[0]!.attempt_count, 2);
});

test('reopening calls nobody who was removed or deleted since, and others at their present number', async () => {
  const org = await newCallingOrg(server);
  const { id } = await org.campaign();
  await join(
    org,
    id,
    Array.from({ length: 4 }, () => aPhone('00')),
  );
  await org.patch(id, { status: 'completed' });
  const [removed, deleted, moved, phoneless] = (await org.contacts(id)).map(({ contact_id: contactId }) => contactId);
  assert.deepEqual(await statuses(org, id), ['expired', 'expired', 'expired', 'expired']);
  const before = await org.stats(id);
  dataOf(await org.client.del(`/campaigns/${id}/contacts/${removed}`));
  dataOf(await org.client.del(`/contacts/${deleted}`));
  const phone = aPhone('00');
  dataOf(await org.client.patch(`/contacts/${moved}`, { phone }));
  dataOf(await org.client.patch(`/contacts/${phoneless}`, { phone: null }));
  const expected = ['cancelled', 'cancelled', 'expired', 'cancelled'];
  assert.deepEqual(await statuses(org, id), expected);
  assert.deepEqual(await org.stats(id), before);
  const why = await org.client.get(`/campaigns/${id}/contacts/${removed}/why`);
  assert.equal((dataOf(why)['cause'] as { code: string }).code, 'removed');

  dataOf(await reopen(org, id));
  await server.advance(minute);
  assert.deepEqual(await statuses(org, id), ['cancelled', 'cancelled', 'completed', 'cancelled']);
  const calls = dataOf(await org.client.get<Array<{ phone: string }>>(`/calls?campaign_id=${id}`));
  assert.deepEqual(
    calls.map((call) => call.phone),
    [phone],
  );
  assert.ok(isBalanced(await org.stats(id)));
});

test('a contact that is removed while its campaign expires hundreds is not called after reopening', async () => {
  const org = await newCallingOrg(server);
  const { id } = await org.campaign();
  await join(
    org,
    id,
    Array.from({ length: 350 }, () => aPhone('00')),
  );
  const last = (await org.contacts(id)).at(-1)!;
  const { app } = server.running;
  const { orgId } = org.client;
  // In one transaction, so that the job has not changed its row.
  await transact(app.db, orgId, async () => {
    await updateCampaign(app, orgId, id, { status: 'completed' });
    await removeCampaignContact(app, orgId, id, last.contact_id!);
  });
  await server.running.runner.settled();
  const { total, failed, pending } = await org.stats(id);
  assert.deepEqual([total, failed, pending], [350, 350, 0]);
  assert.deepEqual(await statuses(org, id), [...Array<string>(349).fill('expired'), 'cancelled']);
});

test('a campaign whose end has passed is reopened with a later one, by the rules of going active', async () => {
  const org = await newCallingOrg(server);
  const { id } = await org.run([aPhone('00'), aPhone('00')], {
    maxCps: 1,
    schedule: {
      maxConcurrent: 1,
      end: new Temporal.Instant(BigInt(nowOf(server) + minute / 2) * 1_000_000n).toString(),
    },
  });
  await server.advance(minute);
  assert.deepEqual(await statuses(org, id), ['completed', 'expired']);
  const late = await reopen(org, id);
  assert.deepEqual([late.status, late.body.code], [409, 'CONFLICT']);
  assert.match(late.body.message, /schedule\.end has passed/);
  dataOf(await reopen(org, id, { schedule: { end: null } }));
  await server.advance(minute);
  assert.deepEqual(await statuses(org, id), ['completed', 'completed']);
});

test('hundreds of contacts expire and are reopened, whatever batch they are in', async () => {
  const org = await newCallingOrg(server);
  const { id } = await org.campaign();
  await join(
    org,
    id,
    Array.from({ length: 250 }, () => aPhone('00')),
  );
  await org.patch(id, { status: 'completed' });
  const completed = await org.read(id);
  assert.deepEqual([completed.contactStats.failed, completed.contactStats.pending], [250, 0]);
  await server.advance(1);
  dataOf(await reopen(org, id, { status: 'active', executionStatus: 'paused' }));
  await server.advance(1);
  const stats = await org.stats(id);
  assert.deepEqual([stats.pending, stats.failed, isBalanced(stats)], [250, 0, true]);
  await org.patch(id, { executionStatus: 'running' });
  await server.advance(3 * 60 * minute);
  assert.equal((await org.stats(id)).contacted, 250);
});
