import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type DiffLine, diffLines } from '../../../src/features/agents/editions/line-diff.ts';

const textOf = (lines: readonly DiffLine[], without: '+' | '-'): string =>
  lines
    .filter(({ op }) => op !== without)
    .map(({ text }) => text)
    .join('\n');

/** Length of the longest common subsequence, by the textbook table. */
function commonLines(a: readonly string[], b: readonly string[]): number {
  const table = Array.from({ length: a.length + 1 }, () => Array.from({ length: b.length + 1 }, () => 0));
  for (let i = 1; i <= a.length; i += 1)
    for (let j = 1; j <= b.length; j += 1)
      table[i]![j] = a[i - 1] === b[j - 1] ? table[i - 1]![j - 1]! + 1 : Math.max(table[i - 1]![j]!, table[i]![j - 1]!);
  return table[a.length]![b.length]!;
}

test('a diff has all lines of both texts, and as many common ones as possible', () => {
  const lines = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(lines, lines, (a, b) => {
      const diff = diffLines(a.join('\n'), b.join('\n'))!;
      assert.equal(textOf(diff, '+'), a.join('\n'));
      assert.equal(textOf(diff, '-'), b.join('\n'));
      assert.equal(diff.filter(({ op }) => op === '=').length, commonLines(a, b));
    }),
    { numRuns: 2000 },
  );
});

test('empty texts have no lines, and long texts are not compared', () => {
  assert.deepEqual(diffLines('', ''), []);
  assert.deepEqual(diffLines('', 'a'), [{ op: '+', text: 'a' }]);
  assert.equal(diffLines('a', '\n'.repeat(5000)), null);
  const [a, b] = [Array.from({ length: 3000 }, (_, n) => `a${n}`), Array.from({ length: 3000 }, (_, n) => `b${n}`)];
  const diff = diffLines(a.join('\n'), b.join('\n'))!;
  assert.equal(diff.length, 6000);
});
