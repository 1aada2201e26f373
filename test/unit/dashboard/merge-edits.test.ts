import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { changedFields, mergeEdits } from '../../../src/dashboard/state/merge-edits.ts';

const names = ['prompt', 'name', 'days'] as const;
const value = fc.oneof(fc.constantFrom('', 'a', 'b'), fc.boolean(), fc.subarray(['1', '2', '3']));
const values = fc.record({ prompt: value, name: value, days: value });
const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

test('of two people who change the same values, neither loses a field without being asked', () => {
  fc.assert(
    fc.property(values, values, values, (saved, mine, theirs) => {
      const merged = mergeEdits<Record<string, string | boolean | readonly string[]>>(saved, mine, theirs);
      const asked = new Set(merged.clashes.map(({ name }) => name));
      for (const name of names) {
        const [isMine, isTheirs] = [!same(mine[name], saved[name]), !same(theirs[name], saved[name])];
        if (isMine) assert.deepEqual(merged.values[name], mine[name]);
        else assert.deepEqual(merged.values[name], theirs[name]);
        assert.equal(asked.has(name), isMine && isTheirs && !same(mine[name], theirs[name]));
        assert.equal(merged.taken.includes(name), isTheirs && !isMine);
      }
    }),
  );
});

test('only fields that were changed are sent, also of objects in the body', () => {
  const before = { name: 'A', schedule: { start: '', days: [1, 2] }, max: 1 };
  const after = { name: 'A', schedule: { start: '2026-03-02', days: [1, 2] }, max: 2 };
  assert.deepEqual(changedFields(before, after), { schedule: { start: '2026-03-02' }, max: 2 });
  assert.deepEqual(changedFields(before, before), {});
});
