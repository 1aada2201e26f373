import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { afterAttempt, isDue, type Standing, type StoredStatus } from '../../../src/features/webhooks/delivery.ts';
import { changesOf } from '../../../src/features/webhooks/endpoint.ts';

const now = 1_000_000;
const hour = 3_600_000;
const fresh: Standing = { status: 'pending', failures: 0, endpointStatus: 'delivering', endpointRemoved: false };
const failed = { ok: false, gone: false, retryAfterMs: null } as const;
const gone = { ...failed, gone: true };
const settled = (status: StoredStatus) => ({ status, nextAttemptAt: null, endpoint: null });

test('a success delivers', () => {
  assert.deepEqual(afterAttempt(fresh, { ok: true }, now, 0), settled('delivered'));
});

test('the first four failures wait for their retry, the fifth pauses the endpoint and waits six hours', () => {
  const verdicts = [0, 1, 2, 3, 4].map((failures) => afterAttempt({ ...fresh, failures }, failed, now, 0));
  assert.deepEqual(
    verdicts.map((verdict) => verdict.nextAttemptAt! - now),
    [30_000, 120_000, 600_000, hour, 6 * hour],
  );
  assert.deepEqual(
    verdicts.map((verdict) => verdict.endpoint),
    [null, null, null, null, 'fails'],
  );
  assert.ok(verdicts.every((verdict) => verdict.status === 'retrying'));
});

test('410 Gone pauses the endpoint at once', () => {
  assert.deepEqual(afterAttempt(fresh, gone, now, 0), {
    status: 'retrying',
    nextAttemptAt: now + 6 * hour,
    endpoint: 'fails',
  });
});

test('the probe of a failing endpoint heals it or is exhausted', () => {
  const probe: Standing = { ...fresh, status: 'retrying', failures: 5, endpointStatus: 'failing' };
  assert.deepEqual(afterAttempt(probe, { ok: true }, now, 0), { ...settled('delivered'), endpoint: 'heals' });
  assert.deepEqual(afterAttempt(probe, failed, now, 0), settled('exhausted'));
  assert.deepEqual(afterAttempt(probe, gone, now, 0), settled('exhausted'));
});

test('what fails while its endpoint is failing already is held, and its success heals nothing', () => {
  for (const status of ['pending', 'held'] as const) {
    const other: Standing = { ...fresh, status, endpointStatus: 'failing' };
    assert.deepEqual(afterAttempt(other, failed, now, 0), settled('held'));
    assert.deepEqual(afterAttempt(other, { ok: true }, now, 0), settled('delivered'));
  }
});

test('what fails after its URL was removed is cancelled; what arrived was delivered', () => {
  const orphan: Standing = { ...fresh, status: 'cancelled', endpointRemoved: true };
  assert.deepEqual(afterAttempt(orphan, failed, now, 0), settled('cancelled'));
  assert.deepEqual(afterAttempt(orphan, { ok: true }, now, 0), settled('delivered'));
});

test('whatever happens, a delivery is due exactly when it has an instant, and never on a removed endpoint', () => {
  const standing = fc.record({
    status: fc.constantFrom('pending', 'retrying', 'held', 'cancelled'),
    failures: fc.nat({ max: 8 }),
    endpointStatus: fc.constantFrom('delivering', 'failing'),
    endpointRemoved: fc.boolean(),
  }) as fc.Arbitrary<Standing>;
  const result = fc.oneof(
    fc.constant({ ok: true } as const),
    fc.record({ ok: fc.constant(false as const), gone: fc.boolean(), retryAfterMs: fc.option(fc.nat()) }),
  );
  fc.assert(
    fc.property(standing, result, fc.double({ min: 0, max: 1, noNaN: true }), (before, outcome, jitter) => {
      const verdict = afterAttempt(before, outcome, now, jitter);
      assert.equal(isDue(verdict.status), verdict.nextAttemptAt !== null);
      assert.ok(verdict.nextAttemptAt === null || verdict.nextAttemptAt > now);
      assert.equal(verdict.status === 'delivered', outcome.ok);
      if (before.endpointRemoved) assert.ok(!isDue(verdict.status) && verdict.endpoint !== 'fails');
      if (verdict.endpoint === 'fails') assert.equal(before.endpointStatus, 'delivering');
      if (verdict.endpoint === 'heals') assert.equal(before.endpointStatus, 'failing');
    }),
  );
});

test('saving URLs adds the new, ends the missing and gives failing ones another chance', () => {
  const live = [
    { url: 'https://a.example', status: 'delivering' as const },
    { url: 'https://b.example', status: 'failing' as const },
    { url: 'https://c.example', status: 'failing' as const },
  ];
  const urls = ['https://a.example', 'https://b.example', 'https://d.example', 'https://d.example'];
  assert.deepEqual(changesOf(live, urls), { added: ['https://d.example'], removed: [live[2]], revived: [live[1]] });
  assert.deepEqual(changesOf(live, []), { added: [], removed: live, revived: [] });
});
