import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { defaultSchedule, type Schedule } from '../../../src/features/campaigns/campaign.ts';
import {
  endOf,
  instantOf,
  mergeSchedule,
  scheduleFaults,
  startOf,
} from '../../../src/features/campaigns/schedule/schedule.ts';

const at = (text: string): number => Temporal.Instant.from(text).epochMilliseconds;
const zones = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'Pacific/Apia'];
const timeOfDay = fc
  .integer({ min: 0, max: 1439 })
  .map((minutes) => `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`);
const dateTime = fc
  .date({ min: new Date('2026-01-01'), max: new Date('2027-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 16));

const fields: { [Field in keyof Schedule]: fc.Arbitrary<Schedule[Field]> } = {
  start: fc.option(dateTime),
  end: fc.option(dateTime),
  windowStart: fc.option(timeOfDay),
  windowEnd: fc.option(timeOfDay),
  windowDays: fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1 }),
  timezone: fc.constantFrom(...zones),
  maxConcurrent: fc.integer({ min: 1, max: 1000 }),
  retryAttempts: fc.integer({ min: 0, max: 10 }),
  retryGapMin: fc.integer({ min: 1, max: 10_080 }),
};
const schedule: fc.Arbitrary<Schedule> = fc.record(fields, { noNullPrototype: true });
const changes = fc.record(
  Object.fromEntries(Object.keys(defaultSchedule).map((field) => [field, fc.constant(null)])) as Record<
    keyof Schedule,
    fc.Arbitrary<null>
  >,
  { requiredKeys: [] },
);

test('a date-time without an offset is local to the time zone; with an offset it is absolute', () => {
  for (const [text, zone, expected] of [
    ['2026-07-01T09:00', 'Europe/Berlin', '2026-07-01T07:00:00Z'],
    ['2026-07-01T09:00:00Z', 'Europe/Berlin', '2026-07-01T09:00:00Z'],
    ['2026-07-01T09:00:00z', 'Europe/Berlin', '2026-07-01T09:00:00Z'],
    ['2026-07-01 09:00', 'Asia/Kathmandu', '2026-07-01T03:15:00Z'],
    ['2026-07-01T09:00-0430', 'UTC', '2026-07-01T13:30:00Z'],
    ['2026-07-01T09:00:00.123456', 'UTC', '2026-07-01T09:00:00.123Z'],
  ] as const) {
    assert.equal(instantOf(text, zone), at(expected), text);
  }
});

test('a local date-time that exists converts back to the same wall-clock time', () => {
  fc.assert(
    fc.property(dateTime, fc.constantFrom(...zones), (text, zone) => {
      const local = Temporal.Instant.fromEpochMilliseconds(instantOf(text, zone)).toZonedDateTimeISO(zone);
      const wall = local.toPlainDateTime().toString({ smallestUnit: 'minute' });
      // A time in a gap moves by the length of the gap: at most an hour (a day in Apia in 2011).
      const movedMs = Temporal.PlainDateTime.from(text).until(wall).total('milliseconds');
      assert.ok(movedMs === 0 || (movedMs > 0 && movedMs <= 3_600_000), `${text} in ${zone} is ${wall}`);
    }),
    { numRuns: 500 },
  );
});

test('merging changes only given fields: a value replaces, null resets to the default', () => {
  fc.assert(
    fc.property(schedule, schedule, changes, (before, after, cleared) => {
      assert.deepEqual(mergeSchedule(before, {}), before);
      assert.deepEqual(mergeSchedule(before, after), after);
      const merged = mergeSchedule(before, cleared);
      for (const field of Object.keys(before) as Array<keyof Schedule>) {
        assert.deepEqual(merged[field], field in cleared ? defaultSchedule[field] : before[field]);
      }
    }),
  );
});

test('a schedule has exactly the faults that its pairs of fields cause, each reported for both fields', () => {
  fc.assert(
    fc.property(schedule, (given) => {
      const { windowStart, windowEnd } = given;
      const [start, end] = [startOf(given), endOf(given)];
      const hours =
        (windowStart === null) !== (windowEnd === null) || (windowStart !== null && windowStart === windowEnd);
      const order = start !== null && end !== null && end <= start;
      assert.deepEqual(
        scheduleFaults(given).map(({ path }) => path),
        [
          ...(hours ? ['schedule.windowStart', 'schedule.windowEnd'] : []),
          ...(order ? ['schedule.start', 'schedule.end'] : []),
        ],
      );
    }),
    { numRuns: 1000 },
  );
});
