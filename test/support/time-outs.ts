import type { TestContext } from 'node:test';

/** A length that nothing else waits for, and that no test does. */
export const endlessMs = 61_234;

/**
 * Time-outs that run out when the test says so. Configure a time-out as `endlessMs`: those that are running are ended by `runOut`, as
 * the machine's clock would end them. So a test waits for what must have happened before, and not for milliseconds.
 */
export function timeOuts(t: TestContext): { runOut(): void } {
  const running: Array<() => void> = [];
  const real = globalThis.setTimeout;
  const watched = (callback: () => void, ms?: number): NodeJS.Timeout => {
    if (ms === endlessMs) running.push(callback);
    return real(callback, ms);
  };
  t.mock.method(globalThis, 'setTimeout', watched as typeof setTimeout);
  return {
    runOut() {
      for (const ring of running.splice(0)) ring();
    },
  };
}
