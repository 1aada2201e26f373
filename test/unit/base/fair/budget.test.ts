import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createBudget } from '../../../../src/base/fair/budget.ts';

test('one owner gets half, two get a third each, and the next one always gets something', () => {
  const budget = createBudget(120);
  const takeAll = (owner: string): number => {
    let taken = 0;
    while (budget.tryTake(owner, 1)) taken += 1;
    return taken;
  };
  assert.equal(takeAll('a'), 60);
  assert.equal(takeAll('b'), 30);
  assert.equal(takeAll('c'), 15);
  budget.release('a', 60);
  assert.equal(takeAll('b'), 22, 'what is released is shared anew');
  assert.equal(budget.tryTake('d', 20), true);
  assert.equal(budget.tryTake('e', 20), false);
});
