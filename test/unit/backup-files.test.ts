import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { partialOf, scheduledName, secretsFileOf, surplusFiles } from '../../src/main/backup-files.ts';

const start = Date.UTC(2026, 0, 1);
const nameAt = (hour: number): string => scheduledName(start + hour * 3_600_000);

test('a backup by schedule has its time in UTC in its name', () => {
  assert.equal(scheduledName(Date.UTC(2026, 10, 24, 3, 0, 7, 250)), 'parley-20261124T030007Z.db');
});

test('the newest backups stay with their secrets, and files of others stay', () => {
  const others = ['parley.db', 'parley-2026.db', 'notes.txt', `x${nameAt(1)}`, `${nameAt(1)}.gz`];
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.integer({ min: 0, max: 5000 }), { minLength: 1, maxLength: 20 }),
      fc.integer({ min: 1, max: 9 }),
      (hours, keep) => {
        const names = hours.map(nameAt);
        const newest = nameAt(Math.max(...hours));
        const all = [...names.flatMap((name) => [name, secretsFileOf(name)]), ...others];
        const gone = new Set(surplusFiles(all, newest, keep));
        const kept = names.toSorted().toReversed().slice(0, keep);
        assert.deepEqual(
          all.filter((name) => !gone.has(name)).toSorted(),
          [...kept.flatMap((name) => [name, secretsFileOf(name)]), ...others].toSorted(),
        );
      },
    ),
  );
});

test('what a killed backup left goes', () => {
  const newest = nameAt(9);
  const killed = nameAt(8);
  const left = [partialOf(killed), `${partialOf(killed)}-journal`, secretsFileOf(killed)];
  assert.deepEqual(surplusFiles([newest, secretsFileOf(newest), ...left], newest, 7).toSorted(), left.toSorted());
});

test('the new backup stays when the clock was set back', () => {
  const newest = nameAt(1);
  assert.deepEqual(surplusFiles([newest, nameAt(5), nameAt(6)], newest, 2), [nameAt(5)]);
});
