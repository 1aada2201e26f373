import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { reorder } from '../../../src/telephony/media/reorder.ts';

test('packets in order pass at once', () => {
  const order = reorder<number>();
  for (let number = 65_530; number < 65_550; number += 1) {
    assert.deepEqual(order.push(number & 0xffff, number, number * 20), [number]);
  }
  assert.deepEqual(order.expire(1e9), []);
});

test('a packet that comes 60 ms late is put in its place; a duplicate is dropped', () => {
  const order = reorder<string>();
  assert.deepEqual(order.push(1, 'a', 0), ['a']);
  assert.deepEqual(order.push(3, 'c', 40), []);
  assert.deepEqual(order.push(3, 'c again', 45), []);
  assert.deepEqual(order.push(4, 'd', 60), []);
  assert.deepEqual(order.expire(100), []);
  assert.deepEqual(order.push(2, 'b', 100), ['b', 'c', 'd']);
  assert.deepEqual(order.push(2, 'b again', 105), []);
});

test('a packet that never comes is given up and becomes silence; when it comes after all it is dropped', () => {
  const order = reorder<string>();
  order.push(1, 'a', 0);
  assert.deepEqual(order.push(4, 'd', 60), []);
  assert.deepEqual(order.expire(100), []);
  assert.deepEqual(order.expire(141), [null, null, 'd']);
  assert.deepEqual(order.push(2, 'b', 150), []);
  assert.deepEqual(order.push(5, 'e', 160), ['e']);
});

test('a stream that is interrupted or numbered anew goes on without silence for the gap', () => {
  for (const next of [500, 40_000, 60_000]) {
    const order = reorder<string>();
    order.push(1000, 'a', 0);
    assert.deepEqual(order.push(next, 'b', 20), ['b']);
    assert.deepEqual(order.push(next + 1, 'c', 40), ['c']);
  }
});

test('whatever is lost, repeated or late, packets pass in order, none twice, and few wait', () => {
  const event = fc.record({ ahead: fc.integer({ min: -5, max: 5 }), isLost: fc.boolean(), repeats: fc.nat(2) });
  fc.assert(
    fc.property(fc.nat(65_535), fc.array(event, { maxLength: 200 }), (start, events) => {
      const order = reorder<number>();
      const out: Array<number | null> = [];
      for (const [at, { ahead, isLost, repeats }] of events.entries()) {
        const number = Math.max(0, at + ahead);
        for (let times = 0; times <= repeats && !isLost; times += 1) {
          out.push(...order.push((start + number) & 0xffff, number, at * 20));
        }
        out.push(...order.expire(at * 20));
      }
      const passed = out.filter((number) => number !== null);
      assert.deepEqual(
        passed,
        [...new Set(passed)].toSorted((a, b) => a - b),
      );
      if (passed.length > 0)
        assert.ok(out.length <= passed.at(-1)! - passed[0]! + 1, 'not more frames than time passed');
    }),
  );
});
