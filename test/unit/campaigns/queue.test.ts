import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endOfQueue } from '../../../src/features/campaigns/why/queue.ts';

const oneASecond = (calls: number): number => calls * 1000;
const hourMs = 3_600_000;

test('those who go before are called from the instants on at which they may be called', () => {
  assert.equal(endOfQueue([], oneASecond), 0);
  assert.equal(endOfQueue([{ from: 8 * hourMs, calls: 60 }], oneASecond), 8 * hourMs + 60_000);
  const zones = [
    { from: 17 * hourMs, calls: 600 },
    { from: 8 * hourMs, calls: 1 },
  ];
  assert.equal(endOfQueue(zones, oneASecond), 17 * hourMs + 600_000, 'not from the first opening on');
  const retries = [
    { from: 11 * hourMs, calls: 30 },
    { from: 11 * hourMs + 10_000, calls: 5 },
  ];
  assert.equal(endOfQueue(retries, oneASecond), 11 * hourMs + 35_000, 'one after the other');
});
