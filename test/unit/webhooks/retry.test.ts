import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { probeDelayMs, retryAfterMs, retryDelayMs } from '../../../src/features/webhooks/retry.ts';

const schedule = [30_000, 120_000, 600_000, 3_600_000];
const plain = { retryAfterMs: null, jitter: 0 };
const failures = fc.integer({ min: 1, max: 4 });
const jitter = fc.double({ min: 0, max: 1, noNaN: true });
const retryAfter = fc.option(fc.integer({ min: 0, max: 10 ** 12 }));

test('the delays are those of the interface, and there is none from the fifth failure on', () => {
  assert.deepEqual(
    [1, 2, 3, 4, 5, 6].map((count) => retryDelayMs(count, plain)),
    [...schedule, null, null],
  );
  assert.equal(probeDelayMs, 21_600_000);
});

test('jitter only lengthens a delay, by at most a tenth', () => {
  fc.assert(
    fc.property(failures, jitter, (count, share) => {
      const delay = retryDelayMs(count, { retryAfterMs: null, jitter: share })!;
      const base = schedule[count - 1]!;
      assert.ok(Number.isInteger(delay) && delay >= base && delay <= base * 1.1 + 1, `${delay}`);
    }),
  );
});

test('full jitter adds exactly a tenth, and fractions of a millisecond are rounded up', () => {
  assert.deepEqual(
    [1, 2, 3].map((count) => retryDelayMs(count, { retryAfterMs: null, jitter: 1 })),
    [33_000, 132_000, 660_000],
  );
  assert.equal(retryDelayMs(1, { retryAfterMs: null, jitter: 0.0001 }), 30_001);
});

test('a Retry-After is honored up to twice the delay, and never shortens it', () => {
  fc.assert(
    fc.property(failures, jitter, retryAfter, (count, share, requestedMs) => {
      const base = schedule[count - 1]!;
      const delay = retryDelayMs(count, { retryAfterMs: requestedMs, jitter: share })!;
      assert.ok(delay >= base && delay <= base * 2, `${delay}`);
      assert.ok(delay >= Math.min(requestedMs ?? 0, base * 2), `${delay} is shorter than requested`);
    }),
  );
});

test('Retry-After is read as a number of seconds', () => {
  assert.equal(retryAfterMs('0', 5), 0);
  assert.equal(retryAfterMs(' 45 ', 5), 45_000);
});

test('Retry-After is read as a date in each format of HTTP', () => {
  const at = Temporal.Instant.from('1994-11-06T08:49:37Z').epochMilliseconds;
  assert.equal(retryAfterMs('Sun, 06 Nov 1994 08:49:37 GMT', at - 90_000), 90_000);
  assert.equal(retryAfterMs('Sun Nov  6 08:49:37 1994', at - 90_000), 90_000);
  const later = Temporal.Instant.from('2026-11-06T08:49:37Z').epochMilliseconds;
  assert.equal(retryAfterMs('Friday, 06-Nov-26 08:49:37 GMT', later - 1_000), 1_000);
  assert.equal(retryAfterMs('Sun, 06 Nov 1994 08:49:37 GMT', at + 1), 0, 'a date in the past means no wait');
});

test('any instant written as an HTTP date is read back', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 4_000_000_000 }), fc.integer({ min: 0, max: 10 ** 6 }), (seconds, early) => {
      const header = new Date(seconds * 1000).toUTCString();
      assert.equal(retryAfterMs(header, (seconds - early) * 1000), early * 1000);
    }),
  );
});

test('a malformed Retry-After is ignored', () => {
  const malformed = ['', '-1', '1.5', 'soon', 'Sun, 31 Feb 2026 08:49:37 GMT', 'Sun, 06 Foo 1994 08:49:37 GMT', '1 2'];
  for (const header of [undefined, ...malformed]) assert.equal(retryAfterMs(header, 0), null, String(header));
});
