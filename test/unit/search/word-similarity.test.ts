import assert from 'node:assert/strict';
import { test } from 'node:test';
import { spellingSimilarity } from '../../../src/search/query/word-similarity.ts';

test('a misspelling is similar to its word, while short words are similar only to themselves', () => {
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
    ['refund', 'remand'],
    ['shipping', 'shopping cart'],
  ] as const) {
    assert.ok(spellingSimilarity(queried, indexed) < 0.7, queried);
  }
});
