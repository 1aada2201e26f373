import assert from 'node:assert/strict';
import { test } from 'node:test';
import { watchClock } from '../../../src/jobs/clock-step.ts';

test('a clock that was set back is noticed once, and one that is slewed, set forward or asleep is not', () => {
  let [wall, monotonic] = [1_000_000, 0];
  const setBackMs = watchClock({ now: () => wall }, () => monotonic);
  const pass = (wallMs: number, monotonicMs: number): number => {
    wall += wallMs;
    monotonic += monotonicMs;
    return setBackMs();
  };
  assert.equal(pass(5000, 5000), 0);
  assert.equal(pass(-3_595_000, 5000), 3_600_000);
  assert.equal(pass(5000, 5000), 0);
  assert.equal(pass(4000, 5999), 0);
  assert.equal(pass(4000, 6001), 2001);
  assert.equal(pass(3_600_000, 5000), 0);
});
