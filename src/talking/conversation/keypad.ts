import { after } from '../../base/clock.ts';

const quietMs = 2000;
/** Nobody types more before a pause. */
const maxKeys = 64;

/** Collects keys until `#` or until none came for 2 s. `wait` is replaced by tests. */
export function createKeypad(typed: (keys: string) => void, wait: typeof after = after) {
  let keys = '';
  let cancel: (() => void) | undefined;

  function tell(): void {
    cancel?.();
    cancel = undefined;
    const all = keys;
    keys = '';
    if (all !== '') typed(all);
  }

  return {
    press(digit: string): void {
      cancel?.();
      keys += digit;
      if (digit === '#' || keys.length >= maxKeys) tell();
      else cancel = wait(quietMs, tell);
    },
    stop(): void {
      cancel?.();
      keys = '';
    },
  };
}
