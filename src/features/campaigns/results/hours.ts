import { dayMs, hourMs } from '../../../base/clock.ts';
import { offsetSpanAt } from '../../../base/zones.ts';
import type { Queryable } from '../../../db/transaction.ts';
import * as store from './activity-store.ts';

/** `weekday` 1 is Monday. */
export type HourCounts = { weekday: number; hour: number; calls: number; answered: number };

/** Counts the calls of a campaign by the hour of the week in which they started. Every zone begins its hours with a UTC quarter of an hour. */
export async function countHours(
  db: Queryable,
  { campaignId, timezone }: { campaignId: string; timezone: string },
): Promise<HourCounts[]> {
  const week = Array.from({ length: 7 * 24 }, (_, index) => emptyHour(index));
  const add = (at: number, calls: number, answered: number): void => {
    const cell = week[hourOfWeek(at, timezone)]!;
    cell.calls += calls;
    cell.answered += answered;
  };
  for (const { quarter, calls, answered } of await store.callsByQuarter(db, campaignId)) add(quarter, calls, answered);
  for (const { startedAt, answeredAt } of await store.liveCalls(db, campaignId))
    add(startedAt, 1, answeredAt === null ? 0 : 1);
  return week;
}

/** `index` is the number of the hour in the week, from 0. */
const emptyHour = (index: number): HourCounts => ({
  weekday: Math.floor(index / 24) + 1,
  hour: index % 24,
  calls: 0,
  answered: 0,
});

/** 0 is the hour from Monday midnight on. 1970-01-01, day 0, was a Thursday. */
function hourOfWeek(at: number, timezone: string): number {
  const localMs = at + offsetSpanAt(timezone, at).offsetMs;
  const weekday = (((Math.floor(localMs / dayMs) + 3) % 7) + 7) % 7;
  return weekday * 24 + Math.floor((((localMs % dayMs) + dayMs) % dayMs) / hourMs);
}
