import { afterIo } from '../base/clock.ts';

/**
 * Returns a function that calls functions at once, but at most `max` in a turn of the event loop: the others follow in the next turns, in
 * the order in which they were given.
 */
export function limitPerTurn(max: number): (run: () => void) => void {
  const waiting: Array<() => void> = [];
  let ran = 0;

  function runNow(run: () => void): void {
    if (ran === 0) afterIo(beginTurn);
    ran += 1;
    run();
  }

  function beginTurn(): void {
    ran = 0;
    for (const run of waiting.splice(0, max)) runNow(run);
  }

  return (run) => {
    if (waiting.length > 0 || ran >= max) waiting.push(run);
    else runNow(run);
  };
}
