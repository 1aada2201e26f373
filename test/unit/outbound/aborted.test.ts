import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onceAborted } from '../../../src/base/outbound/aborted.ts';

test('who still waits is told, in whatever order the others left', () => {
  for (const order of [
    [0, 1, 2, 3],
    [3, 2, 1, 0],
    [1, 3, 0, 2],
  ]) {
    for (let leaving = 0; leaving <= order.length; leaving += 1) {
      const controller = new AbortController();
      const told: number[] = [];
      const leave = [0, 1, 2, 3].map((number) => onceAborted(controller.signal, () => told.push(number)));
      for (const number of order.slice(0, leaving)) leave[number]?.();
      controller.abort();
      assert.deepEqual(
        told.toSorted((a, b) => a - b),
        order.slice(leaving).toSorted((a, b) => a - b),
      );
    }
  }
});

test('leaving twice takes nobody else along, and one may leave while it is told', () => {
  const controller = new AbortController();
  const told: string[] = [];
  const leaveFirst = onceAborted(controller.signal, () => {
    leaveFirst();
    told.push('first');
  });
  const leaveGone = onceAborted(controller.signal, () => told.push('gone'));
  onceAborted(controller.signal, () => told.push('last'));
  leaveGone();
  leaveGone();
  controller.abort();
  assert.deepEqual(told.toSorted(), ['first', 'last']);
});
