import { isoOf } from '../../base/clock.ts';
import type { Fault } from '../../base/errors.ts';

/** A free time of an event type, in Unix milliseconds. */
export type Slot = { startAt: number; endAt: number };

/** The range of a slot search, as ISO 8601 instants in UTC, and the time zone for the results. */
export type SlotRange = { start: string; end: string; timeZone: string };

const datePattern = /^\d{4}-\d\d-\d\d$/;
const utcPattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?Z$/;

/** An instant in UTC, as the provider requires it. Text that is in UTC already stays unchanged. */
export const utcText = (instant: string): string =>
  utcPattern.test(instant) ? instant : Temporal.Instant.from(instant).toString();

type RangeQuery = { start: string; end: string; timezone?: string };

/** Faults of a search range. Each bound is an instant with an offset, or a date, which means the whole day in the time zone. */
export function rangeFaults(query: RangeQuery): Fault[] {
  const { start, end } = boundsOf(query);
  const invalidPaths = [...(start === undefined ? ['start'] : []), ...(end === undefined ? ['end'] : [])];
  if (start === undefined || end === undefined) return invalidPaths.map(invalidBound);
  return instantOf(end) < instantOf(start) ? [{ path: 'end', message: 'must not be before start' }] : [];
}

/** The range of a query without faults. */
export function slotRange(query: RangeQuery): SlotRange {
  const { start, end, timeZone } = boundsOf(query);
  return { start: start!, end: end!, timeZone };
}

function boundsOf(query: RangeQuery) {
  const timeZone = query.timezone ?? 'UTC';
  return { timeZone, start: boundOf(query.start, 'start', timeZone), end: boundOf(query.end, 'end', timeZone) };
}

const invalidBound = (path: string): Fault => ({
  path,
  message: 'must be a date, like 2026-03-02, or a date and time with an offset, like 2026-03-02T09:00:00Z',
});

const instantOf = (text: string): number => Temporal.Instant.from(text).epochMilliseconds;

/** A date becomes the first or last second of that day in the caller's time zone, because the provider would read it as a day in UTC. */
function boundOf(text: string, edge: 'start' | 'end', timeZone: string): string | undefined {
  try {
    if (!datePattern.test(text)) return utcText(text);
    const date = Temporal.PlainDate.from(text);
    if (edge === 'start') return date.toZonedDateTime(timeZone).toInstant().toString();
    return date.add({ days: 1 }).toZonedDateTime(timeZone).toInstant().subtract({ seconds: 1 }).toString();
  } catch {
    return undefined; // neither a date nor an instant
  }
}

type ProviderSlots = Record<string, ReadonlyArray<{ start: string; end?: string }>>;

/** The provider's slots, which it groups by day, as one list in order of time. */
export function slotsOf(days: ProviderSlots, lengthInMinutes: number): Slot[] {
  return Object.values(days)
    .flat()
    .map(({ start, end }) => {
      const startAt = instantOf(start);
      return { startAt, endAt: end === undefined ? startAt + lengthInMinutes * 60_000 : instantOf(end) };
    })
    .toSorted((a, b) => a.startAt - b.startAt);
}

/** Wall-clock time in a time zone, with its offset. */
export const localText = (atMs: number, timeZone: string): string =>
  Temporal.Instant.from(isoOf(atMs)).toZonedDateTimeISO(timeZone).toString({ timeZoneName: 'never' });
