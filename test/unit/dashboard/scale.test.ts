import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { axisFor, stepFor } from '../../../src/dashboard/parts/scale.ts';

test('an axis begins with zero, ends at or above the highest value, and has few round ticks', () => {
  assert.deepEqual(axisFor(632), { top: 800, ticks: [0, 200, 400, 600, 800] });
  assert.deepEqual(axisFor(3).ticks, [0, 1, 2, 3]);
  assert.deepEqual(axisFor(0).ticks, [0, 1]);
  assert.deepEqual(axisFor(0, false), { top: 1, ticks: [0, 1] });
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 10_000_000 }), (highest) => {
      const { top, ticks } = axisFor(highest);
      assert.equal(ticks[0], 0);
      assert.ok(top >= highest && ticks.at(-1) === top);
      assert.ok(ticks.length >= 2 && ticks.length <= 6, `${ticks.length} ticks for ${highest}`);
      assert.ok(ticks.every(Number.isInteger));
    }),
  );
});

test('steps of time fit their span: at most 60 bars', () => {
  assert.equal(stepFor(90), 5);
  assert.equal(stepFor(1800), 30);
  assert.equal(stepFor(8 * 3600), 900);
  assert.equal(stepFor(86_400), 1800);
  assert.equal(stepFor(7 * 86_400), 3 * 3600);
  for (const days of [1, 7, 30, 90, 365, 3650]) assert.ok((days * 86_400) / stepFor(days * 86_400) <= 60);
});
