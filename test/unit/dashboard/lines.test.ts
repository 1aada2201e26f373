import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { linesOf } from '../../../src/dashboard/pages/agents/lines.ts';

test('two texts differ by the lines between their common beginning and end', () => {
  assert.deepEqual(linesOf('Greet.\nAsk.\nThank.', 'Greet.\nAsk twice.\nThank.'), [
    { op: '=', text: 'Greet.' },
    { op: '-', text: 'Ask.' },
    { op: '+', text: 'Ask twice.' },
    { op: '=', text: 'Thank.' },
  ]);
});

test('the lines give both texts back', () => {
  const lines = fc.array(fc.constantFrom('', 'a', 'b'), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(lines, lines, (before, after) => {
      const all = linesOf(before.join('\n'), after.join('\n'));
      const side = (op: '-' | '+'): string[] => all.filter((one) => one.op !== op).map(({ text }) => text);
      assert.deepEqual([side('+'), side('-')], [before, after]);
    }),
  );
});
