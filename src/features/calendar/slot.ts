import { isoOf } from '../../base/clock.ts';
import type { Fault } from '../../base/errors.ts';

/** A time at which an event type can be booked. Instants are Unix milliseconds. */
export type Slot = { startAt: number; endAt: number };

/** Between which instants slots are looked for, as the provider reads them, and the zone that they are for. */
export type SlotRange = { start: string; end: string; timeZone: string };

const datePattern = /^\d{4}-\d\d-\d\d$/;
const utcPattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?Z$/;

/** An instant as the provider takes it: in UTC. What is so already stays as it was written. */
export const utcText = (instant: string): string =>
  utcPattern.test(instant) ? instant : Temporal.Instant.from(instant).toString();

type RangeQuery = { start: string; end: string; timezone?: string };

/** What is wrong with the bounds of a search: each an instant with its offset, or a date, which is that whole day in the zone. */
export function rangeFaults(query: RangeQuery): Fault[] {
  const { start, end } = boundsOf(query);
  const unread = [...(start === undefined ? ['start'] : []), ...(end === undefined ? ['end'] : [])];
  if (start === undefined || end === undefined) return unread.map(unreadable);
  return instantOf(end) < instantOf(start) ? [{ path: 'end', message: 'must not be before start' }] : [];
}

/** The bounds of a search that has no faults. */
export function slotRange(query: RangeQuery): SlotRange {
  const { start, end, timeZone } = boundsOf(query);
  return { start: start!, end: end!, timeZone };
}

function boundsOf(query: RangeQuery) {
  const timeZone = query.timezone ?? 'UTC';
  return { timeZone, start: boundOf(query.start, 'start', timeZone), end: boundOf(query.end, 'end', timeZone) };
}

const unreadable = (path: string): Fault => ({
  path,
  message: 'must be a date, like 2026-03-02, or a date and time with an offset, like 2026-03-02T09:00:00Z',
});

const instantOf = (text: string): number => Temporal.Instant.from(text).epochMilliseconds;

/** The provider counts days in UTC, and a caller in its own zone; so a date becomes the first or last second of the day there. */
function boundOf(text: string, edge: 'start' | 'end', timeZone: string): string | undefined {
  try {
    if (!datePattern.test(text)) return utcText(text);
    const date = Temporal.PlainDate.from(text);
    if (edge === 'start') return date.toZonedDateTime(timeZone).toInstant().toString();
    return date.add({ days: 1 }).toZonedDateTime(timeZone).toInstant().subtract({ seconds: 1 }).toString();
  } catch {
    return undefined; // neither a date nor an instant: that is the answer
  }
}

type ProviderSlots = Record<string, ReadonlyArray<{ start: string; end?: string }>>;

/** The provider's slots, grouped by day there, as one list in order of time. */
export function slotsOf(days: ProviderSlots, lengthInMinutes: number): Slot[] {
  return Object.values(days)
    .flat()
    .map(({ start, end }) => {
      const startAt = instantOf(start);
      return { startAt, endAt: end === undefined ? startAt + lengthInMinutes * 60_000 : instantOf(end) };
    })
    .toSorted((a, b) => a.startAt - b.startAt);
}

/** Wall-clock time in a zone, with its offset. */
export const localText = (atMs: number, timeZone: string): string =>
  Temporal.Instant.from(isoOf(atMs)).toZonedDateTimeISO(timeZone).toString({ timeZoneName: 'never' });
