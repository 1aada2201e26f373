import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Pace, nextStartAfter, startsIn } from '../../../src/features/campaigns/dialing/capacity.ts';
import { finishOf, unionOf, type ZonePlan } from '../../../src/features/campaigns/plan/plan.ts';

const hourMs = 3_600_000;
const monday = Date.UTC(2026, 2, 2);
const span = (fromHour: number, toHour: number) => ({
  opensAt: monday + fromHour * hourMs,
  closesAt: monday + toHour * hourMs,
});

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
  const aSecond = { maxCps: 1, maxConcurrent: 100, meanCallSec: 10 };
  const tenSeconds = { maxCps: 1, maxConcurrent: 1, meanCallSec: 10 };
  assert.equal(finishOf([berlin], aSecond), monday + 9 * hourMs);
  assert.equal(finishOf([berlin, newYork], aSecond), monday + 15 * hourMs);
  assert.equal(
    finishOf([{ ...berlin, eligible: 9 * 3600 }], aSecond),
    monday + 33 * hourMs,
    'an hour of the second day',
  );
  assert.equal(finishOf([berlin, newYork], tenSeconds), null, 'New York has one evening for them');
  assert.deepEqual(unionOf([berlin, newYork]), [span(8, 22), span(32, 40)]);
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
      assert.ok(unionOf(all).some(({ opensAt, closesAt }) => at > opensAt && at <= closesAt));
    }),
    { numRuns: 500 },
  );
});

test('the union is ordered, without overlap, and as long as the time in which any time zone is open', () => {
  fc.assert(
    fc.property(zones, (all) => {
      const union = unionOf(all);
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
  assert.deepEqual(unionOf(zonesThatTouch), [span(0, 16)]);
});
