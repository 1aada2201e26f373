import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createInvalidNumbers } from '../../../../src/features/calls/carriers/sip/invalid-numbers.ts';

const invalid = { invalid: true, rang: false };

test('after five numbers in a row that do not exist the trunk is suspected, until a call rings', () => {
  const numbers = createInvalidNumbers();
  const results = Array.from({ length: 7 }, () => numbers.count('number', invalid));
  assert.deepEqual(results, [true, true, true, true, true, false, false]);
  assert.equal(numbers.count('another number', invalid), true);
  assert.equal(numbers.count('number', { invalid: false, rang: false }), false);
  assert.equal(numbers.count('number', invalid), false, 'a busy callee says nothing of the trunk');
  numbers.count('number', { invalid: false, rang: true });
  assert.equal(numbers.count('number', invalid), true);
});
