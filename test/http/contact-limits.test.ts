import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { aContact, aPhone } from '../support/fixtures.ts';
import { type Data, dataOf, faultPaths, startTestServer } from '../support/server.ts';
import {
  advanceTo,
  type CallingOrg,
  conflictOf,
  createCallingOrg,
  isoAt,
  newCallingOrg,
  nowOf,
} from './calling-support.ts';

const server = await startTestServer();
after(() => server.stop());

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

const limit = async (org: CallingOrg, changes: object): Promise<void> =>
  void dataOf(await org.client.patch('/organization', changes));

type Why = {
  reason_codes: string[];
  until: string | null;
  next_attempt_at: string | null;
  timezone_source: string | null;
};
const why = async (org: CallingOrg, campaignId: string): Promise<Why> => {
  const [contact] = await org.contacts(campaignId);
  return dataOf(await org.client.get<Why & Data>(`/campaigns/${campaignId}/contacts/${contact!.contact_id}/why`));
};
type Plan = {
  eligible: number;
  skipped: Array<{ code: string; count: number }>;
  openings: Array<{ opens_at: string; closes_at: string }>;
};
const plan = async (org: CallingOrg, id: string): Promise<Plan> =>
  dataOf(await org.client.get<Plan & Data>(`/campaigns/${id}/plan`));
const startsOf = async (org: CallingOrg): Promise<Array<string | null>> =>
  (await org.calls()).map(({ started_at }) => started_at);
const place = (org: CallingOrg, to: string, over: object = {}, key?: string) =>
  org.client.post<Data & { call_id: string }>(
    '/calls',
    { agent_id: org.agentId, to, from: org.phone, ...over },
    key ? { key } : {},
  );

test('a number is called once a day, over all campaigns: retries and others wait for the next day of the person', async () => {
  const org = await newCallingOrg(server);
  await limit(org, { contact_limits: { max_per_day: 1 } });
  const phone = aPhone('03');
  const start = nowOf(server);
  const first = await org.run([phone], { schedule: { retryAttempts: 2, retryGapMin: 10 } });
  const second = await org.run([phone, aPhone('00')]);
  await server.advance(hour);
  assert.equal((await org.calls()).filter((call) => call.phone === phone).length, 1);
  assert.equal((await org.stats(second.id)).contacted, 1, 'the queue goes on behind the contact');
  // The test clock begins on Monday at nine in UTC, which is ten in Germany.
  const midnight = '2026-03-02T23:00:00.000Z';
  const reason = await why(org, first.id);
  assert.deepEqual(reason.reason_codes, ['capped_day']);
  assert.deepEqual([reason.until, reason.next_attempt_at, reason.timezone_source], [midnight, midnight, 'country']);
  assert.deepEqual((await plan(org, second.id)).skipped, [
    { reason: 'called as often today as the limits allow', code: 'capped_day', count: 1 },
  ]);
  assert.equal((await plan(org, second.id)).eligible, 0);
  await advanceTo(server, midnight);
  await server.advance(0);
  const calls = (await org.calls()).filter((call) => call.phone === phone);
  assert.deepEqual(
    calls.map(({ started_at }) => started_at),
    [isoAt(start), midnight],
  );
  await server.advance(3 * day);
  const all = (await org.calls()).filter((call) => call.phone === phone);
  const days = all.map(({ started_at }) =>
    Temporal.Instant.from(started_at!).toZonedDateTimeISO('Europe/Berlin').toPlainDate().toString(),
  );
  assert.equal(new Set(days).size, days.length, `one call a day: ${days.join()}`);
  assert.deepEqual([(await org.read(first.id)).status, (await org.read(second.id)).status], ['completed', 'completed']);
});

test('a gap holds between a call and the next to the same number, and a week ends on Sunday', async () => {
  const org = await newCallingOrg(server);
  await limit(org, { contact_limits: { min_gap_min: 120, max_per_week: 2 } });
  const phone = aPhone('03');
  const { id } = await org.run([phone], { schedule: { retryAttempts: 5, retryGapMin: 1 } });
  await server.advance(hour);
  assert.deepEqual((await why(org, id)).reason_codes, ['gap']);
  await server.advance(2 * hour);
  const [one, two] = await org.calls();
  assert.equal(Date.parse(two!.started_at!) - Date.parse(one!.ended_at!), 120 * minute);
  assert.deepEqual((await why(org, id)).reason_codes, ['capped_week', 'gap']);
  await server.advance(3 * hour);
  const held = await why(org, id);
  assert.deepEqual(held.reason_codes, ['capped_week']);
  const monday = Temporal.Instant.from(held.until!).toZonedDateTimeISO('Europe/Berlin');
  assert.deepEqual([monday.dayOfWeek, monday.hour, monday.minute], [1, 0, 0]);
  assert.equal((await startsOf(org)).length, 2);
  await advanceTo(server, held.until!);
  await server.advance(0);
  assert.equal((await startsOf(org)).length, 3);
});

test('a limit that is lifted lets those go on that it held back', async () => {
  const org = await newCallingOrg(server);
  await limit(org, { contact_limits: { max_per_day: 1 } });
  const phone = aPhone('00');
  await org.run([phone]);
  await server.advance(minute);
  const second = await org.run([phone]);
  await server.advance(minute);
  assert.equal((await startsOf(org)).length, 1);
  await limit(org, { contact_limits: { max_per_day: null } });
  await server.advance(minute);
  assert.equal((await startsOf(org)).length, 2);
  assert.equal((await org.read(second.id)).status, 'completed');
});

test('a capped contact stays pending and expires with its campaign', async () => {
  const org = await newCallingOrg(server);
  await limit(org, { contact_limits: { max_per_week: 1 } });
  const phone = aPhone('00');
  await org.run([phone]);
  await server.advance(minute);
  const { id } = await org.run([phone], { schedule: { end: isoAt(nowOf(server) + hour) } });
  await server.advance(minute);
  assert.equal((await org.contacts(id))[0]!.status, 'pending');
  await server.advance(hour);
  assert.equal((await org.contacts(id))[0]!.status, 'expired');
});

test('no campaign leaves the guard hours, in the time zone of the person', async () => {
  const org = await newCallingOrg(server);
  await advanceTo(server, isoAt(Math.ceil(nowOf(server) / day) * day + 20 * hour)); // 20:00 in UTC, 21:00 in Berlin
  await limit(org, { guard_hours: { start: '08:00', end: '21:00' } });
  const berlin = await org.run([aPhone('00')]);
  const tokyo = await org.run([{ phone: aPhone('00'), timezone: 'Asia/Tokyo' }]);
  await server.advance(minute);
  assert.deepEqual(await startsOf(org), []);
  const [held, away] = [await why(org, berlin.id), await why(org, tokyo.id)];
  assert.deepEqual([held.reason_codes, held.timezone_source], [['guard_hours'], 'country']);
  assert.deepEqual([away.reason_codes, away.timezone_source], [['guard_hours'], 'contact']);
  const opens = Temporal.Instant.from(held.until!).toZonedDateTimeISO('Europe/Berlin');
  assert.deepEqual([opens.hour, opens.minute, held.next_attempt_at], [8, 0, held.until]);
  const planned = await plan(org, tokyo.id);
  assert.deepEqual(
    planned.skipped.map(({ code, count }) => [code, count]),
    [['guard_hours', 1]],
  );
  assert.equal(planned.eligible, 1, 'it is called once they open');
  assert.equal(planned.openings[0]!.opens_at, away.until);
  await advanceTo(server, away.until!);
  await server.advance(minute);
  assert.equal((await startsOf(org)).length, 1);
  await advanceTo(server, held.until!);
  await server.advance(minute);
  assert.equal((await startsOf(org)).length, 2);
});

test('a single call that a limit forbids is a conflict; an admin can force it, and the audit says so', async () => {
  const org = await newCallingOrg(server);
  await limit(org, { contact_limits: { max_per_day: 1 }, guard_hours: { start: '00:00', end: '00:01' } });
  const phone = aPhone('00');
  dataOf(await place(org, phone)); // guard hours are for campaigns
  assert.match(conflictOf(await place(org, phone)), /called once today, and may be called once a day/);
  await server.advance(minute);
  conflictOf(await place(org, phone));
  const member = await org.client.keyWithRole('member');
  const refused = await place(org, phone, { force: true }, member);
  assert.deepEqual([refused.status, refused.body.code], [403, 'FORBIDDEN']);
  const forced = dataOf(await place(org, phone, { force: true }));
  await server.advance(minute);
  assert.equal((await org.calls()).at(-1)!.status, 'completed');
  type Entry = { operation: string; target: Record<string, string> };
  const entries = dataOf(await org.client.get<Entry[] & Data>('/audit?operation=createCall'));
  const targets = entries.map(({ target }) => target);
  assert.deepEqual(targets[0], {
    call_id: forced.call_id,
    call_session_id: forced.call_id,
    agent_id: org.agentId,
    forced: 'true',
  });
  assert.equal(targets[1]!['forced'], undefined);
});

test('calls that never reached the carrier, and incoming calls, do not count', async () => {
  const org = await newCallingOrg(server);
  await limit(org, { contact_limits: { max_per_day: 1 } });
  const phone = aPhone('00');
  const agent = (status: string) => org.client.put(`/agents/${org.agentId}`, { status });
  const { id } = await org.run([phone], { schedule: { windowStart: '00:00', windowEnd: '00:01' } });
  await agent('ACTIVE');
  await org.patch(id, { status: 'completed' });
  dataOf(await place(org, phone));
});

test('the last look decides again: a limit set while a call waits for its dial', async () => {
  const org = await newCallingOrg(server);
  dataOf(await org.client.patch(`/phone-numbers/${org.numberId}`, { max_cps: 1 }));
  const phone = aPhone('00');
  dataOf(await place(org, phone));
  dataOf(await place(org, phone)); // queued for its turn, a second later
  await limit(org, { contact_limits: { max_per_day: 1 } });
  await server.advance(2 * minute);
  const [first, second] = await org.calls();
  assert.equal(first!.status, 'completed');
  assert.deepEqual([second!.status, second!.answered_at], ['failed', null]);
  assert.match(second!.error_message!, /called once today/);
});

test('a redial leaves out those whom a limit holds back', async () => {
  const org = await newCallingOrg(server);
  await limit(org, { contact_limits: { max_per_day: 1 } });
  const { id } = await org.run([aPhone('02'), aPhone('03')]);
  await server.advance(hour);
  const redial = dataOf(
    await org.client.post<Data & { added: number; left_out: unknown }>(`/campaigns/${id}/redial`, {}),
  );
  assert.deepEqual([redial.added, redial.left_out], [0, [{ reason: 'capped_day', count: 2 }]]);
});

test("an organization's rules are stricter than the server's, and both hold", async (t) => {
  const settings = {
    'limits.contact.max_per_day': '2',
    'limits.contact.min_gap_min': '60',
    'limits.guard_hours': '{start: "08:00", end: "20:00", days: [1, 2, 3, 4, 5]}',
  };
  const strict = await startTestServer({ settings });
  t.after(() => strict.stop());
  const org = await createCallingOrg(strict);
  const change = (changes: object) => org.client.patch('/organization', changes);
  const looser = await change({
    contact_limits: { max_per_day: 3, min_gap_min: 30 },
    guard_hours: { start: '07:00', end: '20:00' },
  });
  assert.deepEqual(faultPaths(looser), ['contact_limits.max_per_day', 'contact_limits.min_gap_min', 'guard_hours']);
  assert.match(looser.text, /at most 2/);
  assert.match(looser.text, /08:00 to 20:00 on the days 1, 2, 3, 4, 5/);
  const own = { contact_limits: { max_per_day: 1 }, guard_hours: { start: '09:00', end: '12:00', days: [1, 2] } };
  const saved = dataOf(await change(own));
  assert.deepEqual(saved['contact_limits'], { max_per_day: 1, max_per_week: null, min_gap_min: null });
  assert.deepEqual(saved['guard_hours'], own.guard_hours);
  assert.deepEqual(dataOf(await org.client.get('/organization'))['guard_hours'], own.guard_hours);
  const reversed = await change({ guard_hours: { start: '12:00', end: '09:00' } });
  assert.deepEqual(faultPaths(reversed), ['guard_hours']);
  dataOf(await change({ guard_hours: null, contact_limits: null }));
  const contact = await aContact(org.client, { phone: aPhone('03') });
  const { id } = await org.campaign({ schedule: { retryAttempts: 3, retryGapMin: 1 } });
  dataOf(await org.client.post(`/campaigns/${id}/contacts`, { contact_ids: [contact.id] }));
  await org.patch(id, { status: 'active' });
  await strict.advance(30 * minute);
  assert.equal((await org.calls()).length, 1, "the server's gap holds without one of the organization");
});
