import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextMacrotask } from '../../../src/base/clock.ts';
import { AppError } from '../../../src/base/errors.ts';
import { createHashSlots } from '../../../src/features/organizations/log-in/hash-slots.ts';

/** Slots whose work ends when the test says so. `ended` lists the finished work in order, refused work in brackets. */
function slotsWith(options: { maxRunning: number; maxPending: number }) {
  const slots = createHashSlots(options);
  const running = new Map<string, () => void>();
  const ended: string[] = [];
  return {
    running: () => [...running.keys()],
    ended,
    submit(name: string, { isTrusted = false } = {}) {
      const [sender = ''] = name.split('-');
      const work = () => new Promise<void>((resolve) => running.set(name, resolve));
      slots.run({ sender, isTrusted }, work).then(
        () => ended.push(name),
        (error: unknown) => {
          assert.ok(error instanceof AppError && error.kind === 'rate_limited');
          assert.equal(error.headers['Retry-After'], '2');
          ended.push(`(${name})`);
        },
      );
    },
    async finish() {
      const [name, resolve] = [...running][0]!;
      running.delete(name);
      resolve();
      await nextMacrotask();
    },
  };
}

/** Lets all promises that are ready run their callbacks. */

test('no more than allowed run, and senders take turns', async () => {
  const { submit, finish, running, ended } = slotsWith({ maxRunning: 2, maxPending: 20 });
  for (const name of ['a-1', 'a-2', 'a-3', 'a-4', 'b-1', 'c-1', 'b-2']) submit(name);
  assert.deepEqual(running(), ['a-1', 'a-2']);
  for (let index = 0; index < 7; index++) {
    await finish();
    assert.ok(running().length <= 2);
  }
  assert.deepEqual(ended, ['a-1', 'a-2', 'a-3', 'b-1', 'c-1', 'a-4', 'b-2']);
});

test('a flood from one sender is refused when it has half of the room, while other senders are still let in', async () => {
  const { submit, finish, running, ended } = slotsWith({ maxRunning: 1, maxPending: 8 });
  for (let index = 0; index < 200; index++) submit(`flood-${index}`);
  await nextMacrotask();
  assert.equal(ended.length, 196);
  submit('person-1');
  await nextMacrotask();
  assert.equal(ended.length, 196);
  await finish();
  await finish();
  assert.deepEqual(running(), ['person-1'], 'it waits for one turn of the flood at most');
});

test('trusted log-ins go first, and are let in whatever else waits', async () => {
  const { submit, finish, running, ended } = slotsWith({ maxRunning: 1, maxPending: 2 });
  for (const name of ['a-1', 'b-1', 'c-1', 'd-1', 'e-1']) submit(name);
  submit('known-1', { isTrusted: true });
  await nextMacrotask();
  assert.ok(!ended.includes('(known-1)') && ended.includes('(e-1)'));
  await finish();
  assert.deepEqual(running(), ['known-1']);
});

test('work that fails frees its slot', async () => {
  const slots = createHashSlots({ maxRunning: 1, maxPending: 2 });
  const requester = { sender: 'a', isTrusted: false };
  await assert.rejects(
    slots.run(requester, () => Promise.reject(new Error('no memory'))),
    /no memory/,
  );
  assert.equal(await slots.run(requester, () => Promise.resolve(1)), 1);
});
