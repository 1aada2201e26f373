import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { aPhone } from '../support/fixtures.ts';
import { propertyRuns } from '../support/property-runs.ts';
import { dataOf, startTestServer } from '../support/server.ts';
import { advanceTo, type CallingOrg, isoAt, msOf, newCallingOrg, nowOf } from './calling-support.ts';

const server = await startTestServer();
after(() => server.stop());

type Span = { from: string; to: string; state: string };
type Ring = { at: string; attempt: number; estimate: boolean };
type Why = {
  status: string | null;
  dialable_now: boolean;
  reason_codes: string[];
  next_attempt_at: string | null;
  explain: {
    code: string | null;
    at_most_until: string | null;
    window: Record<string, unknown>;
    do_not_call: { on_list: boolean; opted_out: boolean; since: string; reason: string | null } | null;
    retry: Record<string, unknown> | null;
    limits: { held_by: string | null; in_flight: number; allowed: number; ahead: number };
    carrier: { paused_until: string; last_error: string } | null;
    subject: { kind: string; id: string; name: string | null } | null;
  };
  strip: { from: string; to: string; lanes: Array<{ lane: string; spans: Span[] }>; rings: Ring[] } | null;
};

const whyOf = async ({ client }: CallingOrg, campaignId: string, contactId: string, hours?: number): Promise<Why> => {
  const query = hours === undefined ? '' : `?hours=${hours}`;
  return dataOf(await client.get<Why & { id: string }>(`/campaigns/${campaignId}/contacts/${contactId}/why${query}`));
};

const first = async (org: CallingOrg, id: string): Promise<string> => (await org.contacts(id))[0]!.contact_id!;

test('outside the window, the answer says whose clock counts, until when, and when it rings', async () => {
  const org = await newCallingOrg(server);
  await advanceTo(server, '2026-03-03T18:00:00.000Z');
  const schedule = {
    windowStart: '09:00',
    windowEnd: '17:00',
    timezone: 'Europe/Berlin',
    retryAttempts: 1,
    retryGapMin: 30,
  };
  const { id } = await org.run([{ phone: aPhone(), timezone: 'America/New_York' }], { schedule });
  await server.advance(6 * 3_600_000); // 19:00 in New York, 01:00 in Berlin
  const contact = { phone: aPhone('03'), timezone: 'America/New_York' };
  const other = await org.run([contact], { schedule });
  const why = await whyOf(org, other.id, await first(org, other.id), 24);
  assert.deepEqual(why.explain.window, {
    start: '09:00',
    end: '17:00',
    days: [1, 2, 3, 4, 5, 6, 7],
    timezone: 'America/New_York',
    source: 'contact',
    local_time: '19:00',
  });
  assert.deepEqual([why.explain.code, why.explain.at_most_until], ['window_closed', '2026-03-04T14:00:00.000Z']);
  assert.deepEqual(why.explain.subject, { kind: 'campaign', id: other.id, name: 'Spring' });
  assert.deepEqual(why.strip?.rings[0], { at: '2026-03-04T14:00:00.000Z', attempt: 1, estimate: false });
  assert.deepEqual([why.strip?.rings[1]?.attempt, why.strip?.rings[1]?.estimate], [2, true]);
  const lanes = new Map(why.strip?.lanes.map(({ lane, spans }) => [lane, spans]));
  assert.deepEqual(lanes.get('window'), [
    { from: '2026-03-04T00:00:00.000Z', to: '2026-03-04T14:00:00.000Z', state: 'closed' },
    { from: '2026-03-04T14:00:00.000Z', to: '2026-03-04T22:00:00.000Z', state: 'open' },
    { from: '2026-03-04T22:00:00.000Z', to: '2026-03-05T00:00:00.000Z', state: 'closed' },
  ]);
  assert.deepEqual([...lanes.keys()], ['window', 'retry', 'do_not_call', 'status', 'limits']);
  assert.equal((await whyOf(org, id, await first(org, id))).strip, null);
});

test('facts of the do-not-call list, of retries and of limits are data', async () => {
  const org = await newCallingOrg(server);
  const phone = aPhone('03');
  const { id } = await org.run([phone, aPhone('00'), aPhone('00')], {
    schedule: { maxConcurrent: 1, retryAttempts: 2, retryGapMin: 60 },
  });
  const contacts = await org.contacts(id);
  const held = await whyOf(org, id, contacts[1]!.contact_id!, 1);
  assert.deepEqual(held.explain.limits, { held_by: 'campaign', in_flight: 1, allowed: 1, ahead: 0 });
  assert.equal(held.explain.code, 'campaign_lines_in_use');
  assert.equal(held.strip?.rings[0]?.estimate, true);
  assert.equal((await whyOf(org, id, contacts[2]!.contact_id!)).explain.limits.ahead, 1);
  await server.advance(120_000);
  const retry = (await whyOf(org, id, contacts[0]!.contact_id!)).explain;
  assert.equal(retry.code, 'waiting_for_retry');
  assert.deepEqual(
    [retry.retry?.['last_outcome'], retry.retry?.['attempt'], retry.retry?.['attempts_allowed']],
    ['no_answer', 2, 3],
  );
  assert.equal(retry.retry?.['not_before'], retry.at_most_until);
  assert.equal(retry.subject?.kind, 'call');

  dataOf(await org.client.post('/do-not-call', { phone, reason: 'asked' }));
  const forbidden = await whyOf(org, id, contacts[0]!.contact_id!, 24);
  assert.equal(forbidden.explain.code, 'do_not_call');
  assert.deepEqual(forbidden.explain.do_not_call, {
    on_list: true,
    opted_out: false,
    since: isoAt(nowOf(server)),
    reason: 'asked',
  });
  assert.equal(forbidden.explain.subject?.kind, 'contact');
  assert.deepEqual(forbidden.strip?.rings, []);
});

test('a contact is explained in each campaign that is not completed', async () => {
  const org = await newCallingOrg(server);
  const contact = dataOf(await org.client.post('/contacts/', { phone: aPhone() }));
  const ids: string[] = [];
  for (let n = 0; n < 3; n += 1) {
    const { id } = await org.campaign({ name: `c${n}` });
    dataOf(await org.client.post(`/campaigns/${id}/contacts`, { contact_ids: [contact.id] }));
    ids.push(id);
  }
  dataOf(await org.client.patch(`/campaigns/${ids[0]}/`, { status: 'completed' }));
  const all = dataOf(
    await org.client.get<Array<Why & { id: string; campaign_id: string }>>(`/contacts/${contact.id}/why?hours=24`),
  );
  assert.deepEqual(new Set(all.map((why) => why.campaign_id)), new Set(ids.slice(1)));
  assert.deepEqual(new Set(all.map((why) => why.explain.code)), new Set(['campaign_not_running']));
  assert.ok(all.every((why) => why.strip?.rings.length === 0));
});

test('the strip keeps to the guard hours, and its rings to the limits of calls to one number', async () => {
  const org = await newCallingOrg(server);
  const rules = { guard_hours: { start: '08:00', end: '20:00', days: [1, 2, 3, 4, 5, 6, 7] } };
  dataOf(await org.client.patch('/organization', { ...rules, contact_limits: { max_per_day: 2, min_gap_min: 90 } }));
  const midnight = Math.ceil(nowOf(server) / 86_400_000) * 86_400_000;
  await advanceTo(server, isoAt(midnight));
  const schedule = { timezone: 'UTC', windowStart: '06:00', windowEnd: '22:00', retryAttempts: 4, retryGapMin: 60 };
  const { id } = await org.run([{ phone: aPhone('03'), timezone: 'UTC' }], { schedule });
  const contact = await first(org, id);
  const at = (hour: number, seconds = 0): string => isoAt(midnight + hour * 3_600_000 + seconds * 1000);
  const before = (await whyOf(org, id, contact, 72)).strip!;
  const lane = (strip: NonNullable<Why['strip']>, name: string) =>
    strip.lanes.find((each) => each.lane === name)!.spans;
  assert.deepEqual(
    lane(before, 'window').map(({ from, to, state }) => [from, to, state]),
    [
      [at(0), at(8), 'closed'],
      [at(8), at(20), 'open'],
      [at(20), at(32), 'closed'],
      [at(32), at(44), 'open'],
      [at(44), at(56), 'closed'],
      [at(56), at(68), 'open'],
      [at(68), at(72), 'closed'],
    ],
  );
  // A call that nobody answers is taken to last 30 s.
  assert.deepEqual(
    before.rings.map((ring) => [ring.at, ring.attempt]),
    [
      [at(8), 1],
      [at(9.5, 30), 2],
      [at(32), 3],
      [at(33.5, 30), 4],
      [at(56), 5],
    ],
  );
  await advanceTo(server, at(12));
  const capped = await whyOf(org, id, contact, 72);
  assert.deepEqual(capped.reason_codes, ['capped_day']);
  assert.equal(lane(capped.strip!, 'limits')[0]!.to, at(24));
  assert.equal(lane(capped.strip!, 'limits')[0]!.state, 'closed');
  assert.deepEqual(capped.strip!.rings[0], { at: at(32), attempt: 3, estimate: false });
  await advanceTo(server, at(32, 10));
  const [call] = (await org.calls()).slice(-1);
  assert.equal(call!.started_at, at(32));
  dataOf(await org.client.patch(`/campaigns/${id}/`, { status: 'completed' }));
});

test('who can only be called while a person’s own zone is closed is not ahead of that person', async () => {
  const org = await newCallingOrg(server);
  const midnight = Math.ceil(nowOf(server) / 86_400_000) * 86_400_000;
  await advanceTo(server, isoAt(midnight));
  const schedule = { timezone: 'UTC', windowStart: '06:00', windowEnd: '08:00', maxConcurrent: 1 };
  const earlier = Array.from({ length: 400 }, () => ({ phone: aPhone('03'), timezone: 'Asia/Karachi' }));
  const phone = aPhone();
  const { id } = await org.run([...earlier, { phone, timezone: 'UTC' }], { schedule });
  const contact = (await org.contacts(id)).find((each) => each.phone === phone)!;
  const opens = isoAt(midnight + 6 * 3_600_000);
  const why = await whyOf(org, id, contact.contact_id!, 24);
  assert.deepEqual(why.strip!.rings[0], { at: opens, attempt: 1, estimate: true });
  await advanceTo(server, isoAt(midnight + 7 * 3_600_000));
  const [call] = await org.calls(`&contact_id=${contact.contact_id}`);
  assert.equal(call!.started_at, opens);
  dataOf(await org.client.patch(`/campaigns/${id}/`, { status: 'completed' }));
});

test('who may be called only later holds up a person from then on, whoever may be called sooner', async () => {
  const org = await newCallingOrg(server);
  const midnight = Math.ceil(nowOf(server) / 86_400_000) * 86_400_000;
  await advanceTo(server, isoAt(midnight));
  const schedule = { timezone: 'UTC', windowStart: '06:00', windowEnd: '20:00', maxConcurrent: 100 };
  const early = { phone: aPhone('03'), timezone: 'Asia/Karachi' };
  const others = Array.from({ length: 300 }, () => ({ phone: aPhone('03'), timezone: 'UTC' }));
  const phone = aPhone();
  const { id } = await org.run([early, ...others, { phone, timezone: 'UTC' }], { schedule, maxCps: 1 });
  const contact = (await org.contacts(id)).find((each) => each.phone === phone)!;
  const [ring] = (await whyOf(org, id, contact.contact_id!, 24)).strip!.rings;
  const opens = midnight + 6 * 3_600_000;
  assert.ok(msOf(ring!.at) >= opens + 299_000 && msOf(ring!.at) < opens + 900_000, ring!.at);
  dataOf(await org.client.patch(`/campaigns/${id}/`, { status: 'completed' }));
});

const hour = fc.integer({ min: 0, max: 23 });
const zones = ['Europe/Berlin', 'America/New_York', 'Asia/Kathmandu', 'UTC', 'Pacific/Chatham', ''];
const scheduleArbitrary = fc.record({
  start: hour,
  length: fc.integer({ min: 1, max: 23 }),
  timezone: fc.constantFrom(...zones.slice(0, -1)),
  maxConcurrent: fc.integer({ min: 1, max: 5 }),
  retryAttempts: fc.integer({ min: 0, max: 3 }),
  retryGapMin: fc.integer({ min: 1, max: 300 }),
  maxCps: fc.integer({ min: 1, max: 5 }),
  delayHours: fc.integer({ min: 0, max: 5 }),
});
const rulesArbitrary = fc.record({
  guard_hours: fc.constantFrom(null, { start: '08:00', end: '20:00' }, { start: '13:00', end: '15:00' }),
  contact_limits: fc.constantFrom(null, { max_per_day: 1 }, { max_per_week: 2, min_gap_min: 200 }),
});
const most = propertyRuns({ few: 6, all: 35 });
const personArbitrary = fc.record({
  outcome: fc.constantFrom('00', '02', '03', '04', '05'),
  timezone: fc.constantFrom(...zones),
  listed: fc.boolean(),
});
const hhmm = (h: number): string => `${String(h % 24).padStart(2, '0')}:00`;

test('the first ring that the answer names without an estimate is the ring that happens', async (t) => {
  let [contacts, exact, estimated] = [0, 0, 0];
  await fc.assert(
    fc.asyncProperty(
      scheduleArbitrary,
      fc.array(personArbitrary, { minLength: 1, maxLength: most }),
      fc.option(rulesArbitrary, { nil: undefined }),
      fc.integer({ min: 0, max: 36 * 60 }),
      async ({ start, length, maxCps, delayHours, ...rest }, people, rules, minutes) => {
        const org = await newCallingOrg(server);
        if (rules) dataOf(await org.client.patch('/organization', rules));
        const begin = isoAt(nowOf(server) + delayHours * 3_600_000);
        const schedule = { ...rest, windowStart: hhmm(start), windowEnd: hhmm(start + length), start: begin };
        const added = people.map(({ outcome, timezone }) => ({
          phone: aPhone(outcome),
          ...(timezone === '' ? {} : { timezone }),
        }));
        const { id } = await org.run(added, { schedule, maxCps });
        const [listed] = people.map(({ listed: isListed }, index) => (isListed ? added[index]!.phone : undefined));
        if (listed !== undefined && people.length > 3) dataOf(await org.client.post('/do-not-call', { phone: listed }));
        await server.advance(minutes * 60_000);
        const asked = [];
        for (const { contact_id: contactId } of await org.contacts(id))
          asked.push({ contactId, why: await whyOf(org, id, contactId!, 24) });
        const until = nowOf(server) + 24 * 3_600_000;
        await server.advance(24 * 3_600_000);
        const calls = await org.calls();
        for (const { contactId, why } of asked) {
          contacts += 1;
          const [ring] = why.strip!.rings;
          const [from, to] = [msOf(why.strip!.from), msOf(why.strip!.to)];
          const later = calls.filter(
            (call) => call.contact_id === contactId && msOf(call.created_at) >= from && msOf(call.created_at) < to, // not at its end
          );
          if (why.status !== 'pending') continue;
          if (!ring && why.next_attempt_at !== null && msOf(why.next_attempt_at) < until) {
            estimated += 1; // others are taken to be called first, until the end of the strip
          } else if (!ring) {
            assert.deepEqual(later, [], `${JSON.stringify(why)}: nobody was to be called`);
          } else if (!ring.estimate) {
            exact += 1;
            const call = later.find(({ attempt }) => attempt === ring.attempt);
            assert.ok(call, `${JSON.stringify(why)}: it was to ring`);
            assert.ok(
              Math.abs(msOf(call.started_at) - msOf(ring.at)) < 1000,
              `${call.started_at} for ${JSON.stringify(why)}`,
            );
            assert.ok(msOf(call.started_at) < until);
          } else {
            estimated += 1;
            assert.ok(
              later.length === 0 || later[0]!.attempt === ring.attempt,
              `${JSON.stringify(why)}: another attempt`,
            );
          }
        }
        dataOf(await org.client.patch(`/campaigns/${id}/`, { status: 'completed' }));
      },
    ),
    { numRuns: propertyRuns({ few: 8, all: 300 }) },
  );
  t.diagnostic(`of ${contacts} contacts, ${exact} exact, ${estimated} estimated`);
  assert.ok(exact > 0 || contacts < 50, 'a few may all have been called, or be estimated');
});
