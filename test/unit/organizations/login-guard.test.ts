import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { AppError } from '../../../src/base/errors.ts';
import { createLoginGuard } from '../../../src/features/organizations/log-in/login-guard.ts';
import { createRecentTimes } from '../../../src/features/organizations/log-in/recent-times.ts';

const minute = 60_000;

test('the tenth failure within 15 minutes locks an e-mail address for one sender, until the first is 15 minutes old', () => {
  const guard = createLoginGuard();
  const locks = [];
  for (let index = 0; index < 10; index++) locks.push(guard.begin('ada', 'here', index * minute)!.locks);
  assert.deepEqual(locks, [...Array<boolean>(9).fill(false), true]);
  assert.equal(guard.begin('ada', 'here', 15 * minute - 1), undefined);
  assert.ok(guard.begin('ada', 'there', 10 * minute), 'another sender');
  assert.ok(guard.begin('bob', 'here', 10 * minute), 'another e-mail address');
  assert.equal(guard.begin('ada', 'here', 15 * minute)!.locks, true, 'the second failure is the first one now');
  assert.equal(guard.begin('ada', 'here', 15 * minute), undefined);
});

test('a success clears the failures of its address and sender; a log-in without a password check is no failure', () => {
  const guard = createLoginGuard();
  for (let index = 0; index < 9; index++) guard.begin('ada', 'here', 0);
  guard.begin('ada', 'here', 0)!.abandoned();
  guard.begin('ada', 'here', 0)!.succeeded();
  for (let index = 0; index < 10; index++) assert.ok(guard.begin('ada', 'here', 0));
  assert.equal(guard.begin('ada', 'here', 0), undefined);
});

test('after 100 failures from anywhere, log-ins with an e-mail address go on one a second, and eight wait at most', () => {
  let real = 500;
  const guard = createLoginGuard(() => real);
  for (let index = 0; index < 100; index++) guard.begin('ada', `sender ${index}`, 0);
  assert.equal(guard.delayMs('ada', 0), 0, 'the hundredth itself');
  guard.begin('ada', 'sender 100', 0);
  assert.equal(guard.delayMs('bob', 0), 0, 'others are not slowed down');
  const delays = Array.from({ length: 8 }, () => guard.delayMs('ada', 0));
  assert.deepEqual(delays, [1000, 2000, 3000, 4000, 5000, 6000, 7000, 8000]);
  assert.throws(
    () => guard.delayMs('ada', 0),
    (error: AppError) => error.kind === 'rate_limited' && error.headers['Retry-After'] !== undefined,
  );
  real += 1500;
  assert.equal(guard.delayMs('ada', 0), 7500);
  real += 60_000;
  assert.equal(guard.delayMs('ada', 0), 1000);
  assert.equal(guard.delayMs('ada', 15 * minute), 0, 'the failures are 15 minutes old');
});

test('times are counted as exactly as by a list of all of them, up to the limit', () => {
  const operations = fc.array(
    fc.record({
      key: fc.constantFrom('a', 'b', 'c'),
      wait: fc.integer({ min: 0, max: 40 }),
      what: fc.constantFrom('add', 'add', 'add', 'remove', 'clear'),
    }),
  );
  fc.assert(
    fc.property(operations, (steps) => {
      const times = createRecentTimes({ windowMs: 100, maxTimes: 5, maxKeys: 10 });
      let all: Array<{ key: string; at: number }> = [];
      let now = 0;
      for (const { key, wait, what } of steps) {
        now += wait;
        if (what === 'add') {
          times.add(key, now);
          all.push({ key, at: now });
          const own = all.filter((one) => one.key === key && one.at > now - 100);
          all = [...all.filter((one) => one.key !== key), ...own.slice(-5)];
        } else if (what === 'clear') {
          times.clear(key);
          all = all.filter((one) => one.key !== key);
        } else {
          times.remove(key, now);
          const index = all.findIndex((one) => one.key === key && one.at === now);
          if (index >= 0) all.splice(index, 1);
        }
        const expected = all.filter((one) => one.key === key && one.at > now - 100).length;
        assert.equal(times.count(key, now), expected);
      }
    }),
  );
});

test('when there are too many keys, the one that was changed longest ago is forgotten', () => {
  const times = createRecentTimes({ windowMs: 100, maxTimes: 5, maxKeys: 2 });
  for (const key of ['a', 'b', 'a', 'c']) times.add(key, 0);
  assert.deepEqual(
    ['a', 'b', 'c'].map((key) => times.count(key, 0)),
    [2, 0, 1],
  );
});
