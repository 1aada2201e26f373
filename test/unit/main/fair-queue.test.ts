import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFairQueue } from '../../../src/main/background/fair-queue.ts';

/** Work that ends when it is told to. */
function aWork() {
  const { promise, resolve } = Promise.withResolvers<void>();
  let begun = false;
  return {
    end: resolve,
    hasBegun: () => begun,
    work: () => {
      begun = true;
      return promise;
    },
  };
}

test('What stands in line is done one after the other, whether what went before it failed or not.', async () => {
  const line = createFairQueue(2);
  const order: string[] = [];
  const failing = line.run('one', () => Promise.reject(new Error('no')));
  const others = ['second', 'third'].map((name) =>
    line.run('one', () => {
      order.push(name);
      return Promise.resolve(name);
    }),
  );
  await assert.rejects(failing, { message: 'no' });
  assert.deepEqual(await Promise.all(others), ['second', 'third']);
  assert.deepEqual(order, ['second', 'third']);
});

test('A line that is long enough takes nobody else, until somebody has gone.', async () => {
  const line = createFairQueue(1);
  const first = aWork();
  const running = line.run('one', first.work);
  const waiting = line.run('one', () => Promise.resolve('waited'));
  await assert.rejects(
    line.run('one', () => Promise.resolve()),
    { kind: 'unavailable' },
  );
  first.end();
  await running;
  assert.equal(await waiting, 'waited');
  assert.equal(await line.run('one', () => Promise.resolve('later')), 'later');
});

test('Those who stand in line take turns, however many places one of them has, and each has places of its own.', async () => {
  const line = createFairQueue(3);
  const order: string[] = [];
  const first = aWork();
  const running = line.run('one', first.work);
  const ask = (owner: string) =>
    line.run(owner, () => {
      order.push(owner);
      return Promise.resolve();
    });
  const asked = ['one', 'one', 'one', 'two', 'three', 'two'].map(ask);
  await assert.rejects(ask('one'), { kind: 'unavailable' });
  first.end();
  await Promise.all([running, ...asked]);
  assert.deepEqual(order, ['one', 'two', 'three', 'one', 'two', 'one']);
});

test('A line that closes refuses what waits and what comes, and waits for what runs.', async () => {
  const line = createFairQueue(9);
  const [first, second] = [aWork(), aWork()];
  const running = line.run('one', first.work);
  const waiting = line.run('one', second.work);
  const closing = line.close(() => new Error('closed'));
  await assert.rejects(waiting, { message: 'closed' });
  await assert.rejects(line.run('one', second.work), { message: 'closed' });
  let isClosed = false;
  const closed = closing.then(() => (isClosed = true));
  assert.equal(isClosed, false);
  first.end();
  await Promise.all([running, closed]);
  assert.equal(second.hasBegun(), false);
});
