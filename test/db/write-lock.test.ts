import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as later } from 'node:timers/promises';
import fc from 'fast-check';
import {
  background,
  createWriteLock,
  releaseAbandoned,
  pauseBackground,
  resumeBackground,
  main,
  createWriteLockState,
} from '../../src/db/sqlite/write-lock.ts';

const laterBy = async (turns: number): Promise<void> => {
  for (let turn = 0; turn < turns; turn += 1) await later();
};

const both = () => {
  const words = createWriteLockState();
  return { words, mains: createWriteLock(words, main), asides: createWriteLock(words, background) };
};

type Worker = { isAside: boolean; before: number; during: number; times: number };
const worker: fc.Arbitrary<Worker> = fc.record({
  isAside: fc.boolean(),
  before: fc.nat(3),
  during: fc.nat(3),
  times: fc.integer({ min: 1, max: 4 }),
});

test('One at a time has the turn, whichever side it is on, and everyone who asks gets it.', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(worker, { minLength: 1, maxLength: 8 }), async (workers) => {
      const { mains, asides } = both();
      let inside = 0;
      const runs: number[] = [];
      await Promise.all(
        workers.map(async ({ isAside, before, during, times }, index) => {
          const turn = isAside ? asides : mains;
          for (let time = 0; time < times; time += 1) {
            await laterBy(before);
            await turn.acquire();
            inside += 1;
            assert.equal(inside, 1);
            runs.push(index);
            await laterBy(during);
            inside -= 1;
            turn.release();
          }
        }),
      );
      assert.equal(
        runs.length,
        workers.reduce((sum, { times }) => sum + times, 0),
      );
    }),
  );
});

test('The side beside gets the turn, too, when the main side asks for it again as soon as it gave it.', async () => {
  const { mains, asides } = both();
  let [ends, beside] = [false, 0];
  const mainGoesOn = async (): Promise<void> => {
    while (!ends) {
      await mains.acquire();
      await later();
      mains.release();
    }
  };
  const asideWants = async (): Promise<void> => {
    for (; beside < 4; beside += 1) {
      await asides.acquire();
      asides.release();
    }
    ends = true;
  };
  await Promise.all([mainGoesOn(), asideWants()]);
});

test('The main side has the turn next when it waits for the one beside, however soon that asks again.', async () => {
  const { mains, asides } = both();
  await asides.acquire();
  const order: string[] = [];
  const mainHas = mains.acquire().then(() => order.push('main'));
  await later();
  asides.release();
  const asideHas = asides.acquire().then(() => order.push('aside'));
  await mainHas;
  mains.release();
  await asideHas;
  assert.deepEqual(order, ['main', 'aside']);
});

test('Each side sees whether the other has the turn, and when it has it no more.', async () => {
  const { mains, asides } = both();
  await asides.acquire();
  assert.equal(mains.isHeldByPeer(), true);
  assert.equal(asides.isHeldByPeer(), false);
  const end = mains.whenFree();
  asides.release();
  await end;
  assert.equal(mains.isHeldByPeer(), false);
});

test('What a side had whose thread has ended is free, and so is what it waited for.', async () => {
  const { words, mains } = both();
  await createWriteLock(words, background).acquire();
  const waiting = mains.acquire();
  releaseAbandoned(words);
  await waiting;
  void createWriteLock(words, background).acquire();
  await later();
  releaseAbandoned(words);
  mains.release();
  await mains.acquire();
});

test('The side beside waits while it is held, and has its turn afterwards.', async () => {
  const { words, asides, mains } = both();
  pauseBackground(words);
  let has = false;
  const taking = asides.acquire().then(() => (has = true));
  await mains.acquire();
  mains.release();
  await laterBy(3);
  assert.equal(has, false);
  resumeBackground(words);
  await taking;
});
