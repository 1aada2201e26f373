import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTick } from 'node:timers/promises';
import { limitPerTick } from '../../../src/jobs/tick-limit.ts';

/** How many functions each tick calls when hundreds wait; each takes `costMs` of a tick that may take 10 ms. */
async function callsPerTick(ticks: number, costMs: number): Promise<number[]> {
  let nowMs = 0;
  const limit = limitPerTick(10, () => nowMs);
  const ran: number[] = [];
  const perTick: number[] = [];
  for (let number = 0; number < 1000; number += 1) {
    limit.run(() => {
      ran.push(number);
      nowMs += costMs;
    });
  }
  for (let tick = 0; tick < ticks; tick += 1) {
    perTick.push(ran.length - perTick.reduce((sum, count) => sum + count, 0));
    await nextTick();
  }
  assert.deepEqual(
    ran,
    Array.from(ran, (_, index) => index),
    'they are called in order',
  );
  return perTick;
}

test('ticks that are shorter than they may be call more functions each time', async () => {
  assert.deepEqual(await callsPerTick(5, 0.1), [8, 9, 10, 11, 12]);
});

test('ticks that take too long call half as many functions, but always one', async () => {
  assert.deepEqual(await callsPerTick(6, 5), [8, 4, 2, 3, 2, 3]);
  assert.deepEqual(await callsPerTick(6, 50), [8, 4, 2, 1, 1, 1]);
});

test('a function that comes while others wait does not overtake them', async () => {
  const limit = limitPerTick(10, () => 0);
  const ran: number[] = [];
  for (let number = 0; number < 10; number += 1) limit.run(() => ran.push(number));
  assert.ok(!limit.hasRoom());
  await nextTick();
  assert.equal(ran.length, 10);
  assert.ok(limit.hasRoom());
  limit.run(() => ran.push(10));
  assert.equal(ran.at(-1), 10);
});
