import assert from 'node:assert/strict';
import { test } from 'node:test';
import { barsOf, clockChanges, hoursOfDay, openSince } from '../../../src/dashboard/pages/campaigns/week.ts';
import { hourOfWeek } from '../../../src/dashboard/parts/wall-clock.ts';

test('a window is one bar a day, whole where it goes past midnight', () => {
  assert.deepEqual(barsOf({ windowStart: '09:00', windowEnd: '17:30', windowDays: [2, 1] }), [
    { day: 1, from: 9, to: 17.5 },
    { day: 2, from: 9, to: 17.5 },
  ]);
  assert.deepEqual(barsOf({ windowStart: '22:00', windowEnd: '06:00', windowDays: [7] }), [
    { day: 7, from: 22, to: 30 },
  ]);
  assert.deepEqual(barsOf({ windowStart: null, windowEnd: null, windowDays: [3] }), [{ day: 3, from: 0, to: 24 }]);
  assert.deepEqual(barsOf({ windowStart: '18:00', windowEnd: null, windowDays: [3] }), [{ day: 3, from: 18, to: 24 }]);
  assert.deepEqual(barsOf({ windowStart: null, windowEnd: '06:00', windowDays: [3] }), [{ day: 3, from: 0, to: 6 }]);
  assert.deepEqual(barsOf({ windowStart: '09:00', windowEnd: '09:00', windowDays: [3] }), [], 'never opens');
  assert.deepEqual(barsOf({ windowStart: 'x', windowEnd: '09:00', windowDays: [3] }), []);
});

test('the changes of clocks ahead are found to the minute', () => {
  const from = Date.parse('2026-03-02T09:00:00Z');
  assert.deepEqual(clockChanges('Europe/Berlin', from, 56), [
    { at: '2026-03-29T01:00:00Z', day: 7, hour: 2, forward: true },
  ]);
  assert.deepEqual(clockChanges('America/New_York', from, 7), [
    { at: '2026-03-08T07:00:00Z', day: 7, hour: 2, forward: true },
  ]);
  assert.deepEqual(clockChanges('Australia/Lord_Howe', from, 56), [
    { at: '2026-04-04T15:00:00Z', day: 7, hour: 2, forward: false },
  ]);
  assert.deepEqual(clockChanges('Asia/Tokyo', from, 365), []);
  assert.deepEqual(clockChanges('Europe/Berlin', from, 20), []);
});

test('an instant has its place in the week of a zone', () => {
  const at = Date.parse('2026-03-01T23:30:00Z');
  assert.deepEqual(hourOfWeek('UTC', at), { day: 7, hour: 23.5 });
  assert.deepEqual(hourOfWeek('Europe/Berlin', at), { day: 1, hour: 0.5 });
});

test('the hours of a window are those of its whole length, past midnight, too', () => {
  const hours = (windowStart: string | null, windowEnd: string | null) =>
    hoursOfDay({ windowStart, windowEnd, windowDays: [1] });
  assert.deepEqual(hours('09:30', '12:15'), [9, 10, 11, 12]);
  assert.deepEqual(hours('22:00', '02:00'), [22, 23, 0, 1]);
  assert.equal(hours(null, null).length, 24);
  assert.equal(new Set(hours('09:30', '09:00')).size, 24);
});

test('an opening under way began by the clock of its zone, also yesterday or at midnight; a closed one did not', () => {
  const berlin = { timezone: 'Europe/Berlin', windowDays: [1, 2, 3, 4, 5] };
  const monday = (time: string): number => Date.parse(`2026-03-02T${time}Z`);
  const day = { ...berlin, windowStart: '09:00', windowEnd: '17:00' };
  assert.equal(openSince(day, monday('12:34')), monday('08:00'));
  assert.equal(openSince(day, monday('07:59')), undefined);
  assert.equal(openSince(day, monday('16:00')), undefined);
  assert.equal(openSince(day, Date.parse('2026-03-01T12:00Z')), undefined, 'a Sunday');
  const night = { ...berlin, windowStart: '22:00', windowEnd: '06:00' };
  assert.equal(openSince(night, Date.parse('2026-03-03T03:00Z')), monday('21:00'));
  const always = { ...berlin, windowDays: [1, 2, 3, 4, 5, 6, 7], windowStart: null, windowEnd: null };
  assert.equal(openSince(always, monday('12:00')), Date.parse('2026-03-01T23:00Z'));
});
