import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isoOf, within } from '../../../src/base/clock.ts';

const earliest = Date.parse('-000001-01-01T00:00:00.000Z');
const latest = Date.parse('+010000-12-31T23:59:59.999Z');

test('isoOf equals Date.toISOString for any sequence of instants', () => {
  const instants = fc.array(fc.integer({ min: earliest, max: latest }), { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(instants, (all) => {
      for (const atMs of [...all, ...all.map((one) => one + 1)])
        assert.equal(isoOf(atMs), new Date(atMs).toISOString());
    }),
  );
});

test('isoOf is right around midnight, before and after 1970, and for fractions of a millisecond', () => {
  for (const day of [-719_529, -1, 0, 1, 19_782, 2_932_896]) {
    for (const beside of [-1, -0.5, 0, 0.5, 1, 999, 1000, 59_999, 60_000, 3_600_000]) {
      const atMs = day * 86_400_000 + beside;
      assert.equal(isoOf(atMs), new Date(atMs).toISOString());
    }
  }
});

test('isoOf throws for a value that is not an instant', () => {
  for (const atMs of [Number.NaN, Infinity, -Infinity, 8.64e15 + 86_400_000]) {
    assert.throws(() => isoOf(atMs), RangeError);
  }
});

test('work in time gives its own result or error; work that takes too long gives that of the fallback', async () => {
  const endless = new Promise<never>(() => undefined);
  const refuse = (): never => {
    throw new Error('late');
  };
  assert.equal(await within(60_000, Promise.resolve('done'), refuse), 'done');
  await assert.rejects(within(60_000, Promise.reject(new Error('failed')), refuse), /failed/);
  const keepsAlive = setInterval(() => undefined, 1000); // the limit's timer does not
  assert.equal(await within(1, endless, () => 'fallback'), 'fallback');
  await assert.rejects(within(1, endless, refuse), /late/);
  clearInterval(keepsAlive);
});
