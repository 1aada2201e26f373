import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { IndexReader } from '../../../src/search/index/search-index.ts';
import { queryTerms } from '../../../src/search/query/query-terms.ts';
import { rankPassages } from '../../../src/search/ranking.ts';

test('a question is reduced to 24 words: those that it repeats, then the longest', () => {
  const words = Array.from({ length: 39 }, (_, index) => `q${'w'.repeat(index)}`);
  const terms = queryTerms(`${words.join(' ')} tea tea`);
  assert.equal(terms.length, 24);
  assert.deepEqual(terms.slice(0, 2), ['tea', `q${'w'.repeat(38)}`]);
});

test('at most six words of a question are corrected', async () => {
  const corrected: string[] = [];
  const index: IndexReader = {
    baseIds: [1],
    passageCount: 1,
    meanLength: 1,
    postings: (terms) => Promise.resolve(new Map(terms.map((term) => [term, []]))),
    wordsWithPrefixes: () => Promise.resolve(new Map()),
    wordsSharingTrigrams: (word) => {
      corrected.push(word);
      return Promise.resolve([]);
    },
    passages: () => Promise.resolve(new Map()),
  };
  const query = 'monday tuesday wednesday thursday friday saturday sunday holiday';
  const { passages } = await rankPassages(index, { query, limit: 5 }, undefined, (ids) =>
    Promise.resolve(new Set(ids)),
  );
  assert.deepEqual(passages, []);
  assert.equal(corrected.length, 6);
});
