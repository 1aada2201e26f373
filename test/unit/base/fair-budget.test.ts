import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFairBudget } from '../../../src/base/fair-budget.ts';

test('one owner gets half, two get a third each, and the next one always gets something', () => {
  const shares = createFairBudget(120);
  const takeAll = (owner: string): number => {
    let taken = 0;
    while (shares.tryTake(owner, 1)) taken += 1;
    return taken;
  };
  assert.equal(takeAll('a'), 60);
  assert.equal(takeAll('b'), 30);
  assert.equal(takeAll('c'), 15);
  shares.giveBack('a', 60);
  assert.equal(takeAll('b'), 22, 'what is given back is shared anew');
  assert.equal(shares.tryTake('d', 20), true);
  assert.equal(shares.tryTake('e', 20), false);
});
