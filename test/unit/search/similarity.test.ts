import assert from 'node:assert/strict';
import { test } from 'node:test';
import { spellingSimilarity } from '../../../src/search/query/similarity.ts';

test('a misspelled word is similar to the right one, but a short word only to itself', () => {
  for (const [queried, indexed] of [
    ['refnud', 'refund'],
    ['expres', 'express'],
    ['huors', 'hours'],
    ['garantee', 'guarantee'],
  ] as const) {
    assert.ok(spellingSimilarity(queried, indexed) > 0.7, queried);
  }
  for (const [queried, indexed] of [
    ['near', 'year'],
    ['cat', 'car'],
  ] as const) {
    assert.equal(spellingSimilarity(queried, indexed), 0, queried);
  }
  for (const [queried, indexed] of [
    ['refund', 'remand'],
    ['shipping', 'shopping cart'],
  ] as const) {
    assert.ok(spellingSimilarity(queried, indexed) < 0.7, queried);
  }
});
