import type { TestContext } from 'node:test';

/** A distinctive time-out that no other code uses and that is longer than any test. */
export const endlessMs = 61_234;

/**
 * Lets a test decide when time-outs expire. Configure a time-out as `endlessMs`; `runOut` then expires all pending ones at once. This
 * way a test waits for events and never for milliseconds.
 */
export function timeOuts(t: TestContext): { runOut(): void } {
  const pending: Array<() => void> = [];
  const realSetTimeout = globalThis.setTimeout;
  const recordingSetTimeout = (callback: () => void, ms?: number): NodeJS.Timeout => {
    if (ms === endlessMs) pending.push(callback);
    return realSetTimeout(callback, ms);
  };
  t.mock.method(globalThis, 'setTimeout', recordingSetTimeout as typeof setTimeout);
  return {
    runOut() {
      for (const expire of pending.splice(0)) expire();
    },
  };
}
