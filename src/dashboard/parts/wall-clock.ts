/** Wall-clock times of fields (`2026-03-02T09:00`) in a time zone, and the instants that they mean. */

const formatOf = (timeZone: string): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });

/** An instant to the second, as the interface writes it. */
export const isoOf = (ms: number): string => `${formatOf('UTC').format(ms).replace(' ', 'T')}Z`;

/** An instant as a field of type datetime-local shows it. */
export function wallClockOf(iso: string, timeZone: string): string {
  const ms = Date.parse(iso);
  return Number.isNaN(ms) ? '' : formatOf(timeZone).format(ms).replace(' ', 'T').slice(0, 16);
}

/** The instant of a wall-clock time; undefined if the text is none. A time that a change of clocks skips counts as the one after it. */
export function instantOf(wallClock: string, timeZone: string): string | undefined {
  const wanted = Date.parse(`${wallClock}Z`);
  if (Number.isNaN(wanted)) return undefined;
  const format = formatOf(timeZone);
  const offsetAt = (ms: number): number => Date.parse(`${format.format(ms).replace(' ', 'T')}Z`) - ms;
  const guess = wanted - offsetAt(wanted);
  return isoOf(wanted - offsetAt(guess));
}
