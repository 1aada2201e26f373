import { knownNow } from '../state/clock.ts';
import { zone } from '../state/preferences.ts';
import { dayMs, instantOf, isoOf, wallClockOf } from './wall-clock.ts';

/** The day of an instant in a zone, some days later or earlier, as a wall-clock date. */
const dateOf = (ms: number, timeZone: string, days: number): string => {
  const today = wallClockOf(isoOf(ms), timeZone).slice(0, 10);
  return isoOf(Date.parse(`${today}T00:00:00Z`) + days * dayMs).slice(0, 10);
};

/** Whole days of the zone that is shown, to the end of today. */
export function spanOf(days: number): { from: string; to: string; timezone: string } {
  const timezone = zone.value;
  const now = knownNow();
  const startOf = (offset: number): string => instantOf(`${dateOf(now, timezone, offset)}T00:00`, timezone)!;
  return { from: startOf(1 - days), to: startOf(1), timezone };
}

/** The span that an address names, in days. */
export const spanIn = <S extends string>(parameters: URLSearchParams, spans: readonly S[], usual: S): S =>
  spans.find((span) => span === parameters.get('span')) ?? usual;
