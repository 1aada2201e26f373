import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createInvalidNumbers } from '../../../../src/features/calls/carriers/sip/invalid-numbers.ts';

const invalid = { invalid: true, rang: false };

test('after five numbers in a row that do not exist the trunk is suspected, until a call rings', () => {
  const numbers = createInvalidNumbers();
  let calls = 0;
  const ended = (id: string, end: { invalid: boolean; rang: boolean }): boolean => {
    const one = { callId: `call ${++calls}`, ...end };
    const isInvalid = numbers.count(id, one);
    assert.equal(numbers.count(id, one), isInvalid, 'an end that is written twice counts once');
    return isInvalid;
  };
  const results = Array.from({ length: 7 }, () => ended('number', invalid));
  assert.deepEqual(results, [true, true, true, true, true, false, false]);
  assert.equal(ended('another number', invalid), true);
  assert.equal(ended('number', { invalid: false, rang: false }), false);
  assert.equal(ended('number', invalid), false, 'a busy callee says nothing of the trunk');
  assert.equal(ended('number', { invalid: true, rang: true }), true);
  assert.equal(ended('number', invalid), true);
});
