import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFairQueue } from '../../../src/base/fair-queue.ts';

/** Work that the test starts through the queue and ends by hand. */
function controllableWork() {
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

test('A fair queue runs one piece of work at a time, also after one that failed.', async () => {
  const queue = createFairQueue(2);
  const order: string[] = [];
  const failing = queue.run('one', () => Promise.reject(new Error('no')));
  const others = ['second', 'third'].map((name) =>
    queue.run('one', () => {
      order.push(name);
      return Promise.resolve(name);
    }),
  );
  await assert.rejects(failing, { message: 'no' });
  assert.deepEqual(await Promise.all(others), ['second', 'third']);
  assert.deepEqual(order, ['second', 'third']);
});

test('A fair queue refuses work of an owner with too much waiting work, until some of it has run.', async () => {
  const queue = createFairQueue(1);
  const first = controllableWork();
  const running = queue.run('one', first.work);
  const waiting = queue.run('one', () => Promise.resolve('waited'));
  await assert.rejects(
    queue.run('one', () => Promise.resolve()),
    { kind: 'unavailable' },
  );
  first.end();
  await running;
  assert.equal(await waiting, 'waited');
  assert.equal(await queue.run('one', () => Promise.resolve('later')), 'later');
});

test('Owners take turns however much work each has waiting, and the limit counts per owner.', async () => {
  const queue = createFairQueue(3);
  const order: string[] = [];
  const first = controllableWork();
  const running = queue.run('one', first.work);
  const enqueue = (owner: string) =>
    queue.run(owner, () => {
      order.push(owner);
      return Promise.resolve();
    });
  const waiting = ['one', 'one', 'one', 'two', 'three', 'two'].map(enqueue);
  await assert.rejects(enqueue('one'), { kind: 'unavailable' });
  first.end();
  await Promise.all([running, ...waiting]);
  assert.deepEqual(order, ['one', 'two', 'three', 'one', 'two', 'one']);
});

test('A closed queue rejects waiting and new work, and waits for the running work.', async () => {
  const queue = createFairQueue(9);
  const [first, second] = [controllableWork(), controllableWork()];
  const running = queue.run('one', first.work);
  const waiting = queue.run('one', second.work);
  const closing = queue.close(() => new Error('closed'));
  await assert.rejects(waiting, { message: 'closed' });
  await assert.rejects(queue.run('one', second.work), { message: 'closed' });
  let isClosed = false;
  const closed = closing.then(() => (isClosed = true));
  assert.equal(isClosed, false);
  first.end();
  await Promise.all([running, closed]);
  assert.equal(second.hasBegun(), false);
});
