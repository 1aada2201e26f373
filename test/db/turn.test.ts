import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as later } from 'node:timers/promises';
import fc from 'fast-check';
import { aside, createTurn, freeAside, holdAside, letAsideGo, main, turnWords } from '../../src/db/turn.ts';

const laterBy = async (turns: number): Promise<void> => {
  for (let turn = 0; turn < turns; turn += 1) await later();
};

const both = () => {
  const words = turnWords();
  return { words, mains: createTurn(words, main), asides: createTurn(words, aside) };
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
            await turn.take();
            inside += 1;
            assert.equal(inside, 1);
            runs.push(index);
            await laterBy(during);
            inside -= 1;
            turn.give();
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
      await mains.take();
      await later();
      mains.give();
    }
  };
  const asideWants = async (): Promise<void> => {
    for (; beside < 4; beside += 1) {
      await asides.take();
      asides.give();
    }
    ends = true;
  };
  await Promise.all([mainGoesOn(), asideWants()]);
});

test('The main side has the turn next when it waits for the one beside, however soon that asks again.', async () => {
  const { mains, asides } = both();
  await asides.take();
  const order: string[] = [];
  const mainHas = mains.take().then(() => order.push('main'));
  await later();
  asides.give();
  const asideHas = asides.take().then(() => order.push('aside'));
  await mainHas;
  mains.give();
  await asideHas;
  assert.deepEqual(order, ['main', 'aside']);
});

test('Each side sees whether the other has the turn, and when it has it no more.', async () => {
  const { mains, asides } = both();
  await asides.take();
  assert.equal(mains.isOthers(), true);
  assert.equal(asides.isOthers(), false);
  const end = mains.othersEnd();
  asides.give();
  await end;
  assert.equal(mains.isOthers(), false);
});

test('What a side had whose thread has ended is free, and so is what it waited for.', async () => {
  const { words, mains } = both();
  await createTurn(words, aside).take();
  const waiting = mains.take();
  freeAside(words);
  await waiting;
  void createTurn(words, aside).take();
  await later();
  freeAside(words);
  mains.give();
  await mains.take();
});

test('The side beside waits while it is held, and has its turn afterwards.', async () => {
  const { words, asides, mains } = both();
  holdAside(words);
  let has = false;
  const taking = asides.take().then(() => (has = true));
  await mains.take();
  mains.give();
  await laterBy(3);
  assert.equal(has, false);
  letAsideGo(words);
  await taking;
});
