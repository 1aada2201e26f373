/** Wall-clock times of fields (`2026-03-02T09:00`) in a time zone, and the instants that they mean. */

const formats = new Map<string, Intl.DateTimeFormat>();

/** Formats are kept: making one costs far more than using it. */
function formatOf(timeZone: string): Intl.DateTimeFormat {
  const format =
    formats.get(timeZone) ?? new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  formats.set(timeZone, format);
  return format;
}

/** An instant to the second, as the interface writes it. */
export const isoOf = (ms: number): string => `${formatOf('UTC').format(ms).replace(' ', 'T')}Z`;

/** An instant as a field of type datetime-local shows it. */
export function wallClockOf(iso: string, timeZone: string): string {
  const ms = Date.parse(iso);
  return Number.isNaN(ms) ? '' : formatOf(timeZone).format(ms).replace(' ', 'T').slice(0, 16);
}

/** How far a zone's clocks are ahead of UTC at an instant, in milliseconds. */
export const offsetAt = (ms: number, timeZone: string): number => {
  const seconds = Math.floor(ms / 1000) * 1000;
  return Date.parse(`${formatOf(timeZone).format(seconds).replace(' ', 'T')}Z`) - seconds;
};

/** Whether the browser knows a time zone; a person may be typing its name. */
export function isZone(timeZone: string): boolean {
  try {
    formatOf(timeZone);
    return true;
  } catch {
    return false;
  }
}

/** The instant of a wall-clock time; undefined if the text is none. A time that a change of clocks skips counts as the one after it. */
export function instantOf(wallClock: string, timeZone: string): string | undefined {
  const wanted = Date.parse(`${wallClock}Z`);
  if (Number.isNaN(wanted)) return undefined;
  const guess = wanted - offsetAt(wanted, timeZone);
  return isoOf(wanted - offsetAt(guess, timeZone));
}

type HourOfWeek = { day: number; hour: number };

export const hourMs = 3_600_000;
export const dayMs = 24 * hourMs;

/** The weekday (1 = Monday) and hour of a wall-clock time that is given in milliseconds as if it were UTC. 1970 began on a Thursday. */
export const hourOfWeekOf = (localMs: number): HourOfWeek => ({
  day: ((Math.floor(localMs / dayMs) + 3) % 7) + 1,
  hour: (localMs % dayMs) / hourMs,
});

/** The weekday and hour of an instant in a zone. */
export const hourOfWeek = (timeZone: string, ms: number): HourOfWeek => hourOfWeekOf(ms + offsetAt(ms, timeZone));
