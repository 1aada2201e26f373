import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSpread } from '../../src/features/live/spread.ts';

test('tasks run a few at a time in different ticks of the event loop, in order, and each once', async () => {
  const spread = createSpread();
  const done = Promise.withResolvers<void>();
  const ran: Array<{ task: number; tick: number }> = [];
  let tick = 0;
  const tasks = Array.from({ length: 100 }, (_, task) => () => {
    if (ran.at(-1)?.tick !== tick) setImmediate(() => (tick += 1));
    ran.push({ task, tick });
    if (ran.length === 100) done.resolve();
  });
  for (const task of [...tasks, ...tasks]) spread(task);
  assert.equal(ran.length, 0); // none runs within the call
  await done.promise;
  assert.deepEqual(
    ran.map(({ task }) => task),
    tasks.map((_, task) => task),
  );
  const sizes = Map.groupBy(ran, (each) => each.tick)
    .values()
    .map((each) => each.length);
  assert.ok(Math.max(...sizes) <= 20);
});

test('a task that is added while it runs runs again', async () => {
  const spread = createSpread();
  const again = Promise.withResolvers<void>();
  let runs = 0;
  const task = (): void => {
    runs += 1;
    if (runs === 1) spread(task);
    else again.resolve();
  };
  spread(task);
  await again.promise;
  assert.equal(runs, 2);
});
