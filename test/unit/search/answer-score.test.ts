import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { answerScore } from '../../../src/search/score/answer-score.ts';

test('a score stays between 0 and 1 and grows with the share of what a question could get', () => {
  assert.deepEqual([0, 0.2, 1].map(answerScore), [0, 0.5, 1]);
  const coverage = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(coverage, coverage, (one, other) => {
      const [less, more] = [Math.min(one, other), Math.max(one, other)].map(answerScore);
      assert.ok(0 <= less! && less! <= more! && more! <= 1);
    }),
  );
});
