import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { aPhone } from '../support/fixtures.ts';
import { type Data, dataOf, faultPaths, startTestServer } from '../support/server.ts';
import { type Campaign, type CallingOrg, conflictOf, isBalanced, newCallingOrg } from './calling-support.ts';
import { failOnInsert } from '../support/both-stores.ts';

const server = await startTestServer();
after(() => server.stop());

type Redialed = Campaign & { added: number; left_out: Array<{ reason: string; count: number }> };
const redial = (org: CallingOrg, id: string, body?: object) =>
  org.client.post<Redialed>(`/campaigns/${id}/redial`, body);

/** Runs a campaign with these contacts until it is completed. */
async function completed(
  org: CallingOrg,
  contacts: ReadonlyArray<string | object>,
  over: object = {},
): Promise<string> {
  const { id } = await org.run(contacts as string[], over);
  await server.advance(3_600_000);
  assert.equal((await org.read(id)).status, 'completed');
  return id;
}

test('a redial is a draft with the settings of the campaign and the contacts that were not reached', async () => {
  const org = await newCallingOrg(server);
  const [reached, busy, silent, machine, failed] = ['00', '02', '03', '04', '05'].map((suffix) => aPhone(suffix));
  const tagged = { phone: busy, first_name: 'Ada', tags: ['vip', 'spring'] };
  const id = await completed(org, [reached!, tagged, silent!, machine!, failed!], {
    maxCps: 3,
    retryOn: ['busy'],
    schedule: { windowStart: '08:00', windowEnd: '20:00', end: '2026-03-09T09:00:00Z', maxConcurrent: 4 },
  });
  const before = await org.read(id);
  const answer = await redial(org, id);
  const draft = dataOf(answer);
  assert.equal(answer.body.message, 'Draft created with 4 contacts. Left out: 1 that ended completed.');
  assert.deepEqual([draft.added, draft.left_out], [4, [{ reason: 'status:completed', count: 1 }]]);
  assert.deepEqual([draft.name, draft.status, draft.executionStatus], ['Spring (redial)', 'draft', 'draft']);
  assert.deepEqual(draft.schedule, { ...before.schedule, start: null, end: null });
  const settings = (campaign: Campaign) => [
    campaign.agentId,
    campaign.phoneNumberId,
    campaign['maxCps'],
    campaign['retryOn'],
  ];
  assert.deepEqual(settings(draft), settings(before));
  assert.deepEqual([draft.contactStats.total, draft.contactStats.pending], [4, 4]);
  const contacts = await org.contacts(draft.id);
  assert.deepEqual(
    contacts.map(({ phone, name, tags, attempt_count: attempts }) => [phone, name, tags, attempts]),
    [
      [busy, 'Ada', ['vip', 'spring'], 0],
      [silent, null, [], 0],
      [machine, null, [], 0],
      [failed, null, [], 0],
    ],
  );
  const events = dataOf(
    await org.client.get<Array<{ type: string; detail: object }> & Data>(`/campaigns/${draft.id}/events`),
  );
  assert.deepEqual(
    events.map(({ type, detail }) => [type, detail]),
    [
      ['contacts_added', { added: 4, skipped: 1 }],
      ['created', { redial_of: id }],
    ],
  );
  await org.patch(draft.id, { status: 'active' });
  await server.advance(60_000);
  assert.ok(isBalanced(await org.stats(draft.id)));
  assert.equal((await org.read(draft.id)).status, 'completed');
});

test('a redial leaves out who may not be called any more', async () => {
  const org = await newCallingOrg(server);
  const phones = [0, 1, 2, 3].map(() => aPhone('02'));
  const id = await completed(org, phones);
  const contacts = await org.contacts(id);
  dataOf(await org.client.post('/do-not-call', { phone: phones[0] }));
  dataOf(await org.client.patch(`/contacts/${contacts[1]!.contact_id}`, { do_not_call: true }));
  dataOf(await org.client.del(`/contacts/${contacts[2]!.contact_id}`));
  const answer = await redial(org, id);
  assert.deepEqual(
    (await org.contacts(dataOf(answer).id)).map(({ phone }) => phone),
    [phones[3]],
  );
  assert.deepEqual(dataOf(answer).left_out, [
    { reason: 'do_not_call', count: 2 },
    { reason: 'deleted', count: 1 },
  ]);
});

test('statuses and name can be chosen', async () => {
  const org = await newCallingOrg(server);
  const [reached, busy] = [aPhone('00'), aPhone('02')];
  const id = await completed(org, [reached, busy]);
  const draft = dataOf(await redial(org, id, { statuses: ['completed'], name: 'Thank you' }));
  assert.equal(draft.name, 'Thank you');
  assert.deepEqual(
    (await org.contacts(draft.id)).map(({ phone }) => phone),
    [reached],
  );
  assert.equal(dataOf(await redial(org, id, { statuses: ['expired'] })).contactStats.total, 0);
  assert.deepEqual(faultPaths(await redial(org, id, { statuses: ['pending'] })), ['statuses[0]']);
  assert.deepEqual(faultPaths(await redial(org, id, { statuses: [] })), ['statuses']);
});

test('a redial takes the contacts that a search and a tag find', async () => {
  const org = await newCallingOrg(server);
  const [ada, adam, bob] = ['Ada', 'Adam', 'Bob'].map((name) => ({ first_name: name, phone: aPhone('02') }));
  const id = await completed(org, [{ ...ada!, tags: ['vip'] }, adam!, bob!]);
  const namesOf = async (body: object): Promise<Array<string | null>> =>
    (await org.contacts(dataOf(await redial(org, id, body)).id)).map(({ name }) => name);
  assert.deepEqual(await namesOf({ q: 'ADA' }), ['Ada', 'Adam']);
  assert.deepEqual(await namesOf({ q: bob!.phone.slice(3) }), ['Bob']);
  assert.deepEqual(await namesOf({ q: 'ada', tag: 'vip' }), ['Ada']);
  assert.deepEqual(await namesOf({ q: 'ada', statuses: ['failed'] }), []);
});

test('the name of a redial is at most as long as a name may be', async () => {
  const org = await newCallingOrg(server);
  const id = await completed(org, [aPhone('02')], { name: 'x'.repeat(200) });
  const { name } = dataOf(await redial(org, id));
  assert.deepEqual([name.length, name.slice(-9)], [200, ' (redial)']);
});

test('contacts that waited for a retry when the campaign was completed are redialed by default', async () => {
  const org = await newCallingOrg(server);
  const phones = [aPhone('02'), aPhone('00')];
  const { id } = await org.run(phones, { schedule: { retryAttempts: 2, retryGapMin: 60 } });
  await server.advance(60_000);
  await org.patch(id, { status: 'completed' });
  const draft = dataOf(await redial(org, id));
  assert.deepEqual(
    (await org.contacts(draft.id)).map(({ phone }) => phone),
    [phones[0]],
  );
});

test('a running campaign can be redialed without the contacts that it may still call', async () => {
  const org = await newCallingOrg(server);
  const phones = [aPhone('02'), aPhone('05'), aPhone('00')];
  const { id } = await org.run(phones, {
    retryOn: ['failed'],
    schedule: { retryAttempts: 1, retryGapMin: 60 },
  });
  await server.advance(60_000);
  const draft = dataOf(await redial(org, id));
  assert.deepEqual(
    (await org.contacts(draft.id)).map(({ phone }) => phone),
    [phones[0]],
  );
  assert.deepEqual(draft.left_out, [
    { reason: 'still_in_campaign', count: 1 },
    { reason: 'status:completed', count: 1 },
  ]);
  assert.equal((await org.read(id)).executionStatus, 'running');
});

test('a number that does not exist is not redialed, unless the contact has another one now', async () => {
  const org = await newCallingOrg(server);
  const phones = [aPhone('06'), aPhone('06')];
  const id = await completed(org, phones);
  const [, mended] = await org.contacts(id);
  const phone = aPhone('00');
  dataOf(await org.client.patch(`/contacts/${mended!.contact_id}`, { phone }));
  const draft = dataOf(await redial(org, id));
  assert.deepEqual(
    (await org.contacts(draft.id)).map((contact) => contact.phone),
    [phone],
  );
  assert.deepEqual(draft.left_out, [{ reason: 'invalid_number', count: 1 }]);
});

test('a draft cannot be redialed, and another organization finds nothing', async () => {
  const org = await newCallingOrg(server);
  const { id } = await org.campaign();
  assert.match(conflictOf(await redial(org, id)), /draft/);
  assert.equal(dataOf(await org.client.get<Campaign[] & Data>('/campaigns/')).length, 1);
  const other = await server.newOrganization();
  assert.equal((await other.post(`/campaigns/${id}/redial`)).status, 404);
});

test('nobody sees the draft before it is filled, and a redial that fails leaves nothing', async (t) => {
  const org = await newCallingOrg(server);
  const { id } = await org.campaign();
  const phones = Array.from({ length: 450 }, () => aPhone('02'));
  await org.add(id, phones);
  await org.patch(id, { status: 'completed' });
  const { db } = server.running.app;
  await failOnInsert(t, db, { table: 'campaign_contacts', when: `NEW.phone = '${phones.at(-1)!}'` });
  const listed = async (): Promise<number> => dataOf(await org.client.get<Campaign[] & Data>('/campaigns/')).length;
  let answered = false;
  const sent = redial(org, id, { statuses: ['expired'] }).finally(() => (answered = true));
  while (!answered) assert.equal(await listed(), 1);
  assert.equal((await sent).status, 500);
  await server.advance(0);
  const kept = db.selectFrom('campaigns').select('id').where('organization_id', '=', org.client.orgId);
  assert.equal((await kept.execute()).length, 1);
});

test('a redial of more contacts than a batch has keeps their order', async () => {
  const org = await newCallingOrg(server);
  const phones = Array.from({ length: 450 }, () => aPhone('02'));
  const { id } = await org.campaign();
  await org.add(id, phones);
  await org.patch(id, { status: 'completed' });
  const draft = dataOf(await redial(org, id, { statuses: ['expired'] }));
  assert.equal(draft.contactStats.total, 450);
  assert.deepEqual(
    (await org.contacts(draft.id)).map(({ phone }) => phone),
    phones,
  );
});
