import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTick } from 'node:timers/promises';
import { batchReads } from '../../../src/base/batch-reads.ts';

/** Reads squares of numbers, and records the keys of each combined read. */
function squares() {
  const loads: Array<readonly string[]> = [];
  const squareOf = batchReads<number>((keys) => {
    loads.push(keys);
    if (keys.includes('broken')) return Promise.reject(new Error('no such number'));
    return Promise.resolve(new Map(keys.filter((key) => key !== 'none').map((key) => [key, Number(key) ** 2])));
  });
  return { loads, squareOf };
}

test('reads of one tick of the event loop become one call, and each caller gets its own value', async () => {
  const { loads, squareOf } = squares();
  const answers = Promise.all(['3', '2', 'none', '3'].map(squareOf));
  assert.deepEqual(loads, []);
  assert.deepEqual(await answers, [9, 4, undefined, 9]);
  assert.deepEqual(loads, [['3', '2', 'none', '3']]);
});

test('a read that starts while another is running, or later, becomes a separate call', async () => {
  const { loads, squareOf } = squares();
  const first = squareOf('2');
  await nextTick();
  assert.deepEqual(await Promise.all([first, squareOf('2')]), [4, 4]);
  assert.deepEqual(loads, [['2'], ['2']]);
});

test('a key that cannot be read fails only for its own caller', async () => {
  const { squareOf } = squares();
  const all = await Promise.allSettled(['3', 'broken', '2', 'none'].map(squareOf));
  assert.deepEqual(
    all.map((one) => (one.status === 'rejected' ? (one.reason as Error).message : one.value)),
    [9, 'no such number', 4, undefined],
  );
  assert.equal(await squareOf('2'), 4);
});
