import { monotonicMs, isTestClock } from '../base/clock.ts';
import type { App } from './app.ts';
import { nodeState } from './node.ts';

/** Rows that one transaction of long work may change, if that takes no longer than `wantedMs`. */
export const maxBatchRows = 100;
const minBatchRows = 10;

/**
 * How long a batch should hold the main thread (ms). Changing a row with its indexes takes 10 to 40 µs when their pages are in memory, but
 * up to a millisecond when they have to be read from the disk, and nothing else in the process runs meanwhile.
 */
const wantedMs = 5;

/** The number of rows after a batch of `rows` took `tookMs`. One slow batch, such as one with a garbage collection, is soon forgotten. */
export function rowsAfter(rows: number, tookMs: number): number {
  const fitting = Math.floor(rows * Math.min(2, wantedMs / tookMs));
  return Math.max(minBatchRows, Math.min(maxBatchRows, fitting));
}

const rowsOf = nodeState('batchSizes', () => new Map<string, number>());

/**
 * Runs a batch of a kind of long work inside a transaction, with the number of rows that it may change: fewer after batches that took long.
 * Under a test clock it is always `maxBatchRows`, because runs must be repeatable.
 */
export async function runBatch<T>(app: App, kind: string, batch: (rows: number) => Promise<T>): Promise<T> {
  if (isTestClock(app.clock)) return batch(maxBatchRows);
  const rows = rowsOf(app).get(kind) ?? maxBatchRows;
  const startedAt = monotonicMs();
  try {
    return await batch(rows);
  } finally {
    rowsOf(app).set(kind, rowsAfter(rows, monotonicMs() - startedAt));
  }
}
