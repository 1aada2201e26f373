import { type RawBuilder, sql } from 'kysely';
import { dayMs } from '../../base/clock.ts';
import { prepared } from '../../db/prepared.ts';
import { listOf, withoutIndex } from '../../db/sql.ts';
import type { Queryable } from '../../db/transaction.ts';
import type { ContactLimits } from '../organizations/contact-rules.ts';

/** Limits of the calls to one phone number (docs/calling.md, "Limits of calls to one number"). */

export const capCodes = ['capped_day', 'capped_week', 'gap'] as const;
export type CapCode = (typeof capCodes)[number];
export type Cap = { code: CapCode; reason: string; until: number };

/** A call to the number that counts. `at`: when it was handed to the carrier; `endedAt` is null while it lasts. */
export type CountedCall = { at: number; endedAt: number | null };

/** What limits count of the calls to a number: those of today and of this week, and when the last one ended (0: none was made). */
type Counted = { today: number; thisWeek: number; lastEndedAt: number };

/** The limits that forbid another call to a number now. `timezone` is the person's. */
export function capsAgainst(
  limits: ContactLimits,
  calls: readonly CountedCall[],
  timezone: string,
  now: number,
): Cap[] {
  const days = daysAround(now, timezone);
  const since = (start: number): number => calls.filter(({ at }) => at >= start).length;
  const lastEndedAt = Math.max(...calls.map(({ endedAt }) => endedAt ?? now), 0);
  return capsIn(limits, { today: since(days.day), thisWeek: since(days.week), lastEndedAt }, days, now);
}

function capsIn(
  { maxPerDay, maxPerWeek, minGapMin }: ContactLimits,
  { today, thisWeek, lastEndedAt }: Counted,
  { nextDay, nextWeek }: Days,
  now: number,
): Cap[] {
  const caps: Cap[] = [];
  const times = (count: number): string => (count === 1 ? 'once' : `${count} times`);
  if (maxPerDay !== null && today >= maxPerDay) {
    const reason = `The number was called ${times(today)} today, and may be called ${times(maxPerDay)} a day.`;
    caps.push({ code: 'capped_day', reason, until: nextDay });
  }
  if (maxPerWeek !== null && thisWeek >= maxPerWeek) {
    const reason = `The number was called ${times(thisWeek)} this week, and may be called ${times(maxPerWeek)} a week.`;
    caps.push({ code: 'capped_week', reason, until: nextWeek });
  }
  const until = minGapMin === null ? 0 : lastEndedAt + minGapMin * 60_000;
  if (minGapMin !== null && until > now) {
    const reason = `The last call to the number was less than ${minGapMin} min ago.`;
    caps.push({ code: 'gap', reason, until });
  }
  return caps;
}

type Days = { day: number; nextDay: number; week: number; nextWeek: number };

/** The present day of each time zone. Temporal takes 25 µs to tell it, and every attempt needs it twice. */
const daysByZone = new Map<string, Days>();
const maxZones = 1_000;

/** When the calendar day and the ISO week of an instant begin in a time zone, and when the next ones do. */
export function daysAround(now: number, timezone: string): Days {
  const known = daysByZone.get(timezone);
  if (known && now >= known.day && now < known.nextDay) return known;
  const today = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(timezone).toPlainDate();
  const startOf = (days: number): number => today.add({ days }).toZonedDateTime(timezone).epochMilliseconds;
  const monday = 1 - today.dayOfWeek;
  const days = { day: startOf(0), nextDay: startOf(1), week: startOf(monday), nextWeek: startOf(monday + 7) };
  if (daysByZone.size >= maxZones) daysByZone.clear();
  daysByZone.set(timezone, days);
  return days;
}

/** A call is made at most this long before it is handed over, or lasts at most this long. */
const marginMs = 2 * dayMs;

/** How far back calls can count. */
const sinceOf = ({ minGapMin }: ContactLimits, now: number): number =>
  now - marginMs - Math.max(7 * dayMs, (minGapMin ?? 0) * 60_000);

export type Counting = { orgId: string; limits: ContactLimits; now: number };

type Row = { id: string; phone: string; at: number | null; endedAt: number | null };

/** SQL that selects the calls to a number that count: those that the carrier got, and those that are about to be handed over. */
export const callsTo = (phone: unknown, { orgId, limits, now }: Counting) =>
  selectTo(sql`to_phone = ${phone}`, orgId, sinceOf(limits, now));

const selectTo = (isTo: RawBuilder<unknown>, orgId: string, since: number) => sql<Row>`
  SELECT id, to_phone AS phone, handed_over_at AS at, ended_at AS "endedAt" FROM calls
  WHERE ${isTo} AND created_at >= ${since} AND direction = 'outbound'
    AND ${withoutIndex('organization_id')} = ${orgId} AND (handed_over_at IS NOT NULL OR status IS NULL)`;

/** Beginnings of the day and the week, and from when on calls can count at all, or for the gap. `waiting`: 1 or 0. */
type CountQuery = Record<'now' | 'day' | 'week' | 'since' | 'gapSince' | 'waiting', number> &
  Record<'orgId' | 'phone', string>;

/**
 * Counts without reading a call: the index has all columns but the end, which is read for the gap, and the status, which is read of calls
 * that the carrier did not get.
 */
const countTo = prepared((_db, p: CountQuery) => {
  const at = sql`coalesce(handed_over_at, ${p.now})`;
  const endedAt = sql`CASE WHEN created_at >= ${p.gapSince} THEN coalesce(ended_at, ${p.now}) END`;
  return sql<{ today: number; thisWeek: number; lastEndedAt: number | null }>`
    SELECT count(*) FILTER (WHERE ${at} >= ${p.day}) AS today, count(*) FILTER (WHERE ${at} >= ${p.week}) AS "thisWeek",
      max(${endedAt}) AS "lastEndedAt"
    FROM calls WHERE to_phone = ${p.phone} AND created_at >= ${p.since} AND direction = 'outbound'
      AND ${withoutIndex('organization_id')} = ${p.orgId}
      AND (handed_over_at IS NOT NULL OR (${p.waiting} = 1 AND status IS NULL))`;
});

/**
 * The limits that forbid a call to a number now. Calls that are about to be handed over count, too, unless `handedOver`: then the question
 * is about one of them.
 */
export async function capsOn(
  db: Queryable,
  phone: string,
  timezone: string,
  { orgId, limits, now, handedOver = false }: Counting & { handedOver?: boolean },
): Promise<Cap[]> {
  const { maxPerDay, maxPerWeek, minGapMin } = limits;
  const days = daysAround(now, timezone);
  const gapSince = minGapMin === null ? Infinity : now - minGapMin * 60_000 - marginMs;
  const counted = maxPerWeek === null ? (maxPerDay === null ? Infinity : days.day) : days.week;
  const { rows } = await countTo(db, {
    ...{ orgId, phone, now, day: days.day, week: days.week, waiting: handedOver ? 0 : 1 },
    since: Math.min(counted - marginMs, gapSince),
    gapSince: Math.min(gapSince, Number.MAX_SAFE_INTEGER),
  });
  const { today, thisWeek, lastEndedAt } = rows[0]!;
  return capsIn(limits, { today, thisWeek, lastEndedAt: lastEndedAt ?? 0 }, days, now);
}

/** The calls to some numbers that count now, by number. */
export async function countedCalls(
  db: Queryable,
  phones: readonly string[],
  { orgId, limits, now }: Counting,
): Promise<Map<string, CountedCall[]>> {
  const since = sinceOf(limits, now);
  const { rows } = await selectTo(sql`to_phone IN ${listOf(phones)}`, orgId, since).execute(db);
  const byPhone = Map.groupBy(rows, ({ phone }) => phone);
  return new Map(
    [...byPhone].map(([phone, found]) => [phone, found.map(({ at, endedAt }) => ({ at: at ?? now, endedAt }))]),
  );
}
