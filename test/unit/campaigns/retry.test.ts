import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { callStatuses } from '../../../src/features/calls/call.ts';
import { defaultSchedule, retryableStatuses, type Schedule } from '../../../src/features/campaigns/campaign.ts';
import { type EndedAttempt, movesRetries, retryAt } from '../../../src/features/campaigns/dialing/retry.ts';
import { windowOf } from '../../../src/features/campaigns/schedule/schedule.ts';
import { isOpen } from '../../../src/features/campaigns/schedule/window.ts';
import { commonOpenings } from '../../../src/features/campaigns/schedule/windows.ts';
import { campaignWith } from './support.ts';

const attempt: fc.Arbitrary<EndedAttempt> = fc.record({
  status: fc.constantFrom(...callStatuses),
  invalidNumber: fc.boolean(),
  attemptCount: fc.integer({ min: 1, max: 12 }),
  endedAt: fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2028, 0, 1) }),
  zone: fc.constantFrom('', 'Europe/Berlin', 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe'),
});
const hours = fc.constantFrom(
  { windowStart: null, windowEnd: null },
  { windowStart: '09:00', windowEnd: '17:00' },
  { windowStart: '22:00', windowEnd: '06:00' },
  { windowStart: '02:15', windowEnd: '02:45' },
);
const schedule = fc
  .record({
    hours,
    windowDays: fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1 }),
    timezone: fc.constantFrom('UTC', 'Europe/London', 'Pacific/Apia'),
    retryAttempts: fc.integer({ min: 0, max: 10 }),
    retryGapMin: fc.integer({ min: 1, max: 10_080 }),
  })
  .map(({ hours: bounds, ...rest }) => ({ ...rest, ...bounds }));
const retryOn = fc.subarray([...retryableStatuses]);

test('an attempt is retried exactly when the rule allows it', () => {
  fc.assert(
    fc.property(schedule, retryOn, attempt, (settings, statuses, ended) => {
      const expected =
        ended.status !== 'completed' &&
        !ended.invalidNumber &&
        ended.attemptCount <= settings.retryAttempts &&
        (statuses as string[]).includes(ended.status);
      assert.equal(retryAt(campaignWith(settings, { retryOn: statuses }), ended) !== null, expected);
    }),
    { numRuns: 1000 },
  );
});

test('a retry comes at the first open instant at least retryGapMin after the end, in the contact’s time zone', () => {
  fc.assert(
    fc.property(schedule, attempt, (settings, ended) => {
      const campaign = campaignWith({ ...settings, retryAttempts: 10 });
      const at = retryAt(campaign, { ...ended, status: 'busy', invalidNumber: false, attemptCount: 1 })!;
      const from = ended.endedAt + settings.retryGapMin * 60_000;
      const window = windowOf(campaign, ended.zone);
      assert.ok(at >= from);
      assert.ok(isOpen(window, at));
      assert.deepEqual(commonOpenings([window], from, at), [], 'nothing open before it');
    }),
    { numRuns: 500 },
  );
});

test('a completed campaign retries no attempt', () => {
  const ended = { status: 'busy', invalidNumber: false, attemptCount: 1, endedAt: 0, zone: '' } as const;
  assert.equal(retryAt(campaignWith({ retryAttempts: 3 }), ended), 3_600_000);
  assert.equal(retryAt(campaignWith({ retryAttempts: 3 }, { status: 'completed' }), ended), null);
  assert.equal(retryAt(campaignWith({ retryAttempts: 3 }, { status: 'paused' }), ended), 3_600_000);
});

test('waiting retries move exactly when a field that determines their instants changes', () => {
  const changes: Required<{ [Field in keyof Schedule]: Schedule[Field] }> = {
    start: '2026-03-02T09:00',
    end: '2027-03-02T09:00',
    windowStart: '09:00',
    windowEnd: '17:00',
    windowDays: [1, 2, 3],
    timezone: 'Europe/Berlin',
    maxConcurrent: 20,
    retryAttempts: 3,
    retryGapMin: 61,
  };
  const moving = Object.entries(changes).filter(([field, value]) =>
    movesRetries(defaultSchedule, { ...defaultSchedule, [field]: value }),
  );
  assert.deepEqual(
    moving.map(([field]) => field),
    ['windowStart', 'windowEnd', 'windowDays', 'timezone', 'retryGapMin'],
  );
  assert.equal(
    movesRetries(defaultSchedule, { ...defaultSchedule, windowDays: [...defaultSchedule.windowDays] }),
    false,
  );
});
