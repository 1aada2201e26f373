import { type CallingWindow, closesAt, isOpen, nextOpening } from './window.ts';

/** Several windows at once: a campaign's own, and the guard hours around it. Open where all are open. */

/** Hours that share no minute never open together; each round below passes at least one opening of a day. */
const maxRounds = 64;

/** The first instant, at or after `fromMs`, at which all windows are open; null if that is never so, or only after weeks. */
export function nextAllowed(windows: readonly CallingWindow[], fromMs: number): number | null {
  let atMs = fromMs;
  for (let round = 0; round < maxRounds; round++) {
    const closed = windows.filter((window) => !isOpen(window, atMs));
    if (closed.length === 0) return atMs;
    const opens = closed.map((window) => nextOpening(window, atMs));
    if (opens.includes(null)) return null;
    atMs = Math.max(...opens.map(Number));
  }
  return null;
}

/** A period in which the windows are open, half-open like them. */
type Opening = { opensAt: number; closesAt: number };

/** The openings within `[fromMs, toMs)` in which all windows are open, in order. */
export function commonOpenings(windows: readonly CallingWindow[], fromMs: number, toMs: number): Opening[] {
  const found: Opening[] = [];
  let opensMs = nextAllowed(windows, fromMs);
  while (opensMs !== null && opensMs < toMs) {
    const at = opensMs;
    const closesMs = Math.min(toMs, ...windows.map((window) => closesAt(window, at) ?? toMs));
    found.push({ opensAt: at, closesAt: closesMs });
    opensMs = nextAllowed(windows, closesMs);
  }
  return found;
}
