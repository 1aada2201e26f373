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

/** The limits that forbid another call to a number now. `timezone` is the person's. */
export function capsAgainst(
  limits: ContactLimits,
  calls: readonly CountedCall[],
  timezone: string,
  now: number,
): Cap[] {
  const caps: Cap[] = [];
  const { maxPerDay, maxPerWeek, minGapMin } = limits;
  const { day, nextDay, week, nextWeek } = daysAround(now, timezone);
  const since = (start: number): number => calls.filter(({ at }) => at >= start).length;
  const times = (count: number): string => (count === 1 ? 'once' : `${count} times`);
  if (maxPerDay !== null && since(day) >= maxPerDay) {
    const reason = `The number was called ${times(since(day))} today, and may be called ${times(maxPerDay)} a day.`;
    caps.push({ code: 'capped_day', reason, until: nextDay });
  }
  if (maxPerWeek !== null && since(week) >= maxPerWeek) {
    const reason = `The number was called ${times(since(week))} this week, and may be called ${times(maxPerWeek)} a week.`;
    caps.push({ code: 'capped_week', reason, until: nextWeek });
  }
  const until =
    minGapMin === null ? 0 : Math.max(...calls.map(({ endedAt }) => endedAt ?? now), 0) + minGapMin * 60_000;
  if (minGapMin !== null && until > now) {
    const reason = `The last call to the number was less than ${minGapMin} min ago.`;
    caps.push({ code: 'gap', reason, until });
  }
  return caps;
}

/** When the calendar day and the ISO week of an instant begin in a time zone, and when the next ones do. */
export function daysAround(now: number, timezone: string) {
  const today = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(timezone).toPlainDate();
  const startOf = (days: number): number => today.add({ days }).toZonedDateTime(timezone).epochMilliseconds;
  const monday = 1 - today.dayOfWeek;
  return { day: startOf(0), nextDay: startOf(1), week: startOf(monday), nextWeek: startOf(monday + 7) };
}

/** A call is made at most this long before it is handed over, or lasts at most this long. */
const marginMs = 2 * dayMs;

/** How far back calls can count. */
const sinceOf = ({ minGapMin }: ContactLimits, now: number): number =>
  now - marginMs - Math.max(7 * dayMs, (minGapMin ?? 0) * 60_000);

/** Which calls count: all that the carrier got, and, unless `handedOver`, those that are about to be handed over. */
export type Counting = { orgId: string; limits: ContactLimits; now: number; except?: string; handedOver?: boolean };

type Row = { id: string; phone: string; at: number | null; endedAt: number | null };

/** SQL that selects the calls to a number that count: those that the carrier got, and those that are about to be handed over. */
export const callsTo = (phone: unknown, { orgId, limits, now }: Counting) =>
  selectTo(sql`to_phone = ${phone}`, orgId, sinceOf(limits, now));

const selectTo = (isTo: RawBuilder<unknown>, orgId: string, since: number) => sql<Row>`
  SELECT id, to_phone AS phone, handed_over_at AS at, ended_at AS "endedAt" FROM calls
  WHERE ${isTo} AND created_at >= ${since} AND direction = 'outbound'
    AND ${withoutIndex('organization_id')} = ${orgId} AND (handed_over_at IS NOT NULL OR status IS NULL)`;

const toPhone = prepared((_db, p: { orgId: string; phone: string; since: number }) =>
  selectTo(sql`to_phone = ${p.phone}`, p.orgId, p.since),
);

/** The limits that forbid a call to a number now. */
export async function capsOn(db: Queryable, phone: string, timezone: string, counting: Counting): Promise<Cap[]> {
  const { orgId, limits, now, except, handedOver = false } = counting;
  const { rows } = await toPhone(db, { orgId, phone, since: sinceOf(limits, now) });
  const counted = rows.filter(({ id, at }) => id !== except && (at !== null || !handedOver));
  return capsAgainst(
    limits,
    counted.map(({ at, endedAt }) => ({ at: at ?? now, endedAt })),
    timezone,
    now,
  );
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
