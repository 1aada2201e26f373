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

test('a vector is read back as it was stored, and its sign bits that differ as seen from a centre are counted', () => {
  fc.assert(
    fc.property(unitVector, unitVector, fc.array(unitVector, { minLength: 1, maxLength: 5 }), (query, mean, others) => {
      assert.deepEqual(decodeVector(encodeVector(query)), query);
      for (const centre of [undefined, mean]) {
        const bits = Buffer.concat(others.map((other) => signBitsOf(other, centre)));
        const isAbove = (vector: Float32Array, at: number): boolean => vector[at]! > (centre?.[at] ?? 0);
        const expected = others.map(
          (other) => other.filter((_, at) => isAbove(other, at) !== isAbove(query, at)).length,
        );
        assert.deepEqual([...hammingDistances(signBitsOf(query, centre), bits)], expected);
      }
    }),
  );
});

test('a cosine is that of the angle seen from the centre, and 0 at the centre itself', () => {
  fc.assert(
    fc.property(unitVector, unitVector, unitVector, (a, b, centre) => {
      const fromCentre = (vector: Float32Array): number[] => [...vector].map((value, at) => value - centre[at]!);
      const [normalA, normalB] = [normalize(fromCentre(a)), normalize(fromCentre(b))];
      fc.pre(normalA !== undefined && normalB !== undefined);
      const expected = normalA.reduce((sum, value, at) => sum + value * normalB[at]!, 0);
      assert.ok(Math.abs(cosine(a, b, centre) - expected) < 1e-4);
      assert.equal(cosine(centre, b, centre), 0);
    }),
  );
  assert.equal(cosine(Float32Array.of(0.6, 0.8), Float32Array.of(1, 0)).toFixed(6), '0.600000');
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
});
