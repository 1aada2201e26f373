import { monotonicMs, pause } from '../base/clock.ts';

/** Longest real time that a result waits for others while jobs are running: a commit costs as much for one as for a hundred. */
const maxDelayMs = 40;

/** Decides when finished results are committed: at once when `isFull`, else after `maxDelayMs`. */
export type BatchDelay = {
  /** To be called when a result was added. Calls `flush` now, or when the delay is over. */
  added(): void;
  /** To be called when all results were taken. The delay begins again. */
  restart(): void;
};

export function createBatchDelay({ isFull, flush }: { isFull: () => boolean; flush: () => void }): BatchDelay {
  let flushAt = 0;
  let isScheduled = false;
  async function flushLater(): Promise<void> {
    isScheduled = true;
    await pause(Math.max(0, flushAt - monotonicMs()));
    isScheduled = false;
    added();
  }
  function added(): void {
    if (isFull() || monotonicMs() >= flushAt) flush();
    else if (!isScheduled) void flushLater();
  }
  return { added, restart: () => void (flushAt = monotonicMs() + maxDelayMs) };
}
