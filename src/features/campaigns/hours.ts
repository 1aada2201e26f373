import { dayMs } from '../../base/clock.ts';
import { offsetSpanAt } from '../../base/zones.ts';
import type { Queryable } from '../../db/transaction.ts';
import * as store from './activity-store.ts';

/** `weekday` 1 is Monday. */
export type HourCounts = { weekday: number; hour: number; calls: number; answered: number };

const hourMs = 3_600_000;

/** Jumps from each hour with calls to the next one, so hours without calls cost nothing. */
export async function hourCounts(db: Queryable, campaignId: string, timezone: string): Promise<HourCounts[]> {
  const cells = Array.from({ length: 7 * 24 }, (_, index) => ({
    weekday: Math.floor(index / 24) + 1,
    hour: index % 24,
    calls: 0,
    answered: 0,
  }));
  const add = (at: number, calls: number, answered: number): void => {
    const cell = cells[hourOfWeek(at, timezone)]!;
    cell.calls += calls;
    cell.answered += answered;
  };
  for (let at = await store.firstStartFrom(db, campaignId, 0); at !== null;) {
    const end = endOfHour(at, timezone);
    const { calls, answered } = await store.callsStartedIn(db, { campaignId, from: at, to: end });
    add(at, calls, answered);
    at = await store.firstStartFrom(db, campaignId, end);
  }
  for (const { startedAt, answeredAt } of await store.liveCalls(db, campaignId)) {
    add(startedAt, 1, answeredAt === null ? 0 : 1);
  }
  return cells;
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
