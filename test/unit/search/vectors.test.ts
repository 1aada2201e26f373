import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { cosinesWith, encodeVector, normalize } from '../../../src/search/embeddings/vectors.ts';
import { fuseScores, semanticScore } from '../../../src/search/score/fusion.ts';

const unitVector = fc
  .array(fc.float({ min: -1, max: 1, noNaN: true }), { minLength: 70, maxLength: 70 })
  .map((values) => normalize(values))
  .filter((vector) => vector !== undefined);

test('the cosines with vectors of a byte for each dimension are those of the vectors, but for a hundredth', () => {
  fc.assert(
    fc.property(unitVector, fc.array(unitVector, { maxLength: 5 }), (query, others) => {
      const cosines = cosinesWith(query, Buffer.concat(others.map(encodeVector)));
      assert.equal(cosines.length, others.length);
      for (const [index, other] of others.entries()) {
        const cosine = other.reduce((sum, value, at) => sum + value * query[at]!, 0);
        assert.ok(Math.abs(cosines[index]! - cosine) < 0.01, `${cosines[index]} instead of ${cosine}`);
      }
    }),
  );
});

test('a vector without a direction is rejected', () => {
  assert.equal(normalize([0, 0]), undefined);
  assert.equal(normalize([1, Number.NaN]), undefined);
});

test('a cosine counts only above what chance gives among as many passages, and never lowers a score', () => {
  const among = (passages: number) => ({ mean: 0.1, deviation: 0.05, passages });
  assert.ok(semanticScore(0.2, among(1000)) < 0.001);
  assert.equal(semanticScore(0.6, among(1000)), 1);
  assert.ok(
    semanticScore(0.15, among(1000)) > semanticScore(0.14, among(1000)),
    'below chance the nearest is still told',
  );
  assert.ok(semanticScore(0.27, among(100)) > semanticScore(0.27, among(10_000)));
  assert.equal(fuseScores(0.4, 0), 0.4);
  assert.ok(fuseScores(0.4, 0.5) > 0.4 && fuseScores(0.9, 1) <= 1);
  assert.ok(fuseScores(0, 1) < fuseScores(0.7, 0), 'a vector alone is worth less than nearly all words');
});

test('among a few passages, whose cosines happen to be alike, a small difference says nothing', () => {
  const alike = { mean: 0.3, deviation: 0.005 };
  assert.ok(semanticScore(0.32, { ...alike, passages: 3 }) < 0.02);
  assert.ok(semanticScore(0.32, { ...alike, passages: 10_000 }) < semanticScore(0.33, { ...alike, passages: 10_000 }));
});
