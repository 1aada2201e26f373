import { afterIo, monotonicMs } from '../base/clock.ts';

/** Spreads functions over the ticks of the event loop, so that I/O is handled in between. */
export type TickLimit = {
  /** Calls the function at once if this tick has room, else in one of the next ticks, in the order in which they were given. */
  run(call: () => void): void;
  /** Whether `run` would call at once. */
  hasRoom(): boolean;
};

/** How many functions the first tick calls. */
const firstMax = 8;

/**
 * What a function costs comes mostly after its call, when what it waits for happens. So a tick that took longer than `maxMs` halves the
 * number of calls of the next ticks, and any other raises it by one.
 */
export function limitPerTick(maxMs: number, nowMs: () => number = monotonicMs): TickLimit {
  const waiting: Array<() => void> = [];
  let max = firstMax;
  let called = 0;
  let begunAt = 0;

  const hasRoom = (): boolean => waiting.length === 0 && called < max;

  function callNow(call: () => void): void {
    if (called === 0) {
      begunAt = nowMs();
      afterIo(beginTick);
    }
    called += 1;
    call();
  }

  function beginTick(): void {
    if (nowMs() - begunAt > maxMs) max = Math.ceil(max / 2);
    else if (called === max) max += 1;
    called = 0;
    // A call may make others, which count too.
    while (waiting.length > 0 && called < max) callNow(waiting.shift()!);
  }

  return {
    run(call) {
      if (hasRoom()) callNow(call);
      else waiting.push(call);
    },
    hasRoom,
  };
}
