import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { aPhone } from '../support/fixtures.ts';
import { type Data, dataOf, faultPaths, startTestServer } from '../support/server.ts';
import { type CallingOrg, isBalanced, newCallingOrg } from './calling-support.ts';

const server = await startTestServer();
after(() => server.stop());

const remove = (org: CallingOrg, id: string, body: object) =>
  org.client.post<{ removed: number; has_more: boolean }>(`/campaigns/${id}/contacts/remove`, body);

const some = (removed: number) => ({ removed, has_more: false });

const statusesOf = async (org: CallingOrg, id: string): Promise<Array<[string | null, string]>> =>
  (await org.contacts(id)).map(({ name, status }) => [name, status]);

async function removalEvents(org: CallingOrg, id: string): Promise<object[]> {
  const events = dataOf(
    await org.client.get<Array<{ type: string; detail: object }> & Data>(`/campaigns/${id}/events`),
  );
  return events.filter(({ type }) => type === 'contacts_removed').map(({ detail }) => detail);
}

const named = (name: string, over: object = {}) => ({ first_name: name, phone: aPhone('00'), ...over });

test('all waiting contacts that a search, a tag or both find are removed, and nobody else', async () => {
  const org = await newCallingOrg(server);
  const { id } = await org.campaign();
  const status = ['pending'];
  const zoned = { timezone: 'America/New_York', tags: ['vip'] };
  await org.add(id, [named('Ada', zoned), named('Adam'), named('Bob', { tags: ['vip'] }), named('Cy')]);
  const zones = async () => dataOf(await org.client.get<Data[]>(`/campaigns/${id}/zones`));
  assert.deepEqual(await zones(), [
    { timezone: null, pending: 3 },
    { timezone: 'America/New_York', pending: 1 },
  ]);
  assert.deepEqual(dataOf(await remove(org, id, { status, q: 'ADA', tag: 'vip' })), some(1));
  assert.deepEqual(await zones(), [{ timezone: null, pending: 3 }]);
  assert.deepEqual(dataOf(await remove(org, id, { status, tag: 'vip' })), some(1));
  const left = [
    ['Ada', 'cancelled'],
    ['Adam', 'pending'],
    ['Bob', 'cancelled'],
    ['Cy', 'pending'],
  ];
  assert.deepEqual(await statusesOf(org, id), left);
  assert.deepEqual(dataOf(await remove(org, id, { status, q: 'nobody' })), some(0));
  assert.deepEqual(dataOf(await remove(org, id, { status: ['cancelled', 'failed'] })), some(0));
  assert.deepEqual(await statusesOf(org, id), left);
  assert.deepEqual(await removalEvents(org, id), [{ removed: 1 }, { removed: 1 }]);
  const stats = await org.stats(id);
  assert.deepEqual([stats.pending, stats.failed, isBalanced(stats)], [2, 2, true]);
  // Those who are left are called, so the counts of the time zones are right too.
  await org.patch(id, { status: 'active' });
  await server.advance(120_000);
  assert.equal((await org.read(id)).status, 'completed');
  assert.equal((await org.stats(id)).contacted, 2);
});

test('removing more contacts than a batch has is one event, and nobody left to call completes the campaign', async () => {
  const org = await newCallingOrg(server);
  const { id } = await org.run([aPhone('00')], { schedule: { maxConcurrent: 1 } });
  await org.add(
    id,
    Array.from({ length: 450 }, () => aPhone('00')),
  );
  await org.patch(id, { status: 'paused' });
  await server.advance(120_000);
  const { pending, contacted } = await org.stats(id);
  assert.equal(pending + contacted, 451);
  assert.deepEqual(dataOf(await remove(org, id, { status: ['pending', 'completed'] })), some(pending));
  assert.deepEqual(await removalEvents(org, id), [{ removed: pending }]);
  const stats = await org.stats(id);
  assert.deepEqual([stats.pending, stats.failed, isBalanced(stats)], [0, pending, true]);
  assert.equal((await org.read(id)).status, 'completed');
  assert.deepEqual(dataOf(await remove(org, id, { status: ['pending'] })), some(0));
});

test('a contact on the phone stays in the campaign', async () => {
  const org = await newCallingOrg(server);
  const [first, second] = [aPhone('00'), aPhone('00')];
  const { id } = await org.run([first, second], { schedule: { maxConcurrent: 1 } });
  assert.equal((await org.stats(id)).inProgress, 1);
  assert.deepEqual(dataOf(await remove(org, id, { status: ['pending', 'in_progress'] })), some(1));
  await server.advance(120_000);
  assert.deepEqual(
    (await org.contacts(id)).map(({ phone, status }) => [phone, status]),
    [
      [first, 'completed'],
      [second, 'cancelled'],
    ],
  );
});

test('a request to remove says what to remove, in a campaign of the organization', async () => {
  const org = await newCallingOrg(server);
  const { id } = await org.campaign();
  await org.add(id, [named('Ada')]);
  assert.deepEqual(faultPaths(await remove(org, id, { q: 'ada' })), ['status']);
  assert.deepEqual(faultPaths(await remove(org, id, { status: ['lost'] })), ['status[0]']);
  assert.equal((await server.post(`/campaigns/${id}/contacts/remove`, { status: ['pending'] })).status, 404);
  assert.deepEqual(await statusesOf(org, id), [['Ada', 'pending']]);
});
