import assert from 'node:assert/strict';
import { suite, test, type TestContext } from 'node:test';
import fc from 'fast-check';
import { keyDigest, nameFor, recheckDelayMs } from '../../../src/features/calendar/connection.ts';
import { eventTypeIdOf } from '../../../src/features/calendar/event-type.ts';
import { dataOf } from '../../../src/features/calendar/provider/answer.ts';
import { ProviderFailure } from '../../../src/features/calendar/provider/failure.ts';
import { me } from '../../../src/features/calendar/provider/schemas.ts';
import { rangeFaults, slotRange, utcText } from '../../../src/features/calendar/slot.ts';

test('an account gets the name in the request, else keeps its name, else gets the name that the provider has for it', () => {
  assert.equal(nameFor('Sales', 'Before', 'Ada'), 'Sales');
  assert.equal(nameFor(undefined, 'Before', 'Ada'), 'Before');
  assert.equal(nameFor(undefined, 'Calendar account', 'Ada'), 'Ada');
  assert.equal(nameFor(undefined, 'Calendar account', undefined), 'Calendar account');
  assert.equal(nameFor(undefined, undefined, undefined), 'Calendar account');
});

test('the digest of a key differs by key and by organization', () => {
  const digests = ['a', 'b'].flatMap((org) => ['x', 'y'].map((key) => keyDigest(org, key)));
  assert.equal(new Set(digests).size, 4);
  assert.equal(keyDigest('a', 'x'), digests[0]);
});

test('failed checks are repeated at growing intervals up to a day, successful ones once a day', () => {
  const minutes = [0, 1, 2, 3, 4, 5, 6, 99].map((failures) => recheckDelayMs(failures) / 60_000);
  assert.deepEqual(minutes, [1440, 1, 5, 30, 120, 360, 1440, 1440]);
});

test('only a plain 32-bit integer is an event type id', () => {
  assert.deepEqual(['1', '2147483647'].map(eventTypeIdOf), [1, 2_147_483_647]);
  for (const text of ['0', '01', '2147483648', '99999999999', '-1', '1.0', '1e3', ' 1', '', 'intro']) {
    assert.equal(eventTypeIdOf(text), undefined, text);
  }
});

test('an instant in UTC stays as written, any other is converted to UTC', () => {
  assert.equal(utcText('2026-03-02T09:00:00.000Z'), '2026-03-02T09:00:00.000Z');
  assert.equal(utcText('2026-03-02T09:00Z'), '2026-03-02T09:00Z');
  assert.equal(utcText('2026-03-02T09:00:00+05:30'), '2026-03-02T03:30:00Z');
});

test('the same date as both bounds covers that whole day in the time zone, whatever its length', () => {
  const zones = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kathmandu', 'Pacific/Apia', 'America/Sao_Paulo'];
  const days = fc.integer({ min: 0, max: 30_000 });
  fc.assert(
    fc.property(fc.constantFrom(...zones), days, (timezone, day) => {
      const date = Temporal.PlainDate.from('1990-01-01').add({ days: day });
      const text = date.toString();
      fc.pre(date.toZonedDateTime(timezone).toPlainDate().equals(date)); // Samoa skipped a day in 2011
      assert.deepEqual(rangeFaults({ start: text, end: text, timezone }), []);
      const { start, end } = slotRange({ start: text, end: text, timezone });
      const [first, last] = [start, end].map((at) => Temporal.Instant.from(at).toZonedDateTimeISO(timezone));
      assert.ok(first!.toPlainDate().equals(date) && last!.toPlainDate().equals(date));
      assert.ok(!first!.subtract({ seconds: 1 }).toPlainDate().equals(date));
      assert.ok(!last!.add({ seconds: 1 }).toPlainDate().equals(date));
    }),
  );
});

test('any provider response yields data that conforms to the schema, or a failure that does not reveal the key', () => {
  const key = 'cal_live_secret';
  const text = fc.oneof(fc.constant(key), fc.string());
  const body = fc.oneof(
    text,
    fc.json(),
    fc
      .record({
        status: fc.constantFrom('success', 'error'),
        data: fc.jsonValue(),
        error: fc.record({ message: text }),
      })
      .map((value) => JSON.stringify(value)),
  );
  fc.assert(
    fc.property(fc.integer({ min: 200, max: 599 }), body, (statusCode, responseStart) => {
      try {
        const data = dataOf({ statusCode, headers: {}, responseStart }, me, key);
        assert.ok(statusCode < 300 && typeof data === 'object');
      } catch (error) {
        assert.ok(error instanceof ProviderFailure);
        assert.ok(!error.message.includes(key), error.message);
      }
    }),
  );
});

suite('large answers of the provider', () => {
  const answer = (data: unknown) => ({
    statusCode: 200,
    headers: {},
    responseStart: typeof data === 'string' ? data : JSON.stringify({ status: 'success', data }),
  });
  const nested = (depth: number) => `{"status":"success","data":${'['.repeat(depth)}${']'.repeat(depth)}}`;
  const parsed = (t: TestContext) => t.mock.method(JSON, 'parse').mock;

  test('an answer with too many values or levels is not parsed', (t) => {
    const many = answer(Array.from({ length: 50_001 }, () => 1));
    const deep = answer(nested(33));
    const { calls } = parsed(t);
    for (const response of [many, deep]) assert.throws(() => dataOf(response, me, 'key'), ProviderFailure);
    assert.equal(calls.length, 0);
  });

  test('texts are cut after 1,000 characters, and never between the halves of one', () => {
    const name = `${'x'.repeat(999)}😀`;
    assert.deepEqual(dataOf(answer({ name, username: 'y'.repeat(1000) }), me, 'key'), {
      name: `${'x'.repeat(999)}\uFFFD`,
      username: 'y'.repeat(1000),
    });
  });
});
