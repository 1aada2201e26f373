import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { aPhone } from '../support/fixtures.ts';
import { type Data, dataOf, faultPaths, startTestServer } from '../support/server.ts';
import { advanceTo, type CallingOrg, isoAt, msOf, newCallingOrg, nowOf } from './calling-support.ts';

/** The test clock starts on Monday, 2 March 2026, at 09:00 UTC, which is 10:00 in Berlin. Later tests turn it forward. */
const server = await startTestServer();
after(() => server.stop());

type Plan = Data & {
  openings: Array<{ opens_at: string; closes_at: string; capacity: number }>;
  eligible: number;
  skipped: Array<{ reason: string; code: string; count: number }>;
  finishes_at: string | null;
};
type Why = Data & {
  status: string;
  dialable_now: boolean;
  reasons: string[];
  reason_codes: string[];
  next_attempt_at: string | null;
};

const planOf = async (org: CallingOrg, id: string) => dataOf(await org.client.get<Plan>(`/campaigns/${id}/plan`));
const whyOf = async (org: CallingOrg, id: string, index = 0) => {
  const contact = (await org.contacts(id))[index]!;
  return dataOf(await org.client.get<Why>(`/campaigns/${id}/contacts/${contact.contact_id ?? contact.id}/why`));
};
const phones = (count: number, suffix = '00') => Array.from({ length: count }, () => aPhone(suffix));

test('a plan lists the openings of the next 14 days, beginning with the current one', async () => {
  const org = await newCallingOrg(server);
  const { id } = await org.campaign({
    schedule: { windowStart: '09:00', windowEnd: '17:00', windowDays: [1, 2, 3, 4, 5], timezone: 'Europe/Berlin' },
  });
  const { openings, eligible, skipped, finishes_at: finishesAt } = await planOf(org, id);
  assert.deepEqual([eligible, skipped, finishesAt], [0, [], null]);
  assert.deepEqual(
    openings.map((opening) => `${opening.opens_at}/${opening.closes_at}`),
    [
      '2026-03-02T09:00:00.000Z/2026-03-02T16:00:00.000Z',
      ...['03', '04', '05', '06', '09', '10', '11', '12', '13'].map(
        (day) => `2026-03-${day}T08:00:00.000Z/2026-03-${day}T16:00:00.000Z`,
      ),
      '2026-03-16T08:00:00.000Z/2026-03-16T09:00:00.000Z',
    ],
  );
});

test('without hours a campaign has one opening, from its start to its end', async () => {
  const org = await newCallingOrg(server);
  const { id } = await org.campaign();
  const span = async () =>
    (await planOf(org, id)).openings.map(({ opens_at: opens, closes_at: closes }) => [opens, closes]);
  const now = nowOf(server);
  const dayMs = 86_400_000;
  assert.deepEqual(await span(), [[isoAt(now), isoAt(now + 14 * dayMs)]]);
  const [start, end] = [isoAt(now + dayMs), isoAt(now + 3 * dayMs)];
  await org.patch(id, { schedule: { start, end } });
  assert.deepEqual(await span(), [[start, end]]);
  await org.patch(id, { status: 'completed' });
  assert.deepEqual(await span(), []);
});

test('capacity follows from the pace, and finishes_at from the capacity', async () => {
  const org = await newCallingOrg(server);
  // maxConcurrent 1, and an assumed minute per call until there are ended calls.
  const hours = { windowStart: '09:00', windowEnd: '09:10', windowDays: [1, 2], maxConcurrent: 1 };
  const { id } = await org.campaign({ schedule: hours });
  await org.add(id, phones(25));
  const plan = await planOf(org, id);
  assert.deepEqual(
    plan.openings.map(({ capacity }) => capacity),
    [10, 10, 10],
    'none after the finish',
  );
  assert.deepEqual([plan.eligible, plan.finishes_at], [25, '2026-03-09T09:05:00.000Z']);
  await org.patch(id, { schedule: { maxConcurrent: 1000 } });
  const faster = await planOf(org, id);
  assert.deepEqual([faster.openings[0]!.capacity, faster.finishes_at], [600, '2026-03-02T09:00:25.000Z']);
  await org.patch(id, { schedule: { maxConcurrent: 1, windowDays: [1] } });
  await org.add(id, phones(6));
  assert.equal((await planOf(org, id)).finishes_at, null, '31 do not fit into three weeks of ten');
});

test('the capacity of an opening shorter than a call is the number of calls that start in it', async () => {
  const org = await newCallingOrg(server);
  const end = isoAt(nowOf(server) + 30_000);
  const { id } = await org.campaign({ schedule: { maxConcurrent: 1, end } });
  await org.add(id, phones(1));
  const one = await planOf(org, id);
  assert.deepEqual([one.openings[0]!.capacity, one.finishes_at], [1, end]);
  await org.patch(id, { schedule: { maxConcurrent: 20 } });
  const twenty = await planOf(org, id);
  assert.deepEqual([twenty.openings[0]!.capacity, twenty.finishes_at], [20, isoAt(nowOf(server) + 1000)]);
});

test('contacts with their own time zone are planned in it', async () => {
  const org = await newCallingOrg(server);
  const { id } = await org.campaign({
    schedule: {
      windowStart: '09:00',
      windowEnd: '17:00',
      windowDays: [1],
      end: '2026-03-05T09:00Z',
      maxConcurrent: 1000,
    },
  });
  await org.add(id, [{ phone: aPhone('00'), timezone: 'America/New_York' }]);
  const plan = await planOf(org, id);
  assert.deepEqual(
    plan.openings.map(({ opens_at: opens, closes_at: closes }) => [opens, closes]),
    [['2026-03-02T14:00:00.000Z', '2026-03-02T22:00:00.000Z']],
  );
  assert.equal(plan.finishes_at, '2026-03-02T14:00:01.000Z');
  await org.add(id, phones(1));
  const both = await planOf(org, id);
  assert.deepEqual(
    both.openings.map(({ opens_at: opens, closes_at: closes }) => [opens, closes]),
    [[isoAt(nowOf(server)), '2026-03-02T22:00:00.000Z']],
  );
  assert.equal(both.finishes_at, plan.finishes_at);
});

test('the plan uses the mean duration of the campaign’s own calls', async () => {
  const org = await newCallingOrg(server);
  const { id } = await org.run(phones(3, '02'), {
    schedule: { maxConcurrent: 1, end: isoAt(nowOf(server) + 1_000_000) },
  });
  await server.advance(10_000);
  // At 5 s per call and one call at a time, 200 calls take 1,000 s.
  const { openings } = await planOf(org, id);
  assert.equal(openings[0]!.capacity, 198);
});

test('a plan lists how many contacts it skips, and why', async () => {
  const org = await newCallingOrg(server);
  const { id } = await org.campaign();
  const contacts = phones(5);
  await org.add(id, contacts);
  const joined = await org.contacts(id);
  dataOf(await org.client.post('/do-not-call', { phone: contacts[0] }));
  dataOf(await org.client.patch(`/contacts/${joined[1]!.contact_id}`, { do_not_call: true }));
  dataOf(await org.client.del(`/campaigns/${id}/contacts/${joined[2]!.contact_id}`));
  const { eligible, skipped } = await planOf(org, id);
  assert.equal(eligible, 2);
  assert.deepEqual(
    skipped.map(({ count }) => count),
    [2, 1],
  );
  assert.match(skipped[0]!.reason, /do-not-call/);
  assert.match(skipped[1]!.reason, /removed/);
  await org.patch(id, { status: 'completed' });
  const over = await planOf(org, id);
  assert.deepEqual([over.eligible, over.finishes_at], [0, null]);
  assert.deepEqual(over.skipped.at(-1)!.count, 4);
});

test('reasons have codes, which the OpenAPI document lists', async () => {
  const org = await newCallingOrg(server);
  const contacts = phones(3);
  const { id } = await org.campaign({ schedule: { windowStart: '01:00', windowEnd: '02:00' } });
  await org.add(id, contacts);
  dataOf(await org.client.post('/do-not-call', { phones: contacts.slice(0, 2) }));
  const [, , removed] = await org.contacts(id);
  const why = await whyOf(org, id);
  assert.deepEqual(why.reason_codes, ['campaign_not_running', 'do_not_call', 'window_closed']);
  assert.equal(why.reasons.length, 3);
  dataOf(await org.client.del(`/campaigns/${id}/contacts/${removed!.id}`));
  assert.deepEqual((await whyOf(org, id, 2)).reason_codes, ['removed', 'final_status']);
  assert.deepEqual(
    (await planOf(org, id)).skipped.map(({ code, count }) => [code, count]),
    [
      ['do_not_call', 2],
      ['removed', 1],
    ],
  );
  const document = JSON.stringify(server.document);
  for (const code of ['carrier_out_of_reach', 'waiting_for_retry', 'removed'])
    assert.ok(document.includes(`"${code}"`));
});

test('settings that are not saved can be planned, by viewers too, and stay unsaved', async () => {
  const org = await newCallingOrg(server);
  const { id } = await org.campaign({ schedule: { windowStart: '09:00', windowEnd: '09:10', maxConcurrent: 1 } });
  await org.add(id, phones(25));
  const saved = await planOf(org, id);
  const ask = (body: object, options = {}) => org.client.post<Plan>(`/campaigns/${id}/plan`, body, options);
  const key = await org.client.keyWithRole('viewer');
  const planned = dataOf(await ask({ schedule: { window_end: '17:00', maxConcurrent: 1000 }, max_cps: 10 }, { key }));
  assert.deepEqual(
    [planned.openings[0]!.closes_at.slice(11, 16), planned.eligible, planned.finishes_at],
    ['17:00', 25, isoAt(msOf(planned.openings[0]!.opens_at) + 2500)],
  );
  assert.deepEqual(await planOf(org, id), saved);
  assert.deepEqual(dataOf(await ask({})), saved);
  const unknown = '01990000-0000-7000-8000-00000000ffff';
  const wrong = await ask({ agentId: unknown, phoneNumberId: unknown, schedule: { windowEnd: null } });
  assert.deepEqual(faultPaths(wrong), ['agentId', 'phoneNumberId', 'schedule.windowEnd', 'schedule.windowStart']);
  const audit = dataOf(await org.client.get<Array<{ operation: string }> & Data>('/audit?limit=5'));
  assert.ok(audit.every(({ operation }) => operation !== 'planUnsavedCampaign'));
});

test('the plan of a running campaign is that of the last 10 s, but an edit shows in the next one', async () => {
  const org = await newCallingOrg(server);
  const contacts = phones(60);
  const { id } = await org.run(contacts, { schedule: { maxConcurrent: 60 } });
  const eligible = async () => (await planOf(org, id)).eligible;
  assert.equal(await eligible(), 59);
  await server.advance(2_000);
  assert.equal(await eligible(), 59, 'two more calls are no edit');
  dataOf(await org.client.post('/do-not-call', { phone: contacts[58] }));
  assert.equal(await eligible(), 56);
  const [flagged, removed] = (await org.contacts(id)).slice(-2);
  dataOf(await org.client.del(`/campaigns/${id}/contacts/${removed!.id}`));
  assert.equal(await eligible(), 55);
  dataOf(await org.client.del(`/do-not-call/${encodeURIComponent(contacts[58]!)}`));
  assert.equal(await eligible(), 56);
  dataOf(await org.client.patch(`/contacts/${flagged!.contact_id}`, { do_not_call: true }));
  assert.equal(await eligible(), 55);
  await org.add(id, phones(1));
  assert.equal(await eligible(), 56);
  await server.advance(10_000);
  assert.equal(await eligible(), 46, 'ten seconds later it is read anew');
});

// Why a contact is not being called.

test('why: the campaign is not running, has not started, or is over', async () => {
  const org = await newCallingOrg(server);
  const start = isoAt(nowOf(server) + 60_000);
  const { id } = await org.campaign({ schedule: { start } });
  await org.add(id, phones(1));
  const draft = await whyOf(org, id);
  assert.deepEqual([draft.status, draft.dialable_now, draft.next_attempt_at], ['pending', false, null]);
  assert.match(draft.reasons.join(' '), /draft/);
  await org.patch(id, { status: 'active' });
  const early = await whyOf(org, id);
  assert.match(early.reasons.join(' '), /not started/);
  assert.deepEqual([early.dialable_now, early.next_attempt_at], [false, start]);
  await org.patch(id, { status: 'completed' });
  const over = await whyOf(org, id);
  assert.deepEqual([over.status, over.dialable_now, over.next_attempt_at], ['expired', false, null]);
  assert.match(over.reasons.join(' '), /expired/);
});

test('why: the window is closed, and the contact is called at the opening that the answer names', async () => {
  const org = await newCallingOrg(server);
  const { id } = await org.run([{ phone: aPhone('02'), timezone: 'America/New_York' }], {
    schedule: { windowStart: '09:00', windowEnd: '17:00', retryAttempts: 1, retryGapMin: 600 },
  });
  const closed = await whyOf(org, id);
  assert.match(closed.reasons.join(' '), /window is closed/);
  assert.equal(closed.next_attempt_at, '2026-03-02T14:00:00.000Z');
  await advanceTo(server, '2026-03-02T14:00:01Z');
  const onThePhone = await whyOf(org, id);
  assert.deepEqual(
    [onThePhone.status, onThePhone.dialable_now, onThePhone.next_attempt_at],
    ['in_progress', false, null],
  );
  assert.match(onThePhone.reasons.join(' '), /on the phone/);
  await server.advance(60_000);
  const waiting = await whyOf(org, id);
  assert.match(waiting.reasons.join(' '), /retry/);
  assert.equal(waiting.next_attempt_at, '2026-03-03T14:00:00.000Z', 'ten hours later it is midnight there');
  await advanceTo(server, '2026-03-03T14:01:00Z');
  assert.deepEqual(
    (await org.calls()).map((call) => call.started_at),
    [closed.next_attempt_at, waiting.next_attempt_at],
  );
  const done = await whyOf(org, id);
  assert.deepEqual([done.status, done.next_attempt_at], ['busy', null]);
});

test('why: calls per second, concurrent calls, an INACTIVE agent, the do-not-call list', async () => {
  const org = await newCallingOrg(server);
  const contacts = phones(4);
  const { id } = await org.run(contacts, { schedule: { maxConcurrent: 2 } });
  const paced = await whyOf(org, id, 1);
  assert.match(paced.reasons.join(' '), /pace/);
  assert.equal(paced.next_attempt_at, isoAt(nowOf(server) + 1000));
  await server.advance(2000);
  assert.match((await whyOf(org, id, 2)).reasons.join(' '), /lines of the campaign/);
  dataOf(await org.client.put(`/agents/${org.agentId}`, { status: 'INACTIVE' }));
  dataOf(await org.client.post('/do-not-call', { phone: contacts[3] }));
  const { reasons, next_attempt_at: next } = await whyOf(org, id, 3);
  assert.match(reasons.join(' '), /agent.*do-not-call/);
  assert.equal(next, null, 'no passing of time helps');
});

test('why: another campaign uses the number’s concurrent calls', async () => {
  const org = await newCallingOrg(server);
  dataOf(await org.client.patch(`/phone-numbers/${org.numberId}`, { max_concurrent: 1 }));
  await org.run(phones(1));
  const { id } = await org.run(phones(1));
  await server.advance(1000);
  const { reasons, dialable_now: dialable } = await whyOf(org, id);
  assert.match(reasons.join(' '), /lines of the number/);
  assert.equal(dialable, false);
});

test('why answers 404 for a contact that is not in the campaign', async () => {
  const org = await newCallingOrg(server);
  const { id } = await org.campaign();
  for (const contact of ['01990000-0000-7000-8000-00000000ffff', 'nonsense']) {
    assert.equal((await org.client.get(`/campaigns/${id}/contacts/${contact}/why`)).status, 404);
  }
});

test('the plan says what is missing before the campaign can call, and who is where', async () => {
  const org = await newCallingOrg(server);
  const draft = dataOf(await org.client.post('/campaigns/', { name: 'Empty' }));
  type Ready = { id: string; ready: { ok: boolean; missing: Array<{ field: string | null; code: string }> } };
  const ready = async (id: string) => dataOf(await org.client.get<Ready>(`/campaigns/${id}/plan`)).ready;
  const { ok, missing } = await ready(draft.id);
  assert.equal(ok, false);
  assert.deepEqual(
    missing.map(({ field, code }) => [field, code]),
    [
      ['agentId', 'no_agent'],
      ['phoneNumberId', 'no_number'],
      ['contacts', 'no_contacts'],
    ],
  );
  const { id } = await org.campaign({ schedule: { windowStart: '09:00', windowEnd: '17:00', timezone: 'UTC' } });
  await org.add(id, [aPhone(), { phone: aPhone(), timezone: 'Asia/Kathmandu' }]);
  assert.deepEqual(await ready(id), { ok: true, missing: [] });
  type Zones = { id: string; by_zone: Array<{ timezone: string; contacts: number }> };
  const { by_zone: zones } = dataOf(await org.client.get<Zones>(`/campaigns/${id}/plan`));
  assert.deepEqual(
    new Map(zones.map(({ timezone, contacts }) => [timezone, contacts])),
    new Map([
      ['UTC', 1],
      ['Asia/Kathmandu', 1],
    ]),
  );
});
