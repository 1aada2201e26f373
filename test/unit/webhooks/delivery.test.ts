import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  afterAttempt,
  isScheduled,
  scheduleOf,
  type DeliveryState,
  type StoredStatus,
} from '../../../src/features/webhooks/delivery.ts';

const now = 1_000_000;
const hour = 3_600_000;
const fresh: DeliveryState = { status: 'pending', failures: 0, endpointStatus: 'delivering', endpointRemoved: false };
const failed = { ok: false, gone: false, retryAfterMs: null } as const;
const gone = { ...failed, gone: true };
const final = (status: StoredStatus) => ({ status, nextAttemptAt: null, endpoint: null });

test('a successful attempt delivers', () => {
  assert.deepEqual(afterAttempt(fresh, { ok: true }, now, 0), final('delivered'));
});

test('the first four failures schedule a retry; the fifth pauses the endpoint and schedules the probe six hours later', () => {
  const transitions = [0, 1, 2, 3, 4].map((failures) => afterAttempt({ ...fresh, failures }, failed, now, 0));
  assert.deepEqual(
    transitions.map((transition) => transition.nextAttemptAt! - now),
    [30_000, 120_000, 600_000, hour, 6 * hour],
  );
  assert.deepEqual(
    transitions.map((transition) => transition.endpoint),
    [null, null, null, null, 'pause'],
  );
  assert.ok(transitions.every((transition) => transition.status === 'retrying'));
});

test('410 Gone pauses the endpoint immediately', () => {
  assert.deepEqual(afterAttempt(fresh, gone, now, 0), {
    status: 'retrying',
    nextAttemptAt: now + 6 * hour,
    endpoint: 'pause',
  });
});

test('the probe of a failing endpoint resumes it or is exhausted', () => {
  const probe: DeliveryState = { ...fresh, status: 'retrying', failures: 5, endpointStatus: 'failing' };
  assert.deepEqual(afterAttempt(probe, { ok: true }, now, 0), { ...final('delivered'), endpoint: 'resume' });
  assert.deepEqual(afterAttempt(probe, failed, now, 0), final('exhausted'));
  assert.deepEqual(afterAttempt(probe, gone, now, 0), final('exhausted'));
});

test('any other delivery to a failing endpoint is held when it fails, and does not resume the endpoint when it succeeds', () => {
  for (const status of ['pending', 'held'] as const) {
    const other: DeliveryState = { ...fresh, status, endpointStatus: 'failing' };
    assert.deepEqual(afterAttempt(other, failed, now, 0), final('held'));
    assert.deepEqual(afterAttempt(other, { ok: true }, now, 0), final('delivered'));
  }
});

test('a delivery that ends after its URL was removed is cancelled when it failed, and delivered when it succeeded', () => {
  const removed: DeliveryState = { ...fresh, status: 'cancelled', endpointRemoved: true };
  assert.deepEqual(afterAttempt(removed, failed, now, 0), final('cancelled'));
  assert.deepEqual(afterAttempt(removed, { ok: true }, now, 0), final('delivered'));
});

test('in any case, a delivery is scheduled exactly when it has a next attempt, and never on a removed endpoint', () => {
  const state = fc.record({
    status: fc.constantFrom('pending', 'retrying', 'held', 'cancelled'),
    failures: fc.nat({ max: 8 }),
    endpointStatus: fc.constantFrom('delivering', 'failing'),
    endpointRemoved: fc.boolean(),
  }) as fc.Arbitrary<DeliveryState>;
  const result = fc.oneof(
    fc.constant({ ok: true } as const),
    fc.record({ ok: fc.constant(false as const), gone: fc.boolean(), retryAfterMs: fc.option(fc.nat()) }),
  );
  fc.assert(
    fc.property(state, result, fc.double({ min: 0, max: 1, noNaN: true }), (before, outcome, jitter) => {
      const { status, nextAttemptAt, endpoint } = afterAttempt(before, outcome, now, jitter);
      assert.equal(isScheduled(status), nextAttemptAt !== null);
      assert.ok(nextAttemptAt === null || nextAttemptAt > now);
      assert.equal(status === 'delivered', outcome.ok);
      if (before.endpointRemoved) assert.ok(!isScheduled(status) && endpoint !== 'pause');
      if (endpoint === 'pause') assert.equal(before.endpointStatus, 'delivering');
      if (endpoint === 'resume') assert.equal(before.endpointStatus, 'failing');
    }),
  );
});

const waiting = { now, isRunning: false };

test('the schedule of a delivery has the attempts that are still to come if each of them fails', () => {
  const all = [0, 30_000, 150_000, 750_000, 4_350_000, 4_350_000 + 6 * hour].map((delay) => now + delay);
  assert.deepEqual(scheduleOf({ ...fresh, nextAttemptAt: now }, waiting), all);
  assert.deepEqual(scheduleOf({ ...fresh, nextAttemptAt: now }, { now, isRunning: true }), all.slice(1));
  const retrying = { ...fresh, status: 'retrying', failures: 3, nextAttemptAt: now + 5 } as const;
  assert.deepEqual(scheduleOf(retrying, waiting), [now + 5, now + 5 + hour, now + 5 + 7 * hour]);
  const probe = { ...retrying, endpointStatus: 'failing' } as const;
  assert.deepEqual(scheduleOf(probe, waiting), [now + 5]);
  assert.deepEqual(scheduleOf({ ...fresh, endpointRemoved: true, nextAttemptAt: now }, waiting), [now]);
});

test('the schedule of an attempt that is late goes on from now, and a delivery that is not scheduled has none', () => {
  const late = scheduleOf({ ...fresh, nextAttemptAt: now - 7000 }, waiting);
  assert.deepEqual(late.slice(0, 2), [now - 7000, now + 30_000]);
  for (const status of ['held', 'delivered', 'exhausted', 'cancelled'] as const) {
    assert.deepEqual(scheduleOf({ ...fresh, status, nextAttemptAt: null }, waiting), []);
  }
});
