import type { Fault } from '../../../base/errors.ts';
import { offsetSpanAt } from '../../../base/zones.ts';
import { type Campaign, defaultSchedule, type Schedule } from '../campaign.ts';
import { type CallingWindow, isOpen } from './window.ts';

export type ScheduleChanges = { [K in keyof Schedule]?: Schedule[K] | null };

/** Merges field by field; null sets a field back to its default. */
export function mergeSchedule(schedule: Schedule, changes: ScheduleChanges): Schedule {
  const entries = Object.entries(changes).map(([field, value]) => [
    field,
    value ?? defaultSchedule[field as keyof Schedule],
  ]);
  return { ...schedule, ...(Object.fromEntries(entries) as Partial<Schedule>) };
}

/** The instant of a date-time in Unix milliseconds. Without an offset, the date-time is local to the time zone. */
export function instantOf(dateTime: string, timezone: string): number {
  if (/([Zz]|[+-]\d\d:?\d\d)$/.test(dateTime)) return Temporal.Instant.from(dateTime).epochMilliseconds;
  return Temporal.PlainDateTime.from(dateTime).toZonedDateTime(timezone).epochMilliseconds;
}

export const startOf = ({ start, timezone }: Schedule): number | null =>
  start === null ? null : instantOf(start, timezone);
export const endOf = ({ end, timezone }: Schedule): number | null => (end === null ? null : instantOf(end, timezone));

const firstInstant = Temporal.Instant.from('0000-01-01T00:00:00Z').epochMilliseconds;
const lastInstant = Temporal.Instant.from('9999-12-31T23:59:59.999Z').epochMilliseconds;

/** Answers show instants in UTC with a four-digit year; a local time near the first or last of these years may fall outside them. */
const isFourDigitYear = (instant: number): boolean => instant >= firstInstant && instant <= lastInstant;

/** Faults that the request's schema cannot find. A fault that involves two fields is reported for both. */
export function scheduleFaults(schedule: Schedule): Fault[] {
  const faults: Fault[] = [];
  const pair = (first: keyof Schedule, second: keyof Schedule, message: string): void => {
    faults.push({ path: `schedule.${first}`, message }, { path: `schedule.${second}`, message });
  };
  const { windowStart, windowEnd } = schedule;
  if ((windowStart === null) !== (windowEnd === null)) {
    pair('windowStart', 'windowEnd', 'windowStart and windowEnd go together: give both or neither');
  } else if (windowStart !== null && windowStart === windowEnd) {
    pair('windowStart', 'windowEnd', 'windowStart and windowEnd must differ');
  }
  const start = startOf(schedule);
  const end = endOf(schedule);
  for (const [field, instant] of Object.entries({ start, end })) {
    if (instant !== null && !isFourDigitYear(instant)) {
      faults.push({ path: `schedule.${field}`, message: 'must be in the years 0000 to 9999 in UTC' });
    }
  }
  if (start !== null && end !== null && end <= start) pair('start', 'end', 'end must be after start');
  return faults;
}

/**
 * The time zones (`''` is the campaign's) whose window is open. That depends on their present UTC offset alone, and the hundreds of zones
 * have at most some 40 offsets.
 */
export function openZones(campaign: Pick<Campaign, 'schedule'>, zones: readonly string[], now: number): string[] {
  const byOffset = Map.groupBy(zones, (zone) => offsetSpanAt(windowOf(campaign, zone).timezone, now).offsetMs);
  return [...byOffset.values()].filter(([zone]) => isOpen(windowOf(campaign, zone!), now)).flat();
}

/** The calling window of a contact: the campaign's hours, in the contact's time zone or, for `''`, in the campaign's. */
export const windowOf = ({ schedule }: Pick<Campaign, 'schedule'>, zone: string): CallingWindow => ({
  timezone: zone === '' ? schedule.timezone : zone,
  windowStart: schedule.windowStart,
  windowEnd: schedule.windowEnd,
  windowDays: schedule.windowDays,
});
