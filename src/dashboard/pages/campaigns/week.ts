import { dayMs, hourMs, hourOfWeekOf, isoOf, offsetAt } from '../../parts/wall-clock.ts';

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

/** When the opening that is under way began, by the window's own clock; undefined while it is closed. Whole days begin at midnight. */
export function openSince(window: Window & { timezone: string }, nowMs: number): number | undefined {
  const offsetMs = offsetAt(nowMs, window.timezone);
  const today = Math.floor((nowMs + offsetMs) / dayMs) * dayMs;
  const starts = barsOf(window).flatMap(({ day, from, to }) =>
    [today, today - dayMs].flatMap((midnight) => {
      const [start, end] = [midnight + from * hourMs - offsetMs, midnight + to * hourMs - offsetMs];
      return hourOfWeekOf(midnight).day === day && start <= nowMs && nowMs < end ? [start] : [];
    }),
  );
  return starts.length === 0 ? undefined : Math.max(...starts);
}

/** The hours of the day in which the window is open at least for a part. */
export function hoursOfDay(window: Window): number[] {
  const [bar] = barsOf(window);
  if (!bar) return [];
  const first = Math.floor(bar.from);
  return Array.from({ length: Math.min(24, Math.ceil(bar.to) - first) }, (_, index) => (first + index) % 24);
}

/** A time zone of contacts, on the clock of the campaign: the hours of the day at which it is called there, each from 0 to 24. */
export type ZoneHours = {
  timezone: string;
  pending: number;
  from: number;
  to: number;
  parts: ReadonlyArray<[number, number]>;
};

/** The window of each zone as of an instant; a change of clocks in either zone moves it. Without hours nothing is to be shown. */
export function zoneHours(
  zones: ReadonlyArray<{ timezone: string; pending: number }>,
  { timezone, ...window }: Window & { timezone: string },
  atMs: number,
): ZoneHours[] {
  const [bar] = barsOf(window);
  if (!bar || bar.to - bar.from >= 24) return [];
  return zones.map((zone) => {
    const ahead = (offsetAt(atMs, zone.timezone) - offsetAt(atMs, timezone)) / hourMs;
    const from = (((bar.from - ahead) % 24) + 24) % 24;
    const end = from + bar.to - bar.from;
    const to = end > 24 ? end - 24 : end;
    return {
      ...zone,
      from,
      to,
      parts:
        end > 24
          ? [
              [from, 24],
              [0, to],
            ]
          : [[from, to]],
    };
  });
}

/** Hours as a time of day: 15.5 is `15:30`, 24 is `24:00`. */
export const clockTime = (hours: number): string =>
  [Math.floor(hours), Math.round((hours % 1) * 60)].map((part) => String(part).padStart(2, '0')).join(':');

export type ClockChange = { at: string; day: number; hour: number; forward: boolean };

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
    changes.push({ at: isoOf(at), ...hourOfWeekOf(at + before), forward: after > before });
  }
  return changes;
}
