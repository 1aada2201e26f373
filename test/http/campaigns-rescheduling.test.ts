import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { transact } from '../../src/db/transaction.ts';
import { campaignOf } from '../../src/features/campaigns/service.ts';
import { reschedule } from '../../src/features/campaigns/contacts/rescheduling.ts';
import { aPhone } from '../support/fixtures.ts';
import { dataOf, startTestServer } from '../support/server.ts';
import { advanceTo, type CallingOrg, msOf, newCallingOrg } from './calling-support.ts';

const server = await startTestServer();
after(() => server.stop());

const office = { retryAttempts: 2, retryGapMin: 60, windowStart: '09:00', windowEnd: '17:00' };

/** A campaign with one contact that was busy at 16:30:05, so that its retry waits for the next morning. */
async function waiting(day: string, over: { contact?: object; schedule?: object } = {}): Promise<[CallingOrg, string]> {
  const org = await newCallingOrg(server);
  await advanceTo(server, `${day}T16:30:00Z`);
  const { id } = await org.run([{ phone: aPhone('02'), ...over.contact }], {
    schedule: { ...office, ...over.schedule },
  });
  await server.advance(5000);
  return [org, id];
}

const retryOf = async (org: CallingOrg, id: string) => (await org.contacts(id))[0]!.next_retry_at;

test('widening the window brings waiting retries forward', async () => {
  const [org, id] = await waiting('2026-03-03');
  assert.equal(await retryOf(org, id), '2026-03-04T09:00:00.000Z');
  await org.patch(id, { schedule: { windowEnd: '20:00' } });
  assert.equal(await retryOf(org, id), '2026-03-03T17:30:05.000Z');
  await advanceTo(server, '2026-03-03T17:30:05Z');
  assert.equal((await org.calls())[1]!.started_at, '2026-03-03T17:30:05.000Z');
});

test('narrowing or moving the window postpones waiting retries, even while the campaign is paused', async () => {
  const [org, id] = await waiting('2026-03-04', { schedule: { windowEnd: '20:00' } });
  assert.equal(await retryOf(org, id), '2026-03-04T17:30:05.000Z');
  await org.patch(id, { schedule: { windowEnd: '17:00' }, status: 'paused' });
  assert.equal(await retryOf(org, id), '2026-03-05T09:00:00.000Z');
  await org.patch(id, { schedule: { windowDays: [1] } });
  assert.equal(await retryOf(org, id), '2026-03-09T09:00:00.000Z');
  await org.patch(id, { schedule: { timezone: 'America/New_York', windowDays: null } });
  assert.equal(await retryOf(org, id), '2026-03-04T17:30:05.000Z');
  await org.patch(id, { schedule: { windowStart: null, windowEnd: null, timezone: null } });
  assert.equal(await retryOf(org, id), '2026-03-04T17:30:05.000Z');
});

test('a changed retryGapMin counts from the end of the last call', async () => {
  const [org, id] = await waiting('2026-03-05');
  await org.patch(id, { schedule: { retryGapMin: 10 } });
  assert.equal(await retryOf(org, id), '2026-03-05T16:40:05.000Z');
  await org.patch(id, { schedule: { retryGapMin: 1440 } });
  assert.equal(await retryOf(org, id), '2026-03-06T16:30:05.000Z');
});

test('a contact that moves to another time zone is retried at the next opening there', async () => {
  const [org, id] = await waiting('2026-03-06', { contact: { timezone: 'UTC' } });
  const [contact] = await org.contacts(id);
  assert.equal(contact!.next_retry_at, '2026-03-07T09:00:00.000Z');
  dataOf(await org.client.patch(`/contacts/${contact!.contact_id!}`, { timezone: 'America/New_York' }));
  assert.equal(await retryOf(org, id), '2026-03-06T17:30:05.000Z');
  dataOf(await org.client.patch(`/contacts/${contact!.contact_id!}`, { timezone: 'Asia/Kolkata' }));
  assert.equal(await retryOf(org, id), '2026-03-07T03:30:00.000Z');
});

test('many waiting retries are moved in batches, each once, across time zones', async () => {
  const org = await newCallingOrg(server);
  await advanceTo(server, '2026-03-10T16:30:00Z');
  const zones = [undefined, 'Europe/London', 'Europe/Lisbon'];
  const contacts = Array.from({ length: 12 }, (_, index) => ({ phone: aPhone('02'), timezone: zones[index % 3] }));
  const { id } = await org.run(contacts, { maxCps: 100, schedule: { ...office, maxConcurrent: 100 } });
  await server.advance(10_000);
  assert.deepEqual(
    new Set((await org.contacts(id)).map((contact) => contact.next_retry_at)),
    new Set(['2026-03-11T09:00:00.000Z']),
  );
  const { app } = server.running;
  const tomorrow = msOf('2026-03-11T00:00:00Z');
  await transact(app.db, org.client.orgId, async (tx) => {
    const campaign = await campaignOf(tx, org.client.orgId, id);
    const widened = { ...campaign, schedule: { ...campaign.schedule, windowEnd: '18:00' } };
    await tx.updateTable('campaigns').set({ window_end: '18:00' }).where('id', '=', id).execute();
    await reschedule(app, tx, widened, { batch: 5 });
    const moved = tx.selectFrom('campaign_contacts').select('id').where('campaign_id', '=', id);
    assert.equal((await moved.where('next_retry_at', '<', tomorrow).execute()).length, 5, 'the others by a job');
  });
  await server.advance(0);
  assert.deepEqual(
    (await org.contacts(id)).map((contact) => contact.next_retry_at?.slice(0, 16)),
    contacts.map(() => '2026-03-10T17:30'),
  );
  await advanceTo(server, '2026-03-10T17:31:00Z');
  assert.equal((await org.calls()).length, 24);
});
