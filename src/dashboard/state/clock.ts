import { signal } from '@preact/signals';
import { common } from '../text/en.ts';

/**
 * The server's clock, from the last answer that had it. The browser's own clock is not asked: it may be wrong, and under a test clock the
 * server's time stands still.
 */
type Known = { iso: string; atMs: number; heardMs: number };
let known: Known | undefined;
let standsStill = false;

/** Changes about once a second while the time passes, so that relative times are shown anew. */
export const tick = signal(0);

export function hearTime(iso: string): void {
  known = { iso, atMs: Date.parse(iso), heardMs: performance.now() };
  tick.value++;
}

export const setTestClock = (isTest: boolean): void => void (standsStill = isTest);

/** The present instant of the server in milliseconds; undefined before it said its time. */
export function serverNow(): number | undefined {
  if (!known) return undefined;
  return known.atMs + (standsStill ? 0 : performance.now() - known.heardMs);
}

/**
 * The present instant, for a request that cannot be made without it.
 * @throws Error before the server said its time
 */
export function knownNow(): number {
  const now = serverNow();
  if (now === undefined) throw new Error(common.unreachable);
  return now;
}

/** The last time that the server said. */
export const lastHeard = (): string | undefined => known?.iso;

setInterval(() => {
  if (!standsStill && !document.hidden) tick.value++;
}, 1000);
