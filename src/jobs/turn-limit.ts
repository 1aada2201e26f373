import { afterIo } from '../base/clock.ts';

/** Spreads functions over the turns of the event loop. */
export type TurnLimit = {
  /** Calls the function at once if this turn has room, else in one of the next turns, in the order in which they were given. */
  run(call: () => void): void;
  /** Whether `run` would call at once. */
  hasRoom(): boolean;
};

/** @param max how many functions are called in a turn of the event loop */
export function limitPerTurn(max: number): TurnLimit {
  const waiting: Array<() => void> = [];
  let called = 0;

  const hasRoom = (): boolean => waiting.length === 0 && called < max;

  function callNow(call: () => void): void {
    if (called === 0) afterIo(beginTurn);
    called += 1;
    call();
  }

  function beginTurn(): void {
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
