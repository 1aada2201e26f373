import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { paceAfter, slotFrom } from '../../../src/features/calls/pacing.ts';

/** A real timestamp: at this magnitude doubles have few fractional bits left, and the limits must still hold. */
const instant = fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2090, 0, 1) });

/** The starts of calls, each requested `waits` milliseconds after the start of the one before. */
function startsOf(startMs: number, waits: readonly number[], rates: readonly number[]): number[] {
  const paceAts = rates.map(() => 0);
  const starts: number[] = [];
  let now = startMs;
  for (const wait of waits) {
    now = slotFrom(now + wait, paceAts);
    starts.push(now);
    for (const [scope, cps] of rates.entries()) paceAts[scope] = paceAfter(paceAts[scope]!, now, cps);
  }
  return starts;
}

/** Milliseconds between calls: usually 0, sometimes more. */
const waits = fc.array(fc.oneof({ weight: 30, arbitrary: fc.constant(0) }, fc.integer({ min: 0, max: 3000 })), {
  minLength: 50,
  maxLength: 400,
});

test('no interval of one second contains more starts than cps', () => {
  fc.assert(
    fc.property(instant, waits, fc.integer({ min: 1, max: 1000 }), (startMs, wanted, cps) => {
      const starts = startsOf(startMs, wanted, [cps]);
      for (let first = 0; first + cps < starts.length; first += 1) {
        assert.ok(starts[first + cps]! - starts[first]! >= 1000, `${cps + 1} calls from ${starts[first]} on`);
      }
    }),
    { numRuns: 300 },
  );
});

test('the limits of campaign, number and organization hold at the same time', () => {
  const rate = fc.integer({ min: 1, max: 30 });
  fc.assert(
    fc.property(instant, waits, fc.tuple(rate, rate, rate), (startMs, wanted, rates) => {
      const starts = startsOf(startMs, wanted, rates);
      const least = Math.min(...rates);
      for (let first = 0; first + least < starts.length; first += 1) {
        assert.ok(starts[first + least]! - starts[first]! >= 1000);
      }
    }),
  );
});

test('a campaign that is always ready nearly reaches its cps', () => {
  fc.assert(
    fc.property(instant, fc.integer({ min: 1, max: 100 }), (startMs, cps) => {
      const starts = startsOf(
        startMs,
        Array.from({ length: 10 * cps + 1 }, () => 0),
        [cps],
      );
      const tookMs = starts.at(-1)! - startMs;
      assert.ok(tookMs >= 10_000 && tookMs <= 10_002, `${tookMs} ms for ten seconds' calls`);
    }),
  );
});

test('a late start is not followed by a burst', () => {
  const startMs = Date.UTC(2026, 2, 2);
  assert.deepEqual(
    startsOf(startMs, [0, 10_000, 0, 0], [2]).map((at) => at - startMs),
    [0, 10_000, 10_500, 11_000],
  );
});

test('with more than 1,000 cps several calls start in one millisecond', () => {
  const startMs = Date.UTC(2026, 2, 2);
  const starts = startsOf(
    startMs,
    Array.from({ length: 4001 }, () => 0),
    [4000],
  );
  assert.equal(starts.filter((at) => at === startMs).length, 4);
  assert.equal(starts.at(-1), startMs + 1000);
});
