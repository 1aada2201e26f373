import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createRateBudget } from '../../../../src/base/fair/rate-budget.ts';

test('a burst is allowed at once, then one request per replenished token', () => {
  let now = 5_000;
  const budget = createRateBudget({ perSecond: 2, burst: 3 }, () => now);
  const take = () => budget.take('key');
  assert.deepEqual(
    [take(), take(), take()].map(({ allowed, remaining }) => [allowed, remaining]),
    [
      [true, 2],
      [true, 1],
      [true, 0],
    ],
  );
  assert.deepEqual(take(), { allowed: false, remaining: 0, fullInMs: 1500, retryInMs: 500 });
  now += 499;
  assert.equal(take().allowed, false);
  now += 1;
  assert.deepEqual(take(), { allowed: true, remaining: 0, fullInMs: 1500, retryInMs: 0 });
  now += 60_000;
  assert.deepEqual(take(), { allowed: true, remaining: 2, fullInMs: 500, retryInMs: 0 }, 'never more than the burst');
});

test('a request may cost more than one token, and costs none when it is refused', () => {
  let now = 0;
  const budget = createRateBudget({ perSecond: 1000, burst: 2000 }, () => now);
  const take = (cost: number) => budget.take('key', cost);
  assert.deepEqual([take(1500).remaining, take(501).retryInMs, take(500).allowed], [500, 1, true]);
  assert.deepEqual([take(2001).allowed, take(20).retryInMs], [false, 20]);
  now += 20;
  assert.deepEqual([take(20).allowed, take(0).allowed, take(1).allowed], [true, true, false]);
});

test('each key has its own bucket', () => {
  const budget = createRateBudget({ perSecond: 1, burst: 1 }, () => 0);
  assert.deepEqual(
    ['one', 'two', 'one'].map((key) => budget.take(key).allowed),
    [true, true, false],
  );
});

test('in any period at most the burst plus the rate is allowed, and waiting retryInMs is enough', () => {
  fc.assert(
    fc.property(
      fc.double({ min: 0.01, max: 1000, noNaN: true }),
      fc.integer({ min: 1, max: 50 }),
      fc.array(fc.double({ min: 0, max: 2000, noNaN: true }), { maxLength: 200 }),
      (perSecond, burst, waits) => {
        let now = 0;
        let through = 0;
        const budget = createRateBudget({ perSecond, burst }, () => now);
        for (const wait of waits) {
          now += wait;
          const answer = budget.take('key');
          if (answer.allowed) through += 1;
          else {
            now += answer.retryInMs;
            assert.equal(budget.take('key').allowed, true);
            through += 1;
          }
          assert.ok(through <= burst + (now / 1000) * perSecond + 1e-3);
        }
      },
    ),
  );
});
