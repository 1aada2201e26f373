import { dayMs } from '../../../base/clock.ts';
import { offsetSpanAt } from '../../../base/zones.ts';
import type { Queryable } from '../../../db/transaction.ts';
import * as store from './activity-store.ts';

/** `weekday` 1 is Monday. */
export type HourCounts = { weekday: number; hour: number; calls: number; answered: number };

const hourMs = 3_600_000;

/** An hour with calls takes up to a quarter of a millisecond, and other organizations wait for this read. */
const maxHoursPerRead = 400;

/** Each hour walks the calls that are not filed. Of 500, a read may count 400 hours, and of 5000 only 40. */
const maxWalkedPerRead = 200_000;

/** `counts` has each hour of the week that has calls. `next` is where the next read begins; null if this was the last. */
export type CountedHours = { counts: HourCounts[]; next: number | null };

/**
 * Counts the calls that started at `from` (Unix milliseconds) or later, those that have not ended in the last read. Jumps from each hour
 * with calls to the next one, so hours without calls cost nothing.
 */
export async function hoursFrom(
  db: Queryable,
  { campaignId, timezone, from }: { campaignId: string; timezone: string; from: number },
  { maxHours = maxHoursPerRead, maxWalked = maxWalkedPerRead } = {},
): Promise<CountedHours> {
  const counts = new Map<number, HourCounts>();
  const add = (at: number, calls: number, answered: number): void => {
    const index = hourOfWeek(at, timezone);
    const before = counts.get(index) ?? emptyHour(index);
    counts.set(index, { ...before, calls: before.calls + calls, answered: before.answered + answered });
  };
  const notFiled = await store.countNotFiled(db, campaignId);
  const hoursOfRead = Math.max(1, Math.min(maxHours, Math.floor(maxWalked / (notFiled + 1))));
  let at = await store.firstStartFrom(db, campaignId, from);
  for (let hours = 0; at !== null && hours < hoursOfRead; hours += 1) {
    const end = endOfHour(at, timezone);
    const { calls, answered } = await store.callsStartedIn(db, { campaignId, from: at, to: end });
    add(at, calls, answered);
    at = await store.firstStartFrom(db, campaignId, end);
  }
  if (at === null) {
    for (const { startedAt, answeredAt } of await store.liveCalls(db, campaignId))
      add(startedAt, 1, answeredAt === null ? 0 : 1);
  }
  return { counts: [...counts.values()], next: at };
}

/** `index` is the number of the hour in the week, from 0. */
const emptyHour = (index: number): HourCounts => ({
  weekday: Math.floor(index / 24) + 1,
  hour: index % 24,
  calls: 0,
  answered: 0,
});

/** All 168 hours of a week, with the sums of several reads. */
export function weekOf(parts: readonly CountedHours[]): HourCounts[] {
  const week = Array.from({ length: 7 * 24 }, (_, index) => emptyHour(index));
  for (const { weekday, hour, calls, answered } of parts.flatMap(({ counts }) => counts)) {
    const cell = week[(weekday - 1) * 24 + hour]!;
    cell.calls += calls;
    cell.answered += answered;
  }
  return week;
}

/** 0 is the hour from Monday midnight on. 1970-01-01, day 0, was a Thursday. */
function hourOfWeek(at: number, timezone: string): number {
  const localMs = at + offsetSpanAt(timezone, at).offsetMs;
  const weekday = (((Math.floor(localMs / dayMs) + 3) % 7) + 7) % 7;
  return weekday * 24 + Math.floor((((localMs % dayMs) + dayMs) % dayMs) / hourMs);
}

/** When the hour of the wall clock that contains an instant ends, or the clock changes. */
function endOfHour(at: number, timezone: string): number {
  const { offsetMs, untilMs } = offsetSpanAt(timezone, at);
  const localMs = at + offsetMs;
  return Math.min((Math.floor(localMs / hourMs) + 1) * hourMs - offsetMs, untilMs);
}
