import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Posting } from '../../../src/search/index/search-index.ts';
import { scoreBm25, type TermMatches } from '../../../src/search/score/bm25.ts';

const stats = { passageCount: 1000, meanLength: 100 };
const posting = (id: number, frequency = 1, length = 100): Posting => ({ id, frequency, length });
const postings = (count: number): Posting[] => Array.from({ length: count }, (_, index) => posting(index));
const term = (found: Posting[], variants: TermMatches['variants'] = []): TermMatches => ({ postings: found, variants });
const scoreOf = (terms: readonly TermMatches[], id = 0): number => scoreBm25(terms, stats).get(id)!;

test('a rare word counts more than a frequent one, and every word counts less in a longer passage', () => {
  const [rare, frequent] = [term([posting(1)]), term(postings(300).slice(2))];
  assert.ok(scoreOf([rare, frequent], 1) > 2 * scoreOf([rare, frequent], 2));
  const lengths = [50, 100, 200].map((length) => scoreOf([term([posting(0, 1, length)])]));
  assert.deepEqual(
    lengths,
    lengths.toSorted((a, b) => b - a),
  );
  assert.equal(new Set(lengths).size, 3);
});

test('a score is the share of the most that a passage could get, whatever the question', () => {
  const passages = fc.uniqueArray(fc.record({ id: fc.nat(50), frequency: fc.integer({ min: 1, max: 4 }) }), {
    selector: ({ id }) => id,
    maxLength: 20,
  });
  const matches = passages.map((all) => term(all.map(({ id, frequency }) => posting(id, frequency, 20))));
  fc.assert(
    fc.property(fc.array(matches, { minLength: 1, maxLength: 5 }), (terms) => {
      for (const score of scoreBm25(terms, stats).values()) assert.ok(score > 0 && score <= 1, `${score}`);
    }),
  );
});

test('a word that the base lacks counts as its rarest, so that the rest of the question is no answer', () => {
  const known = term([posting(0, 4, 50)]);
  const unknown = term([]);
  assert.ok(scoreOf([known]) > 0.8);
  assert.equal(scoreOf([known, unknown]), scoreOf([known]) / 2);
  assert.equal(scoreOf([known, unknown]), scoreOf([known, term([posting(1)])]));
});

test('a word and its variants count once, by that which is worth most', () => {
  const form = (weight: number, found: Posting[]): TermMatches['variants'] => [
    { term: 'forms', weight, postings: found },
  ];
  const alone = scoreOf([term(postings(10))]);
  assert.equal(scoreOf([term(postings(10), form(0.5, postings(10)))]), alone);
  const halved = scoreOf([term(postings(11).slice(1), form(0.5, [posting(0)]))]);
  assert.ok(Math.abs(halved - alone / 2) < 1e-9, 'a rare form is worth no more than the word');
});
