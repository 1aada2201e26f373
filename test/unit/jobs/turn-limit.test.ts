import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { limitPerTurn } from '../../../src/jobs/turn-limit.ts';

test('a turn of the event loop runs at most so many functions, the others follow in order', async () => {
  const limited = limitPerTurn(2);
  const ran: number[] = [];
  const run = (number: number): void => limited.run(() => ran.push(number));
  [1, 2, 3, 4, 5].forEach(run);
  assert.deepEqual(ran, [1, 2]);
  assert.ok(!limited.hasRoom());
  await nextTurn();
  run(6);
  assert.deepEqual(ran, [1, 2, 3, 4], 'a later one does not overtake');
  await nextTurn();
  assert.deepEqual(ran, [1, 2, 3, 4, 5, 6]);
  await nextTurn();
  [7, 8, 9].forEach(run);
  assert.deepEqual(ran.slice(6), [7, 8]);
});
