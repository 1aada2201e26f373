import { afterIo } from '../base/clock.ts';

/** More would hold the event loop for more than some 10 ms. */
const maxPerTick = 64;

/** Starts work for an address at once, or in one of the next ticks of the event loop. */
export type StartLimit = (address: string, start: () => void) => void;

/**
 * Starts a limited number of requests in a tick of the event loop, because all connections of a client can send one at the same instant.
 * Addresses take turns, so that others do not wait for that client's.
 */
export function limitStarts(max = maxPerTick): StartLimit {
  /** What waits, by address; the address whose turn is next comes first. */
  const waiting = new Map<string, Array<() => void>>();
  let started = 0;

  function startNext(): void {
    const [address, starts] = waiting.entries().next().value!;
    waiting.delete(address);
    const start = starts.shift()!;
    if (starts.length > 0) waiting.set(address, starts);
    start();
  }

  function beginTick(): void {
    started = 0;
    while (waiting.size > 0 && started < max) {
      count();
      startNext();
    }
  }

  /** The first start of a tick schedules the next tick. */
  function count(): void {
    started += 1;
    if (started === 1) afterIo(beginTick);
  }

  return (address, start) => {
    if (waiting.size === 0 && started < max) {
      count();
      start();
      return;
    }
    const starts = waiting.get(address);
    if (starts) starts.push(start);
    else waiting.set(address, [start]);
  };
}
