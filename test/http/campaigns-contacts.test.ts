import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { aContact, aPhone } from '../support/fixtures.ts';
import { recordStatements } from '../support/plans.ts';
import { type Data, dataOf, faultPaths, startTestServer } from '../support/server.ts';
import {
  type Call,
  type Campaign,
  conflictOf,
  type CallingOrg,
  isBalanced,
  isoAt,
  type AddedContacts,
  newCallingOrg,
  nowOf,
} from './calling-support.ts';

const server = await startTestServer();
after(() => server.stop());

const nobody = '01990000-0000-7000-8000-00000000ffff';
const join = (org: CallingOrg, id: string, body: unknown) =>
  org.client.post<AddedContacts & Data>(`/campaigns/${id}/contacts`, body);
const contactsOf = async (org: CallingOrg) =>
  dataOf(await org.client.get<Array<Record<string, unknown>>>('/contacts/'));

// Joining.

test('contacts are added by id and by fields into one queue, and new ones become contacts of the organization', async () => {
  const org = await newCallingOrg(server);
  const { id } = await org.campaign();
  const known = await aContact(org.client, { first_name: 'Ada', last_name: 'King', email: 'ada@example.com' });
  const phones = [aPhone(), aPhone()];
  const answer = await join(org, id, {
    contact_ids: [known.id.toUpperCase()],
    contacts: [
      { first_name: 'Bob', phone: phones[0], tags: ['vip', 'north'], metadata: { crmId: 7 } },
      { phone: phones[1] },
    ],
  });
  assert.deepEqual(dataOf(answer), { added: 2 + 1, skipped: [] });
  const contacts = await org.contacts(id);
  assert.deepEqual(contacts[0], {
    id: contacts[0]!.id,
    contact_id: known.id,
    name: 'Ada King',
    phone: known['phone'],
    email: 'ada@example.com',
    status: 'pending',
    attempt_count: 0,
    last_attempted_at: null,
    next_retry_at: null,
    call_duration_sec: null,
    error_message: null,
    call_session_id: null,
    tags: [],
    do_not_call_state: {
      may_be_called: true,
      on_list: false,
      opted_out: false,
      since: null,
      reason: null,
      by: null,
    },
  });
  assert.deepEqual(
    contacts.slice(1).map(({ name, phone, tags }) => [name, phone, tags]),
    [
      ['Bob', phones[0], ['vip', 'north']],
      [null, phones[1], []],
    ],
  );
  const bob = dataOf(await org.client.get(`/contacts/${contacts[1]!.contact_id}`));
  assert.deepEqual([bob['first_name'], bob['phone'], bob['metadata']], ['Bob', phones[0], { crmId: 7 }]);
  assert.deepEqual(await org.stats(id), {
    ...(await org.stats((await org.campaign()).id)),
    total: 3,
    pending: 3,
  });
});

test('a contact is skipped with a reason if it is unknown, has no phone, is a duplicate or on the do-not-call list', async () => {
  const org = await newCallingOrg(server);
  const { id } = await org.campaign();
  const stranger = await aContact(await server.newOrganization());
  const phoneless = await aContact(org.client, { phone: null });
  const flagged = await aContact(org.client, { do_not_call: true });
  const [good, known] = [await aContact(org.client), await aContact(org.client)];
  const [listed, fresh] = [aPhone(), aPhone()];
  dataOf(await org.client.post('/do-not-call', { phone: listed }));
  const before = (await contactsOf(org)).length;
  const { added, skipped } = dataOf(
    await join(org, id, {
      contact_ids: [nobody, stranger.id, phoneless.id, flagged.id, good.id, good.id],
      contacts: [
        { phone: fresh },
        { phone: fresh },
        { phone: good['phone'] },
        { first_name: 'Phoneless' },
        { phone: null },
        { phone: listed },
        { phone: aPhone(), do_not_call: true },
        { phone: known['phone'], do_not_call: true },
      ],
    }),
  );
  assert.equal(added, 2);
  const of = (key: 'contact_id' | 'index', value: unknown) => skipped.find((entry) => entry[key] === value)?.reason;
  assert.match(of('contact_id', nobody)!, /no such contact/);
  assert.equal(of('contact_id', stranger.id), of('contact_id', nobody));
  assert.match(of('contact_id', phoneless.id)!, /phone/);
  assert.match(of('contact_id', flagged.id)!, /do-not-call/);
  assert.match(of('contact_id', good.id)!, /already/);
  assert.deepEqual(
    [1, 2, 3, 4, 5, 6, 7].map((index) => /already|no phone|do-not-call/.exec(of('index', index)!)?.[0]),
    ['already', 'already', 'no phone', 'no phone', 'do-not-call', 'do-not-call', 'do-not-call'],
  );
  assert.equal(skipped.length, 5 + 7);
  for (const entry of skipped) assert.equal(Object.keys(entry).length, 2);
  assert.equal((await contactsOf(org)).length, before + 1, 'who is skipped becomes no contact');
});

test('a campaign contains a phone number once, even if several contacts have it', async () => {
  const org = await newCallingOrg(server);
  const phone = aPhone('06');
  const { id } = await org.run([phone]);
  await server.advance(10_000);
  assert.equal((await org.contacts(id))[0]!.status, 'failed');
  const other = await org.run([phone]);
  assert.equal((await org.contacts(other.id)).length, 1, 'another campaign takes it');
  const again = await org.campaign();
  await org.add(again.id, [phone]);
  const twin = await aContact(org.client, { phone });
  const { added, skipped } = dataOf(await join(org, again.id, { contact_ids: [twin.id] }));
  assert.deepEqual([added, skipped[0]!.contact_id], [0, twin.id]);
});

test('a contact that joined again with a new phone is removed at that one, and the first status stays', async () => {
  const org = await newCallingOrg(server);
  const { id } = await org.run([aPhone('02')]);
  await server.advance(60_000);
  const [first] = await org.contacts(id);
  assert.equal(first!.status, 'busy');
  dataOf(await org.client.patch(`/contacts/${first!.contact_id}`, { phone: aPhone('00') }));
  assert.equal(dataOf(await join(org, id, { contact_ids: [first!.contact_id] })).added, 1);
  const path = `/campaigns/${id}/contacts/${first!.contact_id}`;
  assert.equal(dataOf(await org.client.get(`${path}/why`))['status'], 'pending');
  dataOf(await org.client.del(path));
  assert.deepEqual(
    (await org.contacts(id)).map(({ status }) => status),
    ['busy', 'cancelled'],
  );
  await org.client.patch(`/campaigns/${id}/`, { status: 'active' });
  await server.advance(60_000);
  assert.equal((await org.calls()).length, 1, 'nobody is called any more');
});

test('a contact removed from a campaign can be added again, at the end of the queue and with attempts from one', async () => {
  const org = await newCallingOrg(server);
  const [unreached, ...others] = [aPhone('03'), aPhone('02'), aPhone('02')] as const;
  const schedule = { retryAttempts: 1, retryGapMin: 10, maxConcurrent: 1 };
  const { id } = await org.run([unreached, ...others], { schedule });
  await server.advance(5000);
  await org.patch(id, { status: 'paused' });
  const [waiting] = await org.contacts(id);
  assert.deepEqual([waiting!.status, waiting!.attempt_count], ['pending', 1]);
  dataOf(await org.client.del(`/campaigns/${id}/contacts/${waiting!.contact_id}`));
  assert.equal((await org.contacts(id))[0]!.status, 'cancelled');

  assert.deepEqual(await org.add(id, [unreached]), { added: 1, skipped: [] });
  const listed = await org.contacts(id);
  assert.deepEqual(
    listed.map(({ phone }) => phone),
    [...others, unreached],
  );
  const joined = listed.at(-1)!;
  assert.deepEqual([joined.status, joined.attempt_count, joined.call_session_id], ['pending', 0, null]);
  const stats = await org.stats(id);
  assert.deepEqual([isBalanced(stats), stats.total, stats.failed], [true, 3, 0]);
  await org.patch(id, { status: 'active' });
  await server.advance(3_600_000);
  const attempts = (await org.calls()).filter(({ phone }) => phone === unreached).map(({ attempt }) => attempt);
  assert.deepEqual(attempts, [1, 1, 2]);
  assert.equal((await org.contacts(id)).at(-1)!.status, 'no_answer');
});

test('an entry with the phone of an existing contact adds that contact unchanged', async () => {
  const org = await newCallingOrg(server);
  const { id } = await org.campaign();
  const known = await aContact(org.client, { first_name: 'Ada' });
  await org.add(id, [{ phone: known['phone'] as string, first_name: 'Eve', tags: ['x'] }]);
  const [contact] = await org.contacts(id);
  assert.deepEqual([contact!.contact_id, contact!.name, contact!.tags], [known.id, 'Ada', ['x']]);
});

test('a malformed entry makes the whole call a 400 that names every fault and adds nothing', async () => {
  const org = await newCallingOrg(server);
  const { id } = await org.campaign();
  const good = aPhone();
  const answer = await join(org, id, {
    contacts: [
      { phone: good },
      { phone: '030 1234' },
      { phone: aPhone(), email: 'nobody', tags: 'vip' },
      { fone: good },
    ],
    contact_ids: ['nonsense'],
  });
  assert.deepEqual(faultPaths(answer), [
    'contact_ids[0]',
    'contacts[1].phone',
    'contacts[2].email',
    'contacts[2].tags',
    'contacts[3].fone',
  ]);
  assert.deepEqual(await org.contacts(id), []);
  assert.deepEqual(await contactsOf(org), []);
});

test('one of the two lists is required; an empty one adds nobody', async () => {
  const org = await newCallingOrg(server);
  const { id } = await org.campaign();
  assert.deepEqual(faultPaths(await join(org, id, {})), ['contact_ids', 'contacts']);
  for (const body of [{ contact_ids: [] }, { contacts: [] }, { contact_ids: [], contacts: [] }]) {
    assert.deepEqual(dataOf(await join(org, id, body)), { added: 0, skipped: [] });
  }
});

test('a request adds up to 10,000 contacts; one with 10,001 is refused', async () => {
  const org = await newCallingOrg(server);
  const { id } = await org.campaign();
  const contacts = Array.from({ length: 10_000 }, (_, index) => ({ phone: `+49301${String(index).padStart(7, '0')}` }));
  assert.deepEqual(await org.add(id, contacts), { added: 10_000, skipped: [] });
  assert.equal((await org.stats(id)).pending, 10_000);
  const { body } = await org.client.get(`/campaigns/${id}/contacts?limit=1&offset=9999`);
  assert.equal(body.meta.total, 10_000);
  assert.deepEqual(faultPaths(await join(org, id, { contacts: [...contacts, { phone: aPhone() }] })), ['contacts']);
  const together = { contacts: contacts.slice(1), contact_ids: [nobody, server.orgId] };
  assert.deepEqual(faultPaths(await join(org, id, together)), ['contact_ids', 'contacts']);
  await org.add(id, [aPhone()]);
  await org.patch(id, { status: 'completed' });
  const { pending, failed } = await org.stats(id);
  assert.deepEqual([pending, failed], [0, 10_001], 'that many expire together, too');
});

test('contacts can be added to a draft, active, held, paused or completed campaign', async () => {
  const org = await newCallingOrg(server);
  const { id } = await org.campaign();
  for (const wish of [
    {},
    { status: 'active' },
    { status: 'active', executionStatus: 'paused' },
    { status: 'paused' },
  ]) {
    await org.patch(id, wish);
    assert.equal((await org.add(id, [aPhone('00')])).added, 1, JSON.stringify(wish));
    await server.advance(1000);
  }
  assert.equal((await org.calls()).length, 2, 'who was there when it ran, and who joined while it did');
  await org.patch(id, { status: 'completed' });
  assert.equal((await org.add(id, [aPhone('00')])).added, 1, 'completed');
  assert.deepEqual(
    [(await org.read(id)).status, (await org.contacts(id)).map(({ status }) => status).slice(-2)],
    ['completed', ['expired', 'pending']],
  );
});

// The list.

test('contacts are listed in queue order, paged, and filtered by status', async () => {
  const org = await newCallingOrg(server);
  const phones = ['06', '00', '02', '99'].map((suffix) => aPhone(suffix));
  const { id } = await org.run(phones, { maxCps: 100, schedule: { maxConcurrent: 3 } });
  await server.advance(1000);
  const list = async (query: string) => {
    const { body } = await org.client.get<Array<{ phone: string }>>(`/campaigns/${id}/contacts${query}`);
    return { phones: body.data.map(({ phone }) => phone), meta: body.meta };
  };
  assert.deepEqual((await list('')).phones, phones);
  assert.deepEqual((await list('?status=pending')).phones, [phones[3]]);
  assert.deepEqual((await list('?status=in_progress')).phones, phones.slice(0, 3));
  assert.deepEqual(await list('?limit=2&offset=1'), {
    phones: phones.slice(1, 3),
    meta: { total: 4, limit: 2, offset: 1 },
  });
  await org.patch(id, { status: 'paused' });
  await server.advance(60_000);
  assert.deepEqual((await list('?status=failed')).phones, [phones[0]]);
  assert.deepEqual((await list('?status=completed')).phones, [phones[1]]);
  assert.deepEqual((await list('?status=busy')).phones, [phones[2]]);
  assert.equal((await list('?status=busy')).meta.total, 1);
  assert.deepEqual(faultPaths(await org.client.get(`/campaigns/${id}/contacts?status=ringing`)), ['status']);
});

// Leaving.

test('a removed contact is no longer called and stays listed as cancelled', async () => {
  const org = await newCallingOrg(server);
  const { id } = await org.campaign();
  await org.add(id, [aPhone('00'), aPhone('00')]);
  const [first] = await org.contacts(id);
  const answer = await org.client.del(`/campaigns/${id}/contacts/${first!.contact_id}`);
  assert.deepEqual(Object.keys(answer.body), ['success', 'message']);
  const { pending, failed, total } = await org.stats(id);
  assert.deepEqual({ pending, failed, total }, { pending: 1, failed: 1, total: 2 });
  assert.deepEqual(
    (await org.contacts(id)).map(({ status }) => status),
    ['cancelled', 'pending'],
  );
  assert.equal((await org.client.del(`/campaigns/${id}/contacts/${first!.contact_id}`)).status, 200, 'again');
  await org.patch(id, { status: 'active' });
  await server.advance(120_000);
  assert.equal((await org.calls()).length, 1);
  const { status, contactStats } = await org.read(id);
  assert.deepEqual([status, contactStats.contacted, contactStats.failed], ['completed', 1, 1]);
  assert.equal((await org.client.del(`/campaigns/${id}/contacts/${nobody}`)).status, 404);
  assert.equal((await org.client.del(`/campaigns/${id}/contacts/nonsense`)).status, 404);
});

test('a contact cannot be removed while on the phone; one that waits for a retry can, and is not called again', async () => {
  const org = await newCallingOrg(server);
  const { id } = await org.run([aPhone('02')], { schedule: { retryAttempts: 3, retryGapMin: 1 } });
  const [contact] = await org.contacts(id);
  const remove = () => org.client.del(`/campaigns/${id}/contacts/${contact!.contact_id}`);
  assert.match(conflictOf(await remove()), /phone/);
  await server.advance(5000);
  assert.deepEqual([(await org.contacts(id))[0]!.status, (await org.stats(id)).pending], ['pending', 1]);
  assert.equal((await remove()).status, 200);
  const [removed] = await org.contacts(id);
  assert.deepEqual([removed!.status, removed!.next_retry_at, removed!.attempt_count], ['cancelled', null, 1]);
  await server.advance(3_600_000);
  assert.equal((await org.calls()).length, 1);
  assert.equal((await org.read(id)).status, 'completed', 'nobody was left');
});

test('a contact that has its outcome keeps it when removed', async () => {
  const org = await newCallingOrg(server);
  const { id } = await org.run([aPhone('00')]);
  await server.advance(35_000);
  const [contact] = await org.contacts(id);
  assert.equal((await org.client.del(`/campaigns/${id}/contacts/${contact!.contact_id}`)).status, 200);
  assert.deepEqual(await org.contacts(id), [contact]);
});

test('removing the last pending contact completes an active or paused campaign, but not a draft', async () => {
  const org = await newCallingOrg(server);
  for (const [wish, status] of [
    [{}, 'draft'],
    [{ status: 'active', executionStatus: 'paused' }, 'completed'],
    [{ status: 'active', schedule: { start: isoAt(nowOf(server) + 1000) } }, 'completed'],
  ] as const) {
    const { id } = await org.campaign();
    await org.add(id, [aPhone()]);
    await org.patch(id, wish);
    const [contact] = await org.contacts(id);
    dataOf(await org.client.del(`/campaigns/${id}/contacts/${contact!.contact_id}`));
    assert.equal((await org.read(id)).status, status, JSON.stringify(wish));
  }
});

test('deleting a contact cancels it in its campaigns; its past calls stay without it', async () => {
  const org = await newCallingOrg(server);
  const { id } = await org.run([aPhone('02')], { schedule: { retryAttempts: 1, retryGapMin: 1 } });
  const { id: draft } = await org.campaign();
  const [contact] = await org.contacts(id);
  dataOf(await join(org, draft, { contact_ids: [contact!.contact_id] }));
  const remove = () => org.client.del(`/contacts/${contact!.contact_id}`);
  assert.match(conflictOf(await remove()), /phone/);
  await server.advance(5000);
  assert.equal((await remove()).status, 200);
  for (const campaignId of [id, draft]) {
    const [left] = await org.contacts(campaignId);
    assert.deepEqual([left!.contact_id, left!.status], [null, 'cancelled']);
    assert.ok(isBalanced(await org.stats(campaignId)));
  }
  const [call] = await org.calls();
  assert.deepEqual([call!.contact_id, call!.status, call!.phone], [null, 'busy', contact!.phone]);
  await server.advance(3_600_000);
  assert.equal((await org.calls()).length, 1);
});

// Do not call.

test('a contact that is listed or flagged do_not_call after it was added is not dialed', async () => {
  const org = await newCallingOrg(server);
  const { id } = await org.campaign({ maxCps: 100 });
  const phones = [aPhone('00'), aPhone('00'), aPhone('00')];
  await org.add(id, phones);
  const [, flagged] = await org.contacts(id);
  dataOf(await org.client.post('/do-not-call', { phone: phones[0] }));
  dataOf(await org.client.patch(`/contacts/${flagged!.contact_id}`, { do_not_call: true }));
  await org.patch(id, { status: 'active' });
  await server.advance(1000);
  const contacts = await org.contacts(id);
  assert.deepEqual(
    contacts.map(({ status }) => status),
    ['cancelled', 'cancelled', 'in_progress'],
  );
  assert.match(contacts[0]!.error_message!, /do-not-call/);
  assert.deepEqual(
    (await org.calls()).map(({ phone }) => phone),
    [phones[2]],
  );
  const stats = await org.stats(id);
  assert.deepEqual([stats.failed, stats.inProgress, stats.pending], [2, 1, 0]);
});

test('a phone flagged at one contact is not called for another contact either', async () => {
  const org = await newCallingOrg(server);
  const phone = aPhone('00');
  const [first, second] = [await aContact(org.client, { phone }), await aContact(org.client, { phone })];
  const { id } = await org.campaign();
  dataOf(await org.client.patch(`/contacts/${second.id}`, { do_not_call: true }));
  assert.match(dataOf(await join(org, id, { contact_ids: [first.id] })).skipped[0]!.reason, /do-not-call/);
  dataOf(await org.client.patch(`/contacts/${second.id}`, { do_not_call: false }));
  assert.equal(dataOf(await join(org, id, { contact_ids: [first.id] })).added, 1);
  dataOf(await org.client.patch(`/contacts/${second.id}`, { do_not_call: true }));
  const plan = dataOf(await org.client.get<Data & { eligible: number }>(`/campaigns/${id}/plan`));
  assert.equal(plan.eligible, 0);
  await org.patch(id, { status: 'active' });
  assert.deepEqual(
    (await org.contacts(id)).map(({ status }) => status),
    ['cancelled'],
  );
});

test('a campaign completes if all of its contacts opted out, however many', async () => {
  const org = await newCallingOrg(server);
  const { id } = await org.campaign();
  const phones = Array.from({ length: 250 }, () => aPhone('00'));
  await org.add(id, phones);
  dataOf(await org.client.post('/do-not-call', { phones }));
  await org.patch(id, { status: 'active' });
  await server.advance(0);
  const { status, contactStats } = await org.read(id);
  assert.deepEqual([status, contactStats.failed, contactStats.pending], ['completed', 250, 0]);
});

test('a contact that opted out while waiting for its retry is not dialed', async () => {
  const org = await newCallingOrg(server);
  const phone = aPhone('02');
  const { id } = await org.run([phone], { schedule: { retryAttempts: 5, retryGapMin: 1 } });
  await server.advance(5000);
  dataOf(await org.client.post('/do-not-call', { phone }));
  await server.advance(600_000);
  assert.equal((await org.calls()).length, 1);
  assert.deepEqual([(await org.contacts(id))[0]!.status, (await org.read(id)).status], ['cancelled', 'completed']);
});

test('the do-not-call list of one organization does not affect another', async () => {
  const phone = aPhone('00');
  dataOf(await server.post('/do-not-call', { phone }));
  const org = await newCallingOrg(server);
  await org.run([phone]);
  assert.equal((await org.calls()).length, 1);
});

// A contact's campaigns.

test('a contact’s campaigns are listed in compact form, or in full with view=full', async () => {
  const org = await newCallingOrg(server);
  const contact = await aContact(org.client, { phone: aPhone('00') });
  const first = await org.campaign({ name: 'First', schedule: { windowStart: '08:00', windowEnd: '20:00' } });
  dataOf(await join(org, first.id, { contact_ids: [contact.id] }));
  await org.patch(first.id, { status: 'active' });
  const startedAt = isoAt(nowOf(server));
  await server.advance(40_000);
  const second = await org.campaign({ name: 'Second' });
  dataOf(await join(org, second.id, { contact_ids: [contact.id] }));
  const path = `/contacts/${contact.id}/campaigns`;
  const answer = await org.client.get<Array<Record<string, unknown>>>(path);
  assert.match(answer.body.message, /campaigns fetched/i);
  assert.deepEqual(answer.body.data, [
    { campaign_id: second.id, name: 'Second', status: 'pending', last_attempt_at: null },
    { campaign_id: first.id, name: 'First', status: 'completed', last_attempt_at: startedAt },
  ]);
  assert.deepEqual(dataOf(await org.client.get(`${path}?view=compact`)), answer.body.data);
  const [, whole] = dataOf(await org.client.get<Array<Record<string, unknown>>>(`${path}?view=full`));
  const camel = await org.read(first.id);
  assert.deepEqual(whole, {
    id: first.id,
    organization_id: org.client.orgId,
    name: 'First',
    agent_id: org.agentId,
    phone_number_id: org.numberId,
    phone_number_ids: [org.numberId],
    local_presence: false,
    from_phone_number: org.phone,
    status: 'completed',
    execution_status: 'completed',
    schedule: {
      start: null,
      end: null,
      window_start: '08:00',
      window_end: '20:00',
      window_days: [1, 2, 3, 4, 5, 6, 7],
      timezone: 'UTC',
      max_concurrent: 10,
      retry_attempts: 0,
      retry_gap_min: 60,
    },
    contact_stats: { total: 1, contacted: 1, successful: 1, failed: 0, no_answer: 0, pending: 0, in_progress: 0 },
    started_at: startedAt,
    completed_at: camel.completedAt,
    created_at: camel['createdAt'],
    updated_at: camel.updatedAt,
    version: 2,
  });
  assert.deepEqual(faultPaths(await org.client.get(`${path}?view=short`)), ['view']);
  assert.equal((await server.get(path)).status, 404, 'another organization');
  assert.equal((await server.get(`/contacts/${nobody}/campaigns`)).status, 404);
});

// Changing a contact.

test('a pending contact is called at the phone and in the time zone that it has at dialing', async () => {
  const org = await newCallingOrg(server);
  const { id } = await org.run([aPhone('02')], { schedule: { retryAttempts: 2, retryGapMin: 1 } });
  const [contact] = await org.contacts(id);
  const moved = aPhone('00');
  dataOf(await org.client.patch(`/contacts/${contact!.contact_id}`, { phone: moved, first_name: 'Ada' }));
  await server.advance(70_000);
  const calls: Call[] = await org.calls();
  assert.deepEqual(
    calls.map(({ phone, attempt }) => [phone, attempt]),
    [
      [contact!.phone, 1],
      [moved, 2],
    ],
  );
  assert.equal(calls[1]!['caller_name'], 'Ada');
});

test('a contact that loses its phone is cancelled in the campaigns where it is pending', async () => {
  const org = await newCallingOrg(server);
  const { id } = await org.campaign();
  await org.add(id, [aPhone(), aPhone()]);
  const [first] = await org.contacts(id);
  dataOf(await org.client.patch(`/contacts/${first!.contact_id}`, { phone: null }));
  assert.deepEqual(
    (await org.contacts(id)).map(({ status }) => status),
    ['cancelled', 'pending'],
  );
  const campaign: Campaign = await org.read(id);
  assert.deepEqual([campaign.contactStats.pending, campaign.contactStats.failed], [1, 1]);
});

test('a large request adds its contacts in batches, and answers as if they were one', async (t) => {
  const org = await newCallingOrg(server);
  const { id } = await org.campaign();
  const phones = Array.from({ length: 900 }, () => aPhone());
  const known = await Promise.all([1, 2].map(() => aContact(org.client)));
  const contacts: object[] = phones.map((phone, n) => ({ first_name: `No ${n}`, phone, company: 'x'.repeat(20) }));
  contacts[10] = { first_name: 'Without phone' };
  contacts[850] = { first_name: 'Again', phone: phones[3] };
  const ids = [known[0]!.id, nobody, known[1]!.id];
  const statements = await recordStatements(t, server.running.app.db);
  const answer = dataOf(await join(org, id, { contact_ids: ids, contacts }));
  const inner = statements.filter(({ sql }) => /^savepoint/i.test(sql));
  assert.deepEqual(inner, [], 'no transaction of a batch is part of a larger one');
  assert.deepEqual(answer, {
    added: 900,
    skipped: [
      { contact_id: nobody, reason: 'no such contact' },
      { index: 10, reason: 'has no phone' },
      { index: 850, reason: 'the phone number is already in the campaign' },
    ],
  });
  const listed = await org.contacts(id, '&offset=400');
  assert.equal(listed.length, 500);
  assert.equal(listed.at(-1)!['phone'], phones[899], 'in the order of the request');
  assert.ok(isBalanced(await org.stats(id)));
  const events = dataOf(await org.client.get<Array<{ type: string; detail: object }>>(`/campaigns/${id}/events`));
  assert.deepEqual(events.find(({ type }) => type === 'contacts_added')!.detail, { added: 900, skipped: 3 });
  assert.equal(events.filter(({ type }) => type === 'contacts_added').length, 1);
});
