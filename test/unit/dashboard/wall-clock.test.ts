import assert from 'node:assert/strict';
import { test } from 'node:test';
import { instantOf, wallClockOf } from '../../../src/dashboard/parts/wall-clock.ts';

test('a wall-clock time is an instant of its zone, in winter and in summer', () => {
  assert.equal(instantOf('2026-01-15T09:00', 'Europe/Berlin'), '2026-01-15T08:00:00Z');
  assert.equal(instantOf('2026-07-15T09:00', 'Europe/Berlin'), '2026-07-15T07:00:00Z');
  assert.equal(instantOf('2026-07-15T09:00', 'America/New_York'), '2026-07-15T13:00:00Z');
  assert.equal(wallClockOf('2026-07-15T07:00:00Z', 'Europe/Berlin'), '2026-07-15T09:00');
});

test('a time that a change of clocks skips counts as the one an hour later', () => {
  const instant = instantOf('2026-03-29T02:30', 'Europe/Berlin')!;
  assert.ok(['2026-03-29T00:30:00Z', '2026-03-29T01:30:00Z'].includes(instant), instant);
});

test('what is no time has no instant', () => {
  assert.equal(instantOf('', 'UTC'), undefined);
  assert.equal(wallClockOf('tomorrow', 'UTC'), '');
});
