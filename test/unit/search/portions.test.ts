import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { stem } from '../../../src/search/analysis/stem.ts';
import { splitTerms } from '../../../src/search/index/passage.ts';
import { passagesIn, portionsOf } from '../../../src/search/index/portions.ts';

test('portions keep the order of passages, and each passage lists the words for the vocabulary that no earlier one has', () => {
  fc.assert(
    fc.property(fc.array(fc.array(fc.constantFrom('apple', 'pear', 'plum', '林檎'), { maxLength: 400 })), (texts) => {
      const chunks = texts.map((words, index) => ({ text: words.join(' '), heading: `Part ${index}`, page: index }));
      const passages = [...portionsOf(chunks)].flatMap(passagesIn);
      assert.deepEqual(
        passages.map(({ text, heading, page }) => ({ text, heading, page })),
        chunks,
      );
      const newWords = passages.flatMap((passage) => splitTerms(passage.newWords));
      const spelled = texts.flat().filter((word) => word !== '林檎');
      const expected = new Set([...spelled, ...(texts.length > 0 ? ['part'] : [])].map(stem));
      assert.deepEqual(new Set(newWords), expected);
      assert.equal(new Set(newWords).size, newWords.length);
    }),
  );
});

test('a portion holds several passages, or a single one with many new words', () => {
  const words = (count: number, from = 0): string =>
    Array.from({ length: count }, (_, index) =>
      Array.from(String(10_000 + from + index), (digit) => 'bcdfghjklm'[Number(digit)]).join(''),
    ).join(' ');
  const sizes = (texts: readonly string[]): number[] =>
    [...portionsOf(texts.map((text) => ({ text, heading: null, page: null })))].map(
      (portion) => passagesIn(portion).length,
    );
  assert.deepEqual(sizes(Array.from({ length: 3 }, (_, index) => words(300, index * 300))), [1, 1, 1]);
  assert.deepEqual(sizes(Array.from({ length: 31 }, () => words(50))), [6, 10, 10, 5]);
  assert.deepEqual(sizes([]), []);
});
