import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as later } from 'node:timers/promises';
import fc from 'fast-check';
import {
  background,
  createWriteLock,
  createWriteLockState,
  main,
  releaseAbandoned,
  withWriteLock,
} from '../../src/db/sqlite/write-lock.ts';

/** A lock that is never released makes its waiters wait forever, so every test ends by itself. */
const options = { timeout: 30_000 };

const macrotasks = async (count: number): Promise<void> => {
  for (let passed = 0; passed < count; passed += 1) await later();
};

const bothSides = () => {
  const state = createWriteLockState();
  return { state, mainLock: createWriteLock(state, main), backgroundLock: createWriteLock(state, background) };
};

type Worker = { isBackground: boolean; before: number; during: number; times: number };
const worker: fc.Arbitrary<Worker> = fc.record({
  isBackground: fc.boolean(),
  before: fc.nat(3),
  during: fc.nat(3),
  times: fc.integer({ min: 1, max: 4 }),
});

test('One caller at a time holds the lock, whichever side it is on, and every caller gets it.', options, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(worker, { minLength: 1, maxLength: 8 }), async (workers) => {
      const { mainLock, backgroundLock } = bothSides();
      let [holders, runs] = [0, 0];
      const runWorker = async ({ isBackground, before, during, times }: Worker): Promise<void> => {
        const lock = isBackground ? backgroundLock : mainLock;
        for (let time = 0; time < times; time += 1) {
          await macrotasks(before);
          await lock.acquire();
          holders += 1;
          assert.equal(holders, 1);
          runs += 1;
          await macrotasks(during);
          holders -= 1;
          lock.release();
        }
      };
      await Promise.all(workers.map(runWorker));
      assert.equal(
        runs,
        workers.reduce((sum, { times }) => sum + times, 0),
      );
    }),
  );
});

test('Callers on one side get the lock in the order in which they asked for it.', options, async () => {
  const { mainLock } = bothSides();
  const order: number[] = [];
  await Promise.all(
    [1, 2, 3].map((caller) =>
      withWriteLock(mainLock, async () => {
        order.push(caller);
        await later();
      }),
    ),
  );
  assert.deepEqual(order, [1, 2, 3]);
});

test('A caller that asks right after a release does not get ahead of one that waits.', options, async () => {
  const { mainLock } = bothSides();
  await mainLock.acquire();
  const order: string[] = [];
  const waiting = mainLock.acquire().then(() => order.push('waiting'));
  mainLock.release();
  const late = mainLock.acquire().then(() => order.push('late'));
  await waiting;
  await macrotasks(2);
  assert.deepEqual(order, ['waiting'], 'the lock has one holder');
  mainLock.release();
  await late;
});

test('The lock is released after work that throws.', options, async () => {
  const { mainLock, backgroundLock } = bothSides();
  await assert.rejects(
    withWriteLock(mainLock, () => Promise.reject(new Error('no'))),
    /^Error: no$/,
  );
  await Promise.all([mainLock.acquire().then(() => mainLock.release()), backgroundLock.acquire()]);
});

test('The background gets the lock although the main side asks again right after each release.', options, async () => {
  const { mainLock, backgroundLock } = bothSides();
  let isDone = false;
  const keepAcquiring = async (): Promise<void> => {
    while (!isDone) {
      await mainLock.acquire();
      await later();
      mainLock.release();
    }
  };
  const acquireFourTimes = async (): Promise<void> => {
    for (let time = 0; time < 4; time += 1) {
      await backgroundLock.acquire();
      backgroundLock.release();
    }
    isDone = true;
  };
  await Promise.all([keepAcquiring(), acquireFourTimes()]);
});

test('A waiting main side gets the lock next, even when the background asks again first.', options, async () => {
  const { mainLock, backgroundLock } = bothSides();
  await backgroundLock.acquire();
  const order: string[] = [];
  const inMain = mainLock.acquire().then(() => order.push('main'));
  await later();
  backgroundLock.release();
  const inBackground = backgroundLock.acquire().then(() => order.push('background'));
  await inMain;
  mainLock.release();
  await inBackground;
  assert.deepEqual(order, ['main', 'background']);
});

test('After a main side that had to wait, the background releases to whoever asks first.', options, async () => {
  const { mainLock, backgroundLock } = bothSides();
  await backgroundLock.acquire();
  const waiting = mainLock.acquire();
  await later();
  backgroundLock.release();
  await waiting;
  mainLock.release();
  await backgroundLock.acquire();
  backgroundLock.release();
  assert.equal(backgroundLock.isHeldByPeer(), false, 'the lock was not handed to a main side that no longer waits');
});

test('Each side sees whether the other holds the lock, and is told when it is free.', options, async () => {
  const { mainLock, backgroundLock } = bothSides();
  await backgroundLock.acquire();
  assert.equal(mainLock.isHeldByPeer(), true);
  assert.equal(backgroundLock.isHeldByPeer(), false);
  let isFree = false;
  const whenFree = mainLock.whenFree().then(() => (isFree = true));
  await macrotasks(3);
  assert.equal(isFree, false);
  backgroundLock.release();
  await whenFree;
  assert.equal(mainLock.isHeldByPeer(), false);
});

test('When the background thread has ended, the lock it held or waited for is free.', options, async () => {
  const { state, mainLock } = bothSides();
  await createWriteLock(state, background).acquire();
  const waiting = mainLock.acquire();
  releaseAbandoned(state);
  await waiting;
  void createWriteLock(state, background).acquire();
  await later();
  releaseAbandoned(state);
  mainLock.release();
  await mainLock.acquire();
});

test('The end of the background thread leaves a lock that the main side holds.', options, async () => {
  const { state, mainLock, backgroundLock } = bothSides();
  await mainLock.acquire();
  releaseAbandoned(state);
  assert.equal(backgroundLock.isHeldByPeer(), true);
});
