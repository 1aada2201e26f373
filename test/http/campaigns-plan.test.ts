import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { aPhone } from '../support/fixtures.ts';
import { type Data, dataOf, startTestServer } from '../support/server.ts';
import { advanceTo, type Desk, isoAt, newDesk, nowOf } from './calling-support.ts';

/** Monday, 2 March 2026, 09:00 UTC: 10:00 in Berlin. Later tests turn the clock forward. */
const server = await startTestServer();
after(() => server.stop());

type Plan = Data & {
  openings: Array<{ opens_at: string; closes_at: string; capacity: number }>;
  eligible: number;
  skipped: Array<{ reason: string; count: number }>;
  finishes_at: string | null;
};
type Why = Data & { status: string; dialable_now: boolean; reasons: string[]; next_attempt_at: string | null };

const planOf = async (desk: Desk, id: string) => dataOf(await desk.client.get<Plan>(`/campaigns/${id}/plan`));
const whyOf = async (desk: Desk, id: string, index = 0) => {
  const contact = (await desk.contacts(id))[index]!;
  return dataOf(await desk.client.get<Why>(`/campaigns/${id}/contacts/${contact.contact_id ?? contact.id}/why`));
};
const phones = (count: number, suffix = '00') => Array.from({ length: count }, () => aPhone(suffix));

test('a plan lists the openings of the next 14 days, beginning with the current one', async () => {
  const desk = await newDesk(server);
  const { id } = await desk.campaign({
    schedule: { windowStart: '09:00', windowEnd: '17:00', windowDays: [1, 2, 3, 4, 5], timezone: 'Europe/Berlin' },
  });
  const { openings, eligible, skipped, finishes_at: finishesAt } = await planOf(desk, id);
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
  const desk = await newDesk(server);
  const { id } = await desk.campaign();
  const span = async () =>
    (await planOf(desk, id)).openings.map(({ opens_at: opens, closes_at: closes }) => [opens, closes]);
  const now = nowOf(server);
  const dayMs = 86_400_000;
  assert.deepEqual(await span(), [[isoAt(now), isoAt(now + 14 * dayMs)]]);
  const [start, end] = [isoAt(now + dayMs), isoAt(now + 3 * dayMs)];
  await desk.patch(id, { schedule: { start, end } });
  assert.deepEqual(await span(), [[start, end]]);
  await desk.patch(id, { status: 'completed' });
  assert.deepEqual(await span(), []);
});

test('capacity follows from the pace, and finishes_at from the capacity', async () => {
  const desk = await newDesk(server);
  // maxConcurrent 1, and an assumed minute per call until there are ended calls.
  const hours = { windowStart: '09:00', windowEnd: '09:10', windowDays: [1, 2], maxConcurrent: 1 };
  const { id } = await desk.campaign({ schedule: hours });
  await desk.add(id, phones(25));
  const plan = await planOf(desk, id);
  assert.deepEqual(
    plan.openings.map(({ capacity }) => capacity),
    [10, 10, 10, 10],
  );
  assert.deepEqual([plan.eligible, plan.finishes_at], [25, '2026-03-09T09:05:00.000Z']);
  await desk.patch(id, { schedule: { maxConcurrent: 1000 } });
  const faster = await planOf(desk, id);
  assert.deepEqual([faster.openings[0]!.capacity, faster.finishes_at], [600, '2026-03-02T09:00:25.000Z']);
  await desk.patch(id, { schedule: { maxConcurrent: 1, windowDays: [1] } });
  await desk.add(id, phones(6));
  assert.equal((await planOf(desk, id)).finishes_at, null, '31 do not fit into three weeks of ten');
});

test('the capacity of an opening shorter than a call is the number of calls that start in it', async () => {
  const desk = await newDesk(server);
  const end = isoAt(nowOf(server) + 30_000);
  const { id } = await desk.campaign({ schedule: { maxConcurrent: 1, end } });
  await desk.add(id, phones(1));
  const one = await planOf(desk, id);
  assert.deepEqual([one.openings[0]!.capacity, one.finishes_at], [1, end]);
  await desk.patch(id, { schedule: { maxConcurrent: 20 } });
  const twenty = await planOf(desk, id);
  assert.deepEqual([twenty.openings[0]!.capacity, twenty.finishes_at], [20, isoAt(nowOf(server) + 1000)]);
});

test('contacts with their own time zone are planned in it', async () => {
  const desk = await newDesk(server);
  const { id } = await desk.campaign({
    schedule: {
      windowStart: '09:00',
      windowEnd: '17:00',
      windowDays: [1],
      end: '2026-03-05T09:00Z',
      maxConcurrent: 1000,
    },
  });
  await desk.add(id, [{ phone: aPhone('00'), timezone: 'America/New_York' }]);
  const plan = await planOf(desk, id);
  assert.deepEqual(
    plan.openings.map(({ opens_at: opens, closes_at: closes }) => [opens, closes]),
    [['2026-03-02T14:00:00.000Z', '2026-03-02T22:00:00.000Z']],
  );
  assert.equal(plan.finishes_at, '2026-03-02T14:00:01.000Z');
  await desk.add(id, phones(1));
  const both = await planOf(desk, id);
  assert.deepEqual(
    both.openings.map(({ opens_at: opens, closes_at: closes }) => [opens, closes]),
    [[isoAt(nowOf(server)), '2026-03-02T22:00:00.000Z']],
  );
  assert.equal(both.finishes_at, plan.finishes_at);
});

test('the plan uses the mean duration of the campaign’s own calls', async () => {
  const desk = await newDesk(server);
  const { id } = await desk.run(phones(3, '02'), {
    schedule: { maxConcurrent: 1, end: isoAt(nowOf(server) + 1_000_000) },
  });
  await server.advance(10_000);
  // At 5 s per call and one call at a time, 200 calls take 1,000 s.
  const { openings } = await planOf(desk, id);
  assert.equal(openings[0]!.capacity, 198);
});

test('a plan lists how many contacts it skips, and why', async () => {
  const desk = await newDesk(server);
  const { id } = await desk.campaign();
  const contacts = phones(5);
  await desk.add(id, contacts);
  const joined = await desk.contacts(id);
  dataOf(await desk.client.post('/do-not-call', { phone: contacts[0] }));
  dataOf(await desk.client.patch(`/contacts/${joined[1]!.contact_id}`, { do_not_call: true }));
  dataOf(await desk.client.del(`/campaigns/${id}/contacts/${joined[2]!.contact_id}`));
  const { eligible, skipped } = await planOf(desk, id);
  assert.equal(eligible, 2);
  assert.deepEqual(
    skipped.map(({ count }) => count),
    [2, 1],
  );
  assert.match(skipped[0]!.reason, /do-not-call/);
  assert.match(skipped[1]!.reason, /removed/);
  await desk.patch(id, { status: 'completed' });
  const over = await planOf(desk, id);
  assert.deepEqual([over.eligible, over.finishes_at], [0, null]);
  assert.deepEqual(over.skipped.at(-1)!.count, 4);
});

// Why a contact is not being called.

test('why: the campaign is not running, has not started, or is over', async () => {
  const desk = await newDesk(server);
  const start = isoAt(nowOf(server) + 60_000);
  const { id } = await desk.campaign({ schedule: { start } });
  await desk.add(id, phones(1));
  const draft = await whyOf(desk, id);
  assert.deepEqual([draft.status, draft.dialable_now, draft.next_attempt_at], ['pending', false, null]);
  assert.match(draft.reasons.join(' '), /draft/);
  await desk.patch(id, { status: 'active' });
  const early = await whyOf(desk, id);
  assert.match(early.reasons.join(' '), /not started/);
  assert.deepEqual([early.dialable_now, early.next_attempt_at], [false, start]);
  await desk.patch(id, { status: 'completed' });
  const over = await whyOf(desk, id);
  assert.deepEqual([over.status, over.dialable_now, over.next_attempt_at], ['expired', false, null]);
  assert.match(over.reasons.join(' '), /expired/);
});

test('why: the window is closed; the call comes at the opening that the answer names', async () => {
  const desk = await newDesk(server);
  const { id } = await desk.run([{ phone: aPhone('02'), timezone: 'America/New_York' }], {
    schedule: { windowStart: '09:00', windowEnd: '17:00', retryAttempts: 1, retryGapMin: 600 },
  });
  const closed = await whyOf(desk, id);
  assert.match(closed.reasons.join(' '), /window is closed/);
  assert.equal(closed.next_attempt_at, '2026-03-02T14:00:00.000Z');
  await advanceTo(server, '2026-03-02T14:00:01Z');
  const onThePhone = await whyOf(desk, id);
  assert.deepEqual(
    [onThePhone.status, onThePhone.dialable_now, onThePhone.next_attempt_at],
    ['in_progress', false, null],
  );
  assert.match(onThePhone.reasons.join(' '), /on the phone/);
  await server.advance(60_000);
  const waiting = await whyOf(desk, id);
  assert.match(waiting.reasons.join(' '), /retry/);
  assert.equal(waiting.next_attempt_at, '2026-03-03T14:00:00.000Z', 'ten hours later it is midnight there');
  await advanceTo(server, '2026-03-03T14:01:00Z');
  assert.deepEqual(
    (await desk.calls()).map((call) => call.started_at),
    [closed.next_attempt_at, waiting.next_attempt_at],
  );
  const done = await whyOf(desk, id);
  assert.deepEqual([done.status, done.next_attempt_at], ['busy', null]);
});

test('why: calls per second, concurrent calls, an INACTIVE agent, the do-not-call list', async () => {
  const desk = await newDesk(server);
  const contacts = phones(4);
  const { id } = await desk.run(contacts, { schedule: { maxConcurrent: 2 } });
  const paced = await whyOf(desk, id, 1);
  assert.match(paced.reasons.join(' '), /pace/);
  assert.equal(paced.next_attempt_at, isoAt(nowOf(server) + 1000));
  await server.advance(2000);
  assert.match((await whyOf(desk, id, 2)).reasons.join(' '), /lines of the campaign/);
  dataOf(await desk.client.put(`/agents/${desk.agentId}`, { status: 'INACTIVE' }));
  dataOf(await desk.client.post('/do-not-call', { phone: contacts[3] }));
  const { reasons, next_attempt_at: next } = await whyOf(desk, id, 3);
  assert.match(reasons.join(' '), /agent.*do-not-call/);
  assert.equal(next, null, 'no passing of time helps');
});

test('why: another campaign uses the number’s concurrent calls', async () => {
  const desk = await newDesk(server);
  dataOf(await desk.client.patch(`/phone-numbers/${desk.numberId}`, { max_concurrent: 1 }));
  await desk.run(phones(1));
  const { id } = await desk.run(phones(1));
  await server.advance(1000);
  const { reasons, dialable_now: dialable } = await whyOf(desk, id);
  assert.match(reasons.join(' '), /lines of the number/);
  assert.equal(dialable, false);
});

test('why answers 404 for a contact that is not in the campaign', async () => {
  const desk = await newDesk(server);
  const { id } = await desk.campaign();
  for (const contact of ['01990000-0000-7000-8000-00000000ffff', 'nonsense']) {
    assert.equal((await desk.client.get(`/campaigns/${id}/contacts/${contact}/why`)).status, 404);
  }
});
