import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { afterHandOver, failsTooOften, justFailed } from '../../../src/features/numbers/carrier-pause.ts';

test('a number fails too often when its last three hand-overs failed, or ten of its last twenty', () => {
  fc.assert(
    fc.property(fc.array(fc.boolean(), { maxLength: 60 }), (failed) => {
      const recent = failed.reduce(afterHandOver, 0);
      const count = (last: number): number => failed.slice(-last).filter((each) => each).length;
      assert.equal(failsTooOften(recent), count(3) === 3 || count(20) >= 10);
      assert.equal(justFailed(recent), failed.at(-1) ?? false);
    }),
    { numRuns: 500 },
  );
});
