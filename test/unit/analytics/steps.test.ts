import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { percentileOf } from '../../../src/features/analytics/figures.ts';
import { nextStep, quarterMs, startOfStep, stepsBetween } from '../../../src/features/analytics/steps.ts';

const ms = (iso: string): number => Temporal.Instant.from(iso).epochMilliseconds;
const local = (at: number, timezone: string): string =>
  Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timezone).toString({ timeZoneName: 'never' });

test('a day has 23 hours where clocks go forward, and 25 where they go back', () => {
  const hours = (from: string, to: string): number =>
    stepsBetween({ from: ms(from), to: ms(to), step: 'hour', timezone: 'Europe/Berlin' }, 100)!.length;
  assert.equal(hours('2026-03-28T23:00:00Z', '2026-03-29T22:00:00Z'), 23);
  assert.equal(hours('2026-10-24T22:00:00Z', '2026-10-25T23:00:00Z'), 25);
});

test('hours begin at the full hour of zones with 30 and 45 minutes', () => {
  for (const timezone of ['Asia/Kathmandu', 'Asia/Kolkata', 'Pacific/Chatham']) {
    const start = startOfStep(ms('2026-05-05T10:07:00Z'), 'hour', timezone);
    assert.match(local(start, timezone), /:00:00/);
    assert.equal(nextStep(start, 'hour', timezone), start + 3_600_000);
  }
});

test('weeks begin on Monday', () => {
  const start = startOfStep(ms('2026-03-04T12:00:00Z'), 'week', 'Europe/Berlin');
  assert.equal(local(start, 'Europe/Berlin'), '2026-03-02T00:00:00+01:00');
  assert.equal(local(nextStep(start, 'week', 'Europe/Berlin'), 'Europe/Berlin'), '2026-03-09T00:00:00+01:00');
});

test('steps cover a span without gaps, in every zone and through every change of clocks', () => {
  const zones = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Pacific/Chatham', 'Asia/Kathmandu'];
  fc.assert(
    fc.property(
      fc.constantFrom(...zones),
      fc.constantFrom('hour' as const, 'day' as const, 'week' as const),
      fc.integer({ min: ms('2025-01-01T00:00:00Z'), max: ms('2027-01-01T00:00:00Z') }),
      (timezone, step, at) => {
        const start = startOfStep(at, step, timezone);
        const next = nextStep(start, step, timezone);
        assert.ok(
          start <= at && at < next,
          `${local(at, timezone)}: ${local(start, timezone)} to ${local(next, timezone)}`,
        );
        assert.equal(start % quarterMs, 0);
        assert.equal(startOfStep(start, step, timezone), start);
        assert.equal(startOfStep(next - 1, step, timezone), start);
      },
    ),
    { numRuns: 2000 },
  );
});

test('percentiles are true to a bucket', () => {
  const of = (counts: Record<number, number>): number[] => Array.from({ length: 20 }, (_, at) => counts[at] ?? 0);
  assert.equal(percentileOf(of({}), 0.5), null);
  assert.equal(percentileOf(of({ 19: 3 }), 0.5), 2000);
  const latencies = of({ 0: 5, 3: 5 });
  assert.equal(percentileOf(latencies, 0.5), 200);
  const p95 = percentileOf(latencies, 0.95)!;
  assert.ok(p95 > 400 && p95 <= 500, String(p95));
});
