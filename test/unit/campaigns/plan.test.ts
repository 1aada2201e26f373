import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Pace, nextStartAfter, startsIn } from '../../../src/features/campaigns/dialing/capacity.ts';
import {
  type Cohort,
  forecast,
  type ForecastRules,
  type Span,
  unionOf,
} from '../../../src/features/campaigns/plan/forecast.ts';
import { againAfter, lengthsIn, type Past } from '../../../src/features/campaigns/plan/past.ts';

const hourMs = 3_600_000;
const monday = Date.UTC(2026, 2, 2);
const aSecond: Pace = { maxCps: 1, maxConcurrent: 100, meanCallSec: 10 };
const span = (fromHour: number, toHour: number) => ({
  opensAt: monday + fromHour * hourMs,
  closesAt: monday + toHour * hourMs,
});

type ZonePlan = { eligible: number; openings: readonly Span[] };

const cohortOf = ({ eligible, openings }: ZonePlan): Cohort => ({
  openings,
  timezone: 'UTC',
  waiting: [{ count: eligible, attempt: 1, notBefore: null }],
});
const once = { again: [], lengths: [1], gapMs: 0, limits: null };
const finishOf = (all: readonly ZonePlan[], limits: Pace): number | null =>
  forecast(all.map(cohortOf), { ...once, pace: limits }).finishesAt;

test('in a period shorter than a call, concurrency and cps bound the starts', () => {
  const minutes = { maxCps: 1, meanCallSec: 60 };
  assert.equal(startsIn({ ...minutes, maxConcurrent: 1 }, 30_000), 1);
  assert.equal(startsIn({ ...minutes, maxConcurrent: 10 }, 5000), 5, 'at 0, 1, 2, 3 and 4 s');
  assert.equal(startsIn({ ...minutes, maxConcurrent: 10 }, 30_000), 10);
  assert.equal(startsIn({ ...minutes, maxConcurrent: 10 }, 60_001), 11, 'the first line is free again');
  assert.equal(startsIn({ ...minutes, maxConcurrent: 100 }, 30_500), 31);
  assert.equal(startsIn({ ...minutes, maxConcurrent: 1 }, 0), 0);
});

const pace: fc.Arbitrary<Pace> = fc.record({
  maxCps: fc.integer({ min: 1, max: 20 }),
  maxConcurrent: fc.integer({ min: 1, max: 50 }),
  meanCallSec: fc.integer({ min: 0, max: 200 }),
});

test('startsIn equals a simulation in which each call waits for its slot and for capacity', () => {
  fc.assert(
    fc.property(pace, fc.integer({ min: 0, max: 600_000 }), (limits, lengthMs) => {
      const starts: number[] = [];
      for (let next = 0; next < lengthMs;) {
        starts.push(next);
        const line = starts[starts.length - limits.maxConcurrent];
        const free = line === undefined ? 0 : line + Math.max(limits.meanCallSec, 1) * 1000;
        // Rounded: thousandths of a millisecond do not matter, and floating point sums would differ in them.
        next = Math.round(Math.max(next + 1000 / limits.maxCps, free) * 1000) / 1000;
      }
      const difference = Math.abs(startsIn(limits, lengthMs) - starts.length);
      assert.ok(difference <= (Number.isInteger(1000 / limits.maxCps) ? 0 : 1), `${starts.length} start`);
    }),
  );
});

test('startsIn counts one more call right after nextStartAfter, up to rounding', () => {
  fc.assert(
    fc.property(pace, fc.integer({ min: 0, max: 2000 }), (limits, calls) => {
      const at = nextStartAfter(limits, calls);
      assert.ok(startsIn(limits, at) <= calls + (Number.isInteger(1000 / limits.maxCps) ? 0 : 1));
      assert.ok(startsIn(limits, at + 1) > calls);
    }),
  );
});

test('time zones that are open together share the pace; one that opens later finishes later', () => {
  const berlin: ZonePlan = { eligible: 3600, openings: [span(8, 16), span(32, 40)] };
  const newYork: ZonePlan = { eligible: 3600, openings: [span(14, 22)] };
  const tenSeconds = { maxCps: 1, maxConcurrent: 1, meanCallSec: 10 };
  assert.equal(finishOf([berlin], aSecond), monday + 9 * hourMs);
  assert.equal(finishOf([berlin, newYork], aSecond), monday + 15 * hourMs);
  assert.equal(
    finishOf([{ ...berlin, eligible: 9 * 3600 }], aSecond),
    monday + 33 * hourMs,
    'an hour of the second day',
  );
  assert.equal(finishOf([berlin, newYork], tenSeconds), null, 'New York has one evening for them');
  assert.deepEqual(unionOf([berlin, newYork].map(cohortOf)), [span(8, 22), span(32, 40)]);
});

/** The openings of one time zone, in order and without overlap. */
const zone: fc.Arbitrary<ZonePlan> = fc
  .tuple(
    fc.array(fc.tuple(fc.integer({ min: 1, max: 86_400 }), fc.integer({ min: 1, max: 86_400 })), { maxLength: 10 }),
    fc.integer({ min: 0, max: 100_000 }),
  )
  .map(([spans, eligible]) => {
    let at = monday;
    const openings = spans.map(([pauseSec, lengthSec]) => {
      const opensAt = at + pauseSec * 1000;
      at = opensAt + lengthSec * 1000;
      return { opensAt, closesAt: at };
    });
    return { eligible, openings };
  });
const zones = fc.array(zone, { minLength: 1, maxLength: 5 }).filter((all) => all.some(({ eligible }) => eligible > 0));
const secondsOf = (spans: ZonePlan['openings']): number =>
  spans.reduce((sum, { opensAt, closesAt }) => sum + (closesAt - opensAt) / 1000, 0);

test('a single time zone finishes if and only if its openings suffice, and within one of them', () => {
  fc.assert(
    fc.property(zone, pace, ({ eligible, openings }, limits) => {
      fc.pre(eligible > 0);
      const at = finishOf([{ eligible, openings }], limits);
      const room = openings.reduce((sum, { opensAt, closesAt }) => sum + startsIn(limits, closesAt - opensAt), 0);
      assert.equal(at !== null, room >= eligible);
      if (at !== null) assert.ok(openings.some(({ opensAt, closesAt }) => at > opensAt && at <= closesAt));
    }),
    { numRuns: 500 },
  );
});

test('several time zones finish no earlier than each alone, and never outside an opening', () => {
  fc.assert(
    fc.property(zones, pace, (all, limits) => {
      const at = finishOf(all, limits);
      const alone = all.filter(({ eligible }) => eligible > 0).map((one) => finishOf([one], limits));
      if (at === null) return;
      for (const one of alone) assert.ok(one !== null && one <= at);
      assert.ok(unionOf(all.map(cohortOf)).some(({ opensAt, closesAt }) => at > opensAt && at <= closesAt));
    }),
    { numRuns: 500 },
  );
});

test('the union is ordered, without overlap, and as long as the time in which any time zone is open', () => {
  fc.assert(
    fc.property(zones, (all) => {
      const union = unionOf(all.map(cohortOf));
      for (const [index, { opensAt, closesAt }] of union.entries()) {
        assert.ok(opensAt < closesAt);
        if (index > 0) assert.ok(union[index - 1]!.closesAt < opensAt);
      }
      for (const { opensAt, closesAt } of all.flatMap(({ openings }) => openings)) {
        assert.ok(union.some((whole) => whole.opensAt <= opensAt && closesAt <= whole.closesAt));
      }
      const longest = Math.max(...all.map(({ openings }) => secondsOf(openings)));
      const total = all.reduce((sum, { openings }) => sum + secondsOf(openings), 0);
      assert.ok(secondsOf(union) >= longest && secondsOf(union) <= total);
    }),
  );
});

test('openings of different time zones that touch are one opening of the union', () => {
  const zonesThatTouch = [[span(0, 8)], [span(8, 16)]].map((openings) => ({ eligible: 1, openings }));
  assert.deepEqual(unionOf(zonesThatTouch.map(cohortOf)), [span(0, 16)]);
});

const half = (retryAttempts: number): number[] => [0, ...Array.from({ length: retryAttempts }, () => 0.5)];
const rules = (over: Partial<ForecastRules>): ForecastRules => ({ ...once, pace: aSecond, ...over });

test('contacts that are called again are expected in the openings in which that is, and left at the end of those before', () => {
  const twoDays: ZonePlan = { eligible: 800, openings: [span(8, 9), span(32, 33), span(56, 57)] };
  const { openings, finishesAt } = forecast([cohortOf(twoDays)], rules({ again: half(2), gapMs: 2 * hourMs }));
  assert.deepEqual(
    openings.map(({ expected, left }) => [expected, left]),
    [
      [800, 400],
      [400, 200],
      [200, 0],
    ],
  );
  assert.equal(finishesAt, monday + 56 * hourMs + 200_000);
});

test('openings after the finish are left out; where nobody is to be called or there is no finish, all are there', () => {
  const days: ZonePlan = { eligible: 10, openings: [span(8, 9), span(32, 33)] };
  assert.equal(forecast([cohortOf(days)], rules({})).openings.length, 1);
  assert.equal(forecast([cohortOf({ ...days, eligible: 0 })], rules({})).openings.length, 2);
  const many = forecast([cohortOf({ ...days, eligible: 10_000 })], rules({}));
  assert.deepEqual([many.openings.map(({ left }) => left), many.finishesAt], [[6400, 2800], null]);
});

test('the course tells calls and contacts left up to the finish, flat while nobody may be called', () => {
  const days: ZonePlan = { eligible: 3700, openings: [span(8, 9), span(32, 33)] };
  const { course, finishesAt, openings } = forecast([cohortOf(days)], rules({}));
  assert.equal(course.length, 61);
  assert.deepEqual(course[0], { at: monday + 8 * hourMs, calls: 0, left: 3700 });
  assert.deepEqual(course.at(-1), { at: finishesAt, calls: 3700, left: 0 });
  const night = course.filter(({ at }) => at >= openings[0]!.closesAt && at <= openings[1]!.opensAt);
  assert.deepEqual([...new Set(night.map(({ calls, left }) => `${calls} ${left}`))], ['3600 100']);
  assert.ok(night.length > 50);
  const hour = forecast([cohortOf({ eligible: 1800, openings: [span(8, 9)] })], rules({})).course;
  for (const [index, { calls }] of hour.entries()) assert.ok(Math.abs(calls - index * 30) <= 5, JSON.stringify(hour));
  assert.deepEqual(forecast([cohortOf({ ...days, eligible: 0 })], rules({})).course, []);
  const unwanted = forecast([cohortOf(days)], rules({}), false);
  assert.deepEqual([unwanted.course, unwanted.finishesAt], [[], finishesAt]);
  const open = forecast([cohortOf({ ...days, eligible: 10_000 })], rules({})).course;
  assert.deepEqual(open.at(-1), { at: monday + 33 * hourMs, calls: 7200, left: 2800 });
});

test('retries that are due go before first attempts, and wait for their instant', () => {
  const openings = [span(8, 9)];
  const waiting = [
    { count: 100, attempt: 1, notBefore: null },
    { count: 50, attempt: 2, notBefore: monday + 8.5 * hourMs },
  ];
  const { finishesAt } = forecast([{ openings, timezone: 'UTC', waiting }], rules({}));
  assert.equal(finishesAt, monday + 8.5 * hourMs + 50_000);
});

test('limits of calls to one number move retries to the next day or week of the person', () => {
  const openings = Array.from({ length: 14 }, (_, day) => span(day * 24 + 8, day * 24 + 20));
  const limited = (limits: Partial<ForecastRules['limits']>, waiting: Cohort['waiting'], retryAttempts = 2) =>
    forecast([{ openings, timezone: 'UTC', waiting }], {
      ...rules({ again: half(retryAttempts), gapMs: 60_000 }),
      limits: { maxPerDay: null, maxPerWeek: null, minGapMin: null, ...limits },
    }).openings.map(({ expected }) => expected);
  const fresh = [{ count: 80, attempt: 1, notBefore: null }];
  assert.deepEqual(limited({}, fresh), [140]);
  assert.deepEqual(limited({ maxPerDay: 1 }, fresh), [80, 40, 20]);
  assert.deepEqual(limited({ maxPerWeek: 2 }, fresh), [120, 0, 0, 0, 0, 0, 0, 20]);
  const calledBefore = [{ count: 80, attempt: 2, notBefore: monday, today: 1, thisWeek: 1 }];
  assert.deepEqual(limited({ maxPerDay: 2 }, calledBefore), [80, 40]);
});

test('the past counts by attempt; for an attempt that nobody has had, the one before it', () => {
  const past: Past = [
    { attempt: 1, status: 'completed', calls: 60, sec: 3000 },
    { attempt: 1, status: 'no_answer', calls: 30, sec: 600 },
    { attempt: 1, status: 'busy', calls: 10, sec: 50 },
    { attempt: 2, status: 'busy', calls: 10, sec: 50 },
  ];
  const campaign = (retryOn: Array<'busy' | 'no_answer'>) => ({
    schedule: { retryAttempts: 3 } as Parameters<typeof againAfter>[1]['schedule'],
    retryOn,
  });
  const shares = (retryOn: Array<'busy' | 'no_answer'>) => againAfter(past, campaign(retryOn)).slice(1);
  assert.deepEqual(shares(['busy', 'no_answer']), [0.4, 1, 1]);
  assert.deepEqual(shares(['no_answer']), [0.3, 0, 0]);
  assert.deepEqual(againAfter([], campaign(['busy'])), [0, 0, 0, 0]);
  const [first, second] = lengthsIn(past, { maxCps: 10, maxConcurrent: 1, meanCallSec: 3700 / 110 }).slice(1);
  assert.ok(Math.abs(first! - 36.5 / (3700 / 110)) < 1e-9 && Math.abs(second! - 5 / (3700 / 110)) < 1e-9);
});

test('contacts on the phone wait for instants with fractions of a millisecond, as the mean of past calls has them', () => {
  const waiting = [{ count: 4, attempt: 2, notBefore: monday + 0.25 }];
  const limits = { maxPerDay: 1, maxPerWeek: null, minGapMin: null };
  const { openings } = forecast([{ openings: [span(0, 8)], timezone: 'UTC', waiting }], {
    ...once,
    pace: { ...aSecond, meanCallSec: 18.3335 },
    limits,
  });
  assert.deepEqual(
    openings.map(({ expected, left }) => [expected, left]),
    [[4, 0]],
  );
});
