import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSlots } from '../../../../src/base/fair/slots.ts';

/** One slot, for which `max` pieces of work of each owner may wait. */
const oneSlot = (max: number) => createSlots({ max: 1, waiting: { max, full: () => new Error('full') } });

/** Work that the test starts in a slot and ends by hand. */
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

test('One slot runs one piece of work at a time, also after one that failed.', async () => {
  const slots = oneSlot(2);
  const order: string[] = [];
  const failing = slots.run('one', () => Promise.reject(new Error('no')));
  const others = ['second', 'third'].map((name) =>
    slots.run('one', () => {
      order.push(name);
      return Promise.resolve(name);
    }),
  );
  await assert.rejects(failing, { message: 'no' });
  assert.deepEqual(await Promise.all(others), ['second', 'third']);
  assert.deepEqual(order, ['second', 'third']);
});

test('Work of an owner is refused that has too much waiting work, until some of it has run.', async () => {
  const slots = oneSlot(1);
  const first = controllableWork();
  const running = slots.run('one', first.work);
  const waiting = slots.run('one', () => Promise.resolve('waited'));
  await assert.rejects(
    slots.run('one', () => Promise.resolve()),
    { message: 'full' },
  );
  first.end();
  await running;
  assert.equal(await waiting, 'waited');
  assert.equal(await slots.run('one', () => Promise.resolve('later')), 'later');
});

test('Owners take turns however much work each has waiting, and the limit counts per owner.', async () => {
  const slots = oneSlot(3);
  const order: string[] = [];
  const first = controllableWork();
  const running = slots.run('one', first.work);
  const enqueue = (owner: string) =>
    slots.run(owner, () => {
      order.push(owner);
      return Promise.resolve();
    });
  const waiting = ['one', 'one', 'one', 'two', 'three', 'two'].map(enqueue);
  await assert.rejects(enqueue('one'), { message: 'full' });
  first.end();
  await Promise.all([running, ...waiting]);
  assert.deepEqual(order, ['one', 'two', 'three', 'one', 'two', 'one']);
});

test('What is closed rejects waiting and new work, and waits for the running work.', async () => {
  const slots = oneSlot(9);
  const [first, second] = [controllableWork(), controllableWork()];
  const running = slots.run('one', first.work);
  const waiting = slots.run('one', second.work);
  const closing = slots.close(() => new Error('closed'));
  await assert.rejects(waiting, { message: 'closed' });
  await assert.rejects(slots.run('one', second.work), { message: 'closed' });
  let isClosed = false;
  const closed = closing.then(() => (isClosed = true));
  assert.equal(isClosed, false);
  first.end();
  await Promise.all([running, closed]);
  assert.equal(second.hasBegun(), false);
});

test('Work whose signal is aborted while it waits is rejected, never starts, and leaves its room to others.', async () => {
  const slots = oneSlot(1);
  const [first, second] = [controllableWork(), controllableWork()];
  const running = slots.run('one', first.work);
  const controller = new AbortController();
  const waiting = slots.run('one', second.work, controller.signal);
  controller.abort(new Error('gone'));
  await assert.rejects(waiting, { message: 'gone' });
  const third = slots.run('one', () => Promise.resolve('third'));
  first.end();
  assert.deepEqual([await running, await third, second.hasBegun()], [undefined, 'third', false]);
});

test('One owner alone leaves a slot of three free for another.', async () => {
  const slots = createSlots({ max: 3 });
  const works = Array.from({ length: 4 }, controllableWork);
  const done = works.slice(0, 3).map(({ work }) => slots.run('one', work));
  done.push(slots.run('two', works[3]!.work));
  assert.deepEqual(
    works.map(({ hasBegun }) => hasBegun()),
    [true, true, false, true],
  );
  for (const { end } of works) end();
  await Promise.all(done);
});
