import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { aNumber, aPhone } from '../support/fixtures.ts';
import { type Data, dataOf, faultPaths, startTestServer } from '../support/server.ts';
import { type Call, type Campaign, type CallingOrg, conflictOf, newCallingOrg } from './calling-support.ts';

const server = await startTestServer();
after(() => server.stop());

const minute = 60_000;

type Numbered = Campaign & { phoneNumberIds: string[] | null; localPresence: boolean };
const read = async (org: CallingOrg, id: string): Promise<Numbered> => (await org.read(id)) as Numbered;

async function threeNumbers(org: CallingOrg): Promise<Array<{ id: string; phone: string }>> {
  const first = { id: org.numberId, phone: org.phone };
  const [second, third] = [await aNumber(org.client), await aNumber(org.client)];
  return [first, { id: second.id, phone: second.phone }, { id: third.id, phone: third.phone }];
}

const timesFrom = (calls: readonly Call[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const call of calls) counts[String(call['caller_number'])] = (counts[String(call['caller_number'])] ?? 0) + 1;
  return counts;
};

test('phoneNumberIds is the list, phoneNumberId and fromPhoneNumber are its first; setting either sets a list of one', async () => {
  const org = await newCallingOrg(server);
  const [one, two, three] = await threeNumbers(org);
  const ids = [two!.id, one!.id, three!.id];
  const created = (await org.campaign({
    phoneNumberId: undefined,
    phoneNumberIds: ids,
    localPresence: true,
  })) as Numbered;
  assert.deepEqual(created.phoneNumberIds, ids);
  assert.deepEqual(
    [created.phoneNumberId, created.fromPhoneNumber, created.localPresence],
    [two!.id, two!.phone, true],
  );
  assert.equal(
    created.outboundMaxConcurrent,
    10,
    'the least of the campaign, the sum of the numbers and the organization',
  );
  const single = (await org.patch(created.id, { fromPhoneNumber: three!.phone })) as Numbered;
  assert.deepEqual([single.phoneNumberIds, single.phoneNumberId], [[three!.id], three!.id]);
  const none = (await org.patch(created.id, { phoneNumberIds: [] })) as Numbered;
  assert.deepEqual([none.phoneNumberIds, none.phoneNumberId, none.fromPhoneNumber], [null, null, null]);
});

test('faults of the list are named', async () => {
  const org = await newCallingOrg(server);
  const [one, two, gone] = await threeNumbers(org);
  dataOf(await org.client.del(`/phone-numbers/${encodeURIComponent(gone!.phone)}/release/`));
  const create = (body: object) => org.client.post('/campaigns/', { name: 'x', ...body });
  assert.deepEqual(faultPaths(await create({ phoneNumberIds: [one!.id, gone!.id] })), ['phoneNumberIds[1]']);
  assert.deepEqual(faultPaths(await create({ phoneNumberIds: [one!.id, one!.id] })), ['phoneNumberIds']);
  assert.deepEqual(
    faultPaths(await create({ phoneNumberIds: Array.from({ length: 51 }, () => one!.id) }))[0],
    'phoneNumberIds',
  );
  assert.deepEqual(faultPaths(await create({ phoneNumberIds: [one!.id, two!.id], phoneNumberId: two!.id })), [
    'phoneNumberIds',
  ]);
  dataOf(await create({ phone_number_ids: [one!.id, two!.id], local_presence: true }));
});

test('the limits of several numbers add up', async () => {
  const org = await newCallingOrg(server);
  const numbers = await threeNumbers(org);
  for (const { id } of numbers)
    dataOf(await org.client.patch(`/phone-numbers/${id}`, { max_concurrent: 2, max_cps: 3 }));
  const campaign = await org.campaign({
    phoneNumberId: undefined,
    phoneNumberIds: numbers.map(({ id }) => id),
    maxCps: 100,
  });
  assert.deepEqual([campaign.outboundMaxConcurrent, campaign.outboundMaxCps], [6, 9]);
});

test('calls come from the number that was used least today, in the order given; each line is used', async () => {
  const org = await newCallingOrg(server);
  const numbers = await threeNumbers(org);
  for (const { id } of numbers) dataOf(await org.client.patch(`/phone-numbers/${id}`, { max_concurrent: 2 }));
  const contacts = Array.from({ length: 9 }, () => aPhone('00'));
  const { id } = await org.run(contacts, {
    phoneNumberId: undefined,
    phoneNumberIds: numbers.map((number) => number.id),
  });
  await server.advance(20_000);
  const live = await org.calls();
  assert.deepEqual(
    live.map((call) => call['caller_number']),
    [0, 1, 2, 0, 1, 2].map((index) => numbers[index]!.phone),
    'two lines of each of three numbers, and no more',
  );
  await server.advance(10 * minute);
  assert.equal((await org.read(id)).status, 'completed');
  assert.deepEqual(timesFrom(await org.calls()), Object.fromEntries(numbers.map(({ phone }) => [phone, 3])));
});

test('with local presence, the number that begins like the called one goes first', async () => {
  const org = await newCallingOrg(server);
  const phones = { berlin: '+49307654321', hamburg: '+49407654321', paris: '+33176543210' };
  const numbers = [];
  for (const phone of Object.values(phones)) numbers.push(await aNumber(org.client, { phone }));
  const contacts = ['+49301111100', '+49402222200', '+33143333300', '+12125550100', '+49301111200'];
  await org.run(contacts, {
    phoneNumberId: undefined,
    phoneNumberIds: numbers.map(({ id }) => id),
    localPresence: true,
  });
  await server.advance(minute);
  const from = new Map((await org.calls()).map((call) => [call.phone, call['caller_number']]));
  assert.deepEqual(
    contacts.map((phone) => from.get(phone)),
    [phones.berlin, phones.hamburg, phones.paris, phones.berlin, phones.berlin],
    'where none is alike, the one used least, and of equal ones the first',
  );
});

test('a released number leaves the lists; the last one of a running campaign stays', async () => {
  const org = await newCallingOrg(server);
  const [one, two] = await threeNumbers(org);
  const contacts = [{ phone: aPhone('00'), timezone: 'UTC' }];
  const window = { windowStart: '03:00', windowEnd: '04:00' };
  const ids = [one!.id, two!.id];
  const { id } = await org.run(contacts, { phoneNumberId: undefined, phoneNumberIds: ids, schedule: window });
  const release = ({ phone }: { phone: string }) =>
    org.client.del(`/phone-numbers/${encodeURIComponent(phone)}/release/`);
  dataOf(await release(one!));
  const left = await read(org, id);
  assert.deepEqual([left.phoneNumberIds, left.phoneNumberId, left.fromPhoneNumber], [[two!.id], two!.id, two!.phone]);
  type Event = { type: string; detail: { fields?: string[] } };
  const [event] = dataOf(await org.client.get<Event[] & Data>(`/campaigns/${id}/events`));
  assert.deepEqual(
    [event!.type, event!.detail.fields],
    ['edited', ['phoneNumberIds', 'phoneNumberId', 'fromPhoneNumber']],
  );
  assert.match(conflictOf(await release(two!)), /These active campaigns call from the number/);
});
