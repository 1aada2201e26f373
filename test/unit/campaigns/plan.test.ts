import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { callsPerSec, finishOf, unionOf, type ZonePlan } from '../../../src/features/campaigns/plan.ts';

const hourMs = 3_600_000;
const monday = Date.UTC(2026, 2, 2);
const span = (fromHour: number, toHour: number) => ({
  opensAt: monday + fromHour * hourMs,
  closesAt: monday + toHour * hourMs,
});

test('calls per second are bounded by the pace, and by the lines that calls of that length leave', () => {
  assert.equal(callsPerSec({ maxCps: 1, maxConcurrent: 100 }, 60), 1);
  assert.equal(callsPerSec({ maxCps: 10, maxConcurrent: 30 }, 60), 0.5);
  assert.equal(callsPerSec({ maxCps: 10, maxConcurrent: 30 }, 0), 10, 'refused at once, calls take no line for long');
});

test('zones that are open together share the pace; one that opens later finishes later', () => {
  const berlin: ZonePlan = { eligible: 3600, openings: [span(8, 16), span(32, 40)] };
  const newYork: ZonePlan = { eligible: 3600, openings: [span(14, 22)] };
  assert.equal(finishOf([berlin], 1), monday + 9 * hourMs);
  assert.equal(finishOf([berlin, newYork], 1), monday + 15 * hourMs);
  assert.equal(finishOf([{ ...berlin, eligible: 9 * 3600 }], 1), monday + 33 * hourMs, 'an hour of the second day');
  assert.equal(finishOf([berlin, newYork], 0.1), null, 'New York has one evening for them');
  assert.deepEqual(unionOf([berlin, newYork]), [span(8, 22), span(32, 40)]);
});

/** A zone's openings follow each other. */
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
const rate = fc.constantFrom(0.05, 0.5, 1, 7, 100);
const secondsOf = (spans: ZonePlan['openings']): number =>
  spans.reduce((sum, { opensAt, closesAt }) => sum + (closesAt - opensAt) / 1000, 0);

test('one zone is through exactly when its openings suffice, and within one of them', () => {
  fc.assert(
    fc.property(zone, rate, ({ eligible, openings }, perSec) => {
      fc.pre(eligible > 0);
      const at = finishOf([{ eligible, openings }], perSec);
      const room = secondsOf(openings) * perSec - eligible;
      fc.pre(Math.abs(room) > 0.001);
      assert.equal(at !== null, room > 0);
      if (at !== null) assert.ok(openings.some(({ opensAt, closesAt }) => at > opensAt && at <= closesAt));
    }),
    { numRuns: 500 },
  );
});

test('several zones are through no earlier than each of them alone, and never outside of an opening', () => {
  fc.assert(
    fc.property(zones, rate, (all, perSec) => {
      const at = finishOf(all, perSec);
      const alone = all.filter(({ eligible }) => eligible > 0).map((one) => finishOf([one], perSec));
      if (at === null) return;
      for (const one of alone) assert.ok(one !== null && one <= at);
      assert.ok(unionOf(all).some(({ opensAt, closesAt }) => at > opensAt && at <= closesAt));
    }),
    { numRuns: 500 },
  );
});

test('a union is in order, without overlap, and as long as the time in which any zone is open', () => {
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
