import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTick } from 'node:timers/promises';
import { limitStarts } from '../../../src/http/start-limit.ts';

test('a tick starts no more than the limit, and addresses take turns', async () => {
  const limited = limitStarts(3);
  const started: string[] = [];
  const send = (address: string, count: number): void => {
    for (let number = 1; number <= count; number += 1) limited(address, () => started.push(address + number));
  };
  send('a', 6);
  send('b', 2);
  assert.deepEqual(started.splice(0), ['a1', 'a2', 'a3'], 'the first ones start at once');
  await nextTick();
  assert.deepEqual(started.splice(0), ['a4', 'b1', 'a5']);
  send('c', 1);
  await nextTick();
  assert.deepEqual(started.splice(0), ['b2', 'a6', 'c1']);
  await nextTick();
  send('d', 1);
  assert.deepEqual(started, ['d1'], 'an idle limit starts at once again');
});

test('work that starts other work counts it', async () => {
  const limited = limitStarts(2);
  const started: number[] = [];
  const chain = (number: number): void => {
    started.push(number);
    if (number < 5) limited('a', () => chain(number + 1));
  };
  limited('a', () => chain(1));
  assert.deepEqual(started, [1, 2]);
  await nextTick();
  assert.deepEqual(started, [1, 2, 3, 4]);
  await nextTick();
  assert.deepEqual(started, [1, 2, 3, 4, 5]);
});
