// Long: it plays weeks of whole campaigns.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { aPhone } from '../support/fixtures.ts';
import { propertyRuns } from '../support/property-runs.ts';
import { type Data, dataOf, startTestServer } from '../support/server.ts';
import { advanceTo, type Call, type CallingOrg, isoAt, msOf, newCallingOrg, nowOf } from './calling-support.ts';

/** Forecasts against what then happens, where outcomes follow the past. */

const server = await startTestServer();
after(() => server.stop());

const [minuteMs, hourMs, dayMs] = [60_000, 3_600_000, 86_400_000];

type Opening = { opens_at: string; closes_at: string; expected: number; left: number };
type Plan = Data & { openings: Opening[]; finishes_at: string | null };

const zones = ['Europe/Berlin', 'America/New_York', 'Asia/Kathmandu', 'UTC'] as const;
const campaignArbitrary = fc.record({
  opensAtMin: fc.integer({ min: 0, max: 23 * 60 }),
  openMin: fc.integer({ min: 20, max: 180 }),
  windowDays: fc.constantFrom([1, 2, 3, 4, 5, 6, 7], [1, 2, 3, 4, 5]),
  timezone: fc.constantFrom(...zones),
  otherZone: fc.constantFrom(...zones, ''),
  maxConcurrent: fc.integer({ min: 1, max: 3 }),
  retryAttempts: fc.integer({ min: 0, max: 3 }),
  retryGapMin: fc.integer({ min: 1, max: 300 }),
  guardEnd: fc.constantFrom(null, '18:00', '12:00'),
  /** Of ten contacts, how the calls to each go. */
  outcomes: fc.array(fc.constantFrom('00', '00', '02', '03', '04', '07'), { minLength: 10, maxLength: 10 }),
  tens: fc.integer({ min: 4, max: 20 }),
});
type Case = typeof campaignArbitrary extends fc.Arbitrary<infer T> ? T : never;

const hhmm = (min: number): string =>
  `${String(Math.floor(min / 60) % 24).padStart(2, '0')}:${String(min % 60).padStart(2, '0')}`;

async function advanceUntilCompleted(
  org: CallingOrg,
  id: string,
  stepMs: number,
  steps: number,
): Promise<string | null> {
  for (let step = 0; step < steps; step += 1) {
    const { completedAt } = await org.read(id);
    if (completedAt !== null) return completedAt;
    await server.advance(stepMs);
  }
  return null;
}

/** A contact's own zone; `''` if it has none. Its number is a German one. */
type Zone = string;

/** Whether a call at this instant is inside of window and guard hours, by the local time that Temporal tells. */
function isAllowed({ opensAtMin, openMin, windowDays, timezone, guardEnd }: Case, own: Zone, at: number): boolean {
  const localIn = (zone: string) => Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone);
  const { hour, minute, dayOfWeek } = localIn(own || timezone);
  const ofDay = hour * 60 + minute;
  const isOn = (day: number): boolean => windowDays.some((each) => each === ((day + 6) % 7) + 1);
  const closes = opensAtMin + openMin;
  const isInWindow =
    (ofDay >= opensAtMin && ofDay < closes && isOn(dayOfWeek)) || (ofDay + 1440 < closes && isOn(dayOfWeek - 1));
  return isInWindow && (guardEnd === null || localIn(own || 'Europe/Berlin').hour < Number(guardEnd.slice(0, 2)));
}

const stepMs = 5 * minuteMs;

/** How much of the time between two instants calls are allowed to somebody, in steps of five minutes. */
function openSteps(one: Case, from: number, to: number): number {
  let steps = 0;
  for (let at = from; at < to; at += stepMs)
    if (isAllowed(one, '', at) || (one.otherZone !== '' && isAllowed(one, one.otherZone, at))) steps += 1;
  return steps;
}

/** Runs a campaign whose outcomes are those of the case, so that the organization has a past. */
async function havePast(org: CallingOrg, { outcomes, retryAttempts, maxConcurrent }: Case): Promise<void> {
  const schedule = { retryAttempts, retryGapMin: 1, maxConcurrent };
  const people = [...outcomes, ...outcomes].map((outcome) => aPhone(outcome));
  const { id } = await org.run(people, { schedule });
  assert.ok(await advanceUntilCompleted(org, id, hourMs, 10));
}

const people = ({ outcomes, otherZone, tens }: Case) =>
  Array.from({ length: tens }, () => outcomes)
    .flat()
    .map((outcome, index) => ({
      phone: aPhone(outcome),
      ...(otherZone === '' || index % 3 > 0 ? {} : { timezone: otherZone }),
    }));

/** All calls of a campaign. */
async function callsOf(org: CallingOrg, id: string): Promise<Call[]> {
  const found: Call[] = [];
  for (let page: Call[] | undefined; page === undefined || page.length === 500; found.push(...page))
    page = await org.calls(`&campaign_id=${id}&offset=${found.length}`);
  return found;
}

/** `open`, `wall`: as a part of the hours in which the campaign could call, and of all time until it finished. `missed`: a part of the calls. */
type FinishError = { open: number; wall: number; missed: number };

/** Calls after the opening in which plan or campaign finished first: with few openings, one call more or less moves the finish by a day. */
function missedCalls(openings: readonly Opening[], planned: number, finished: number, calls: readonly Call[]): number {
  const end = msOf(openings.findLast(({ opens_at: at }) => msOf(at) <= Math.min(planned, finished))!.closes_at);
  if (planned < finished) return calls.filter(({ started_at: at }) => msOf(at) >= end).length;
  return openings.filter(({ opens_at: at }) => msOf(at) >= end).reduce((sum, { expected }) => sum + expected, 0);
}

/** The error of the planned finish; null without a finish. */
async function errorOf(one: Case): Promise<FinishError | null> {
  const org = await newCallingOrg(server);
  await advanceTo(server, isoAt(Math.ceil((nowOf(server) + 1) / dayMs) * dayMs));
  await havePast(org, one);
  if (one.guardEnd !== null)
    dataOf(await org.client.patch('/organization', { guard_hours: { start: '00:00', end: one.guardEnd } }));
  const { opensAtMin, openMin, windowDays, timezone, maxConcurrent, retryAttempts, retryGapMin } = one;
  const hours = { windowStart: hhmm(opensAtMin), windowEnd: hhmm(opensAtMin + openMin), windowDays, timezone };
  const { id } = await org.campaign({ schedule: { ...hours, maxConcurrent, retryAttempts, retryGapMin } });
  const zoneOf = new Map(people(one).map(({ phone, timezone: own = '' }) => [phone, own]));
  await org.add(
    id,
    [...zoneOf].map(([phone, own]) => ({ phone, ...(own === '' ? {} : { timezone: own }) })),
  );
  const from = nowOf(server);
  const { openings, finishes_at: planned } = dataOf(await org.client.get<Plan>(`/campaigns/${id}/plan`));
  await org.patch(id, { status: 'active' });
  const finished = await advanceUntilCompleted(org, id, 6 * hourMs, 14 * 4);
  const calls = await callsOf(org, id);
  for (const { phone, started_at: at } of calls)
    assert.ok(isAllowed(one, zoneOf.get(phone)!, msOf(at)), `${phone} was called at ${at}`);
  dataOf(await org.client.patch(`/campaigns/${id}`, { status: 'completed' }));
  if (finished === null || planned === null) return null;
  for (const { opens_at: opens, closes_at: closes } of openings)
    for (const at of [msOf(opens), msOf(closes) - 1])
      assert.ok(
        [...new Set(zoneOf.values())].some((own) => isAllowed(one, own, at)),
        `it is closed at ${isoAt(at)}`,
      );
  const all = openings.reduce((sum, { expected }) => sum + expected, 0);
  assert.ok(Math.abs(all - calls.length) <= Math.max(1, calls.length / 10), `${all} expected, ${calls.length} made`);
  const [min, max] = [msOf(planned), msOf(finished)].toSorted((a, b) => a - b);
  const off = openSteps(one, from, max!) - openSteps(one, from, min!);
  return {
    open: off / Math.max(1, openSteps(one, from, msOf(finished))),
    wall: (max! - min!) / (msOf(finished) - from),
    missed: missedCalls(openings, msOf(planned), msOf(finished), calls) / calls.length,
  };
}

test('campaigns finish when their forecast says, and never call outside of their hours', async (t) => {
  const errors: FinishError[] = [];
  let unfinished = 0;
  await fc.assert(
    fc.asyncProperty(campaignArbitrary, async (one) => {
      const error = await errorOf(one);
      if (error === null) unfinished += 1;
      else errors.push(error);
      const isRight = error === null || error.wall <= 0.1 || error.missed <= 0.02;
      assert.ok(
        isRight,
        `the finish is wrong by ${error?.wall} of the time until then, and by ${error?.missed} of the calls`,
      );
    }),
    { numRuns: propertyRuns({ few: 2, all: 40 }) },
  );
  const worst = Math.max(...errors.map(({ wall }) => wall));
  const inHours = errors.filter(({ open }) => open <= 0.1).length;
  t.diagnostic(`${errors.length} within ${(worst * 100).toFixed(1)} % of the time from start to finish`);
  t.diagnostic(`${inHours} of them within 10 % of the hours in which they could call`);
  t.diagnostic(`${unfinished} did not finish, or were not planned to, in 14 days`);
  // A campaign of few openings is wrong by one of them when its last contact just misses an opening: here and there one of a few campaigns.
  assert.ok(errors.length > 0 && inHours >= Math.min(errors.length * 0.8, errors.length - 4));
});
