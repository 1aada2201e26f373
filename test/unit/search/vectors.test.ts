import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  cosine,
  decodeVector,
  encodeVector,
  hammingDistances,
  normalize,
  signBitsOf,
} from '../../../src/search/embeddings/vectors.ts';
import { fuseScores, semanticScore } from '../../../src/search/score/fusion.ts';

const unitVector = fc
  .array(fc.float({ min: -1, max: 1, noNaN: true }), { minLength: 70, maxLength: 70 })
  .map((values) => normalize(values))
  .filter((vector) => vector !== undefined);

test('a vector is read back as it was stored, and its differing sign bits are counted', () => {
  fc.assert(
    fc.property(unitVector, fc.array(unitVector, { minLength: 1, maxLength: 5 }), (query, others) => {
      assert.deepEqual(decodeVector(encodeVector(query)), query);
      assert.ok(Math.abs(cosine(query, query) - 1) < 1e-5);
      const distances = hammingDistances(signBitsOf(query), Buffer.concat(others.map(signBitsOf)));
      const expected = others.map((other) => other.filter((value, at) => value > 0 !== query[at]! > 0).length);
      assert.deepEqual([...distances], expected);
    }),
  );
});

test('a vector without a direction is rejected', () => {
  assert.equal(normalize([0, 0]), undefined);
  assert.equal(normalize([1, Number.NaN]), undefined);
});

test('a cosine counts only above what chance gives among as many passages, and never lowers a score', () => {
  const among = (passages: number) => ({ mean: 0.1, deviation: 0.05, passages });
  assert.equal(semanticScore(0.2, among(1000)), 0);
  assert.equal(semanticScore(0.6, among(1000)), 1);
  assert.ok(semanticScore(0.27, among(100)) > semanticScore(0.27, among(10_000)));
  assert.equal(fuseScores(0.4, 0), 0.4);
  assert.ok(fuseScores(0.4, 0.5) > 0.4 && fuseScores(0.9, 1) <= 1);
});
