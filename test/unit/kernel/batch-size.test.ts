import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { maxBatchRows, rowsAfter } from '../../../src/kernel/batch-size.ts';

test('batches of long work become smaller while their rows take long, and larger again', () => {
  assert.equal(rowsAfter(100, 5), 100);
  assert.equal(rowsAfter(100, 20), 25);
  assert.equal(rowsAfter(25, 1), 50);
  assert.equal(rowsAfter(50, 1), 100);
  assert.equal(rowsAfter(100, 0), 100);
  assert.equal(rowsAfter(10, 1000), 10, 'a batch never becomes so small that the work makes no progress');
});

test('after some batches of the same speed, a batch takes the wanted time, or has the smallest or largest number of rows', () => {
  fc.assert(
    fc.property(
      fc.double({ min: 0.005, max: 2, noNaN: true }),
      fc.integer({ min: 10, max: 100 }),
      (msPerRow, first) => {
        let rows = first;
        for (let batch = 0; batch < 10; batch += 1) rows = rowsAfter(rows, rows * msPerRow);
        const fitting = Math.max(10, Math.min(maxBatchRows, 5 / msPerRow));
        assert.ok(Math.abs(rows - fitting) <= 2, `${rows} instead of ${fitting} rows at ${msPerRow} ms a row`);
      },
    ),
  );
});
