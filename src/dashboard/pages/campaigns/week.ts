import { isoOf, offsetAt } from '../../parts/wall-clock.ts';

/** The calling window as a week, for drawing. */

export type Window = {
  windowStart: string | null;
  windowEnd: string | null;
  windowDays: readonly number[];
};

/** Hours from midnight of the day (1 = Monday) on which it opens; past midnight `to` is more than 24. */
export type Bar = { day: number; from: number; to: number };

function hoursOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours + minutes / 60;
}

/** One bar for each day. Without hours the window is open all day; with one bound, midnight is the other. */
export function barsOf({ windowStart, windowEnd, windowDays }: Window): Bar[] {
  const from = windowStart === null ? 0 : hoursOf(windowStart);
  const end = windowEnd === null ? 24 : hoursOf(windowEnd);
  if (Number.isNaN(from) || Number.isNaN(end) || (windowStart !== null && from === end)) return [];
  const to = end <= from ? end + 24 : end;
  return windowDays.toSorted((a, b) => a - b).map((day) => ({ day, from, to }));
}

/** The hours of the day in which the window is open at least for a part. */
export function hoursOfDay(window: Window): number[] {
  const [bar] = barsOf(window);
  if (!bar) return [];
  const first = Math.floor(bar.from);
  return Array.from({ length: Math.min(24, Math.ceil(bar.to) - first) }, (_, index) => (first + index) % 24);
}

export type ClockChange = { at: string; day: number; hour: number; forward: boolean };

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** When the clocks of a zone change, from an instant on; `day` and `hour` are those of the wall clock just before. */
export function clockChanges(timeZone: string, fromMs: number, days: number): ClockChange[] {
  const changes: ClockChange[] = [];
  for (let day = 0; day < days; day++) {
    let low = fromMs + day * dayMs;
    let high = low + dayMs;
    const [before, after] = [offsetAt(low, timeZone), offsetAt(high, timeZone)];
    if (before === after) continue;
    // Clocks change at whole minutes.
    while (high - low > 60_000) {
      const middle = Math.floor((low + high) / 2);
      if (offsetAt(middle, timeZone) === before) low = middle;
      else high = middle;
    }
    const at = Math.floor(high / 60_000) * 60_000;
    changes.push({ at: isoOf(at), ...placeOf(at + before), forward: after > before });
  }
  return changes;
}

export type Place = { day: number; hour: number };

/** The weekday and hour of a wall-clock time that is given in milliseconds as if it were UTC. 1970 began on a Thursday. */
const placeOf = (localMs: number): Place => ({
  day: ((Math.floor(localMs / dayMs) + 3) % 7) + 1,
  hour: (localMs % dayMs) / hourMs,
});

/** Where an instant is in the week of a zone. */
export const placeInWeek = (timeZone: string, ms: number): Place => placeOf(ms + offsetAt(ms, timeZone));
