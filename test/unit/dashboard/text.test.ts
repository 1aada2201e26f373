import assert from 'node:assert/strict';
import { test } from 'node:test';
import { count, duration, list, percent } from '../../../src/dashboard/text/plural.ts';

test('counts take the form of their number, with separated thousands', () => {
  const counts = [0, 1, 2, 1234].map((n) => count(n, 'call', 'calls'));
  assert.deepEqual(counts, ['0 calls', '1 call', '2 calls', '1,234 calls']);
});

test('durations name two units at most', () => {
  const durations = [0, 59.6, 125, 3600, 90_000, -5].map(duration);
  assert.deepEqual(durations, ['0 s', '1 min', '2 min 5 s', '1 h', '25 h', '0 s']);
});

test('lists and shares are written as the language does', () => {
  assert.equal(list(['Monday', 'Tuesday', 'Friday']), 'Monday, Tuesday, and Friday');
  assert.equal(percent(0.456), '46%');
});
