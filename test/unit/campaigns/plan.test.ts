import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { callsPerSec, finishOf, type Opening } from '../../../src/features/campaigns/plan.ts';

test('calls per second are bounded by the pace, and by the lines that calls of that length leave', () => {
  assert.equal(callsPerSec({ maxCps: 1, maxConcurrent: 100 }, 60), 1);
  assert.equal(callsPerSec({ maxCps: 10, maxConcurrent: 30 }, 60), 0.5);
  assert.equal(callsPerSec({ maxCps: 10, maxConcurrent: 30 }, 0), 10, 'refused at once, calls take no line for long');
});

/** Openings that follow each other, with what each could reach at a rate. */
const ahead = fc
  .tuple(
    fc.array(fc.tuple(fc.integer({ min: 1, max: 86_400 }), fc.integer({ min: 1, max: 86_400 })), { maxLength: 15 }),
    fc.constantFrom(0.05, 0.5, 1, 7, 100),
  )
  .map(([spans, perSec]) => {
    let at = Date.UTC(2026, 2, 2);
    const openings = spans.map(([pauseSec, lengthSec]): Opening => {
      const opensAt = at + pauseSec * 1000;
      at = opensAt + lengthSec * 1000;
      return { opensAt, closesAt: at, capacity: Math.floor(lengthSec * perSec) };
    });
    return { openings, perSec };
  });

test('a campaign finishes within an opening, or not at all when the openings do not suffice', () => {
  fc.assert(
    fc.property(ahead, fc.integer({ min: 1, max: 100_000 }), ({ openings, perSec }, eligible) => {
      const at = finishOf(openings, eligible, perSec);
      const capacity = openings.reduce((sum, opening) => sum + opening.capacity, 0);
      assert.equal(at !== null, capacity >= eligible);
      if (at !== null) assert.ok(openings.some(({ opensAt, closesAt }) => at > opensAt && at <= closesAt));
    }),
    { numRuns: 500 },
  );
});

test('more contacts never finish earlier', () => {
  fc.assert(
    fc.property(ahead, fc.integer({ min: 1, max: 50_000 }), ({ openings, perSec }, eligible) => {
      const [fewer, more] = [finishOf(openings, eligible, perSec), finishOf(openings, eligible + 1, perSec)];
      assert.ok(more === null || (fewer !== null && fewer <= more));
    }),
  );
});
