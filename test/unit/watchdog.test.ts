import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { test } from 'node:test';
import type { Log } from '../../src/base/log.ts';
import { type Work, createWatchdog } from '../../src/kernel/watchdog.ts';

/** A watchdog, and `spend`, which pretends to use processor time. */
function watched() {
  const lines: Array<Record<string, unknown>> = [];
  const log = { warn: (fields: Record<string, unknown>) => lines.push(fields) } as unknown as Log;
  let usedMs = 0;
  const watchdog = createWatchdog(log, () => usedMs);
  return {
    watchdog,
    lines,
    spend: (ms: number) => void (usedMs += ms),
    blocked: () => [...watchdog.blocked()].map(({ name, count }) => [name, count]),
  };
}

const work = (name: string): Work => ({ kind: 'operation', name, size: 7 });

test('work that blocks the main thread for more than 100 ms is named with its size, and counted', async () => {
  const { watchdog, lines, spend, blocked } = watched();
  const slow = work('slow');
  for (const part of [60, 60]) {
    watchdog.mark(slow); // the work continues in the same tick of the event loop
    spend(part);
  }
  watchdog.mark({ kind: 'job', name: 'quick', size: 1 });
  await setImmediate();
  await setImmediate();
  assert.deepEqual(blocked(), [['slow', 1]]);
  assert.deepEqual([lines[0]!['operation'], lines[0]!['size']], ['slow', 7]);
  assert.equal(lines[0]!['cpuMs'], 120);
});

test('work that lets the event loop handle I/O in between is not reported, however long it takes in total, nor is unmarked time', async () => {
  const { watchdog, spend, blocked } = watched();
  const polite = work('polite');
  for (let step = 0; step < 4; step += 1) {
    watchdog.mark(polite);
    spend(40);
    await setImmediate();
    await setImmediate();
  }
  spend(120);
  watchdog.mark(polite);
  await setImmediate();
  assert.deepEqual(blocked(), []);
});
