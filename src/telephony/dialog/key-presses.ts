import { monotonicMs } from '../../base/clock.ts';
import { createRateBudget } from '../../base/fair/rate-budget.ts';

/** Nobody, and no machine, presses keys faster for long. */
const pace = { perSecond: 15, burst: 40 };

/** How far apart the two messages of one key press may come. */
const samePressMs = 1000;

type Way = 'sound' | 'info';
type Press = { digit: string; way: Way; atMs: number };

/**
 * Reports each key once: some phones send a key both as an event in the sound (RFC 4733) and by INFO. Returns what is to be called with
 * the keys that come in either way.
 */
export function keyPresses(
  report: (digit: string) => void,
  nowMs = monotonicMs,
): Readonly<Record<Way, (digit: string) => void>> {
  /** Presses that came in one way only so far. */
  let single: Press[] = [];

  const budget = createRateBudget(pace, nowMs);

  function press(way: Way, digit: string): void {
    if (!budget.take('').allowed) return;
    const atMs = nowMs();
    single = single.filter((other) => atMs - other.atMs < samePressMs);
    const other = single.find((candidate) => candidate.way !== way && candidate.digit === digit);
    if (other) {
      single = single.filter((candidate) => candidate !== other);
      return;
    }
    single.push({ digit, way, atMs });
    report(digit);
  }

  return { sound: (digit) => press('sound', digit), info: (digit) => press('info', digit) };
}
