import { sql } from 'kysely';
import type { Queryable } from '../../../db/transaction.ts';
import { partsOf } from '../../../kernel/batches.ts';
import { type CapCode, capsAgainst, callsTo, countedCalls, daysAround } from '../../calls/contact-caps.ts';
import { countryZone, personZone } from '../../contacts/person-zone.ts';
import type { ContactLimits } from '../../organizations/contact-rules.ts';
import { calledRows, isCalled, isRetry, pendingRows, retryRows } from '../contacts/indexes.ts';
import { countsOf } from '../contacts/list-store.ts';
import { pendingZones, type Zone } from '../contacts/store.ts';
import type { Waiting } from './forecast.ts';
import { type Past, pastOfCampaign } from './past.ts';

/** Figures about a campaign's contacts and calls from which its plan is computed. */
export type PlanFacts = {
  /** The pending contacts of each time zone, and how many of them must not be called, or not now. */
  zones: Array<Zone & { doNotCall: number; capped: Partial<Record<CapCode, number>> }>;
  /** Pending contacts that may be called some day, and those that are on the phone. */
  groups: Group[];
  removed: number;
  expired: number;
  past: Past;
};

/**
 * Contacts of one time zone (`''`: they have none of their own) that wait for the same attempt. `country`: where countries count, the zone of
 * the country of contacts without one of their own; `''` if that has several.
 */
export type Group = Waiting & {
  timezone: string;
  country: string;
  /** On the phone; `attempt` is the present one, and `notBefore` when it began. */
  isLive?: boolean;
  /** Held back by a limit of calls to one number until `notBefore`. */
  isCapped?: boolean;
};

/** `caps`: the limits of calls to one number, at an instant; null where there are none. `byCountry`: countries count, because of guard hours. */
export type PlanQuestion = {
  orgId: string;
  campaignId: string;
  caps: { limits: ContactLimits; campaignZone: string; now: number } | null;
  byCountry: boolean;
};

/** Reads every pending contact of the campaign: 70 ms for 100,000. */
export async function planFacts(db: Queryable, question: PlanQuestion): Promise<PlanFacts> {
  const { campaignId } = question;
  const counted = await countWaiting(db, question);
  const capped = await moveCapped(db, question, counted);
  const zones = await pendingZones(db, campaignId);
  const counts = await countsOf(db, campaignId);
  return {
    zones: zones.map((zone) => ({
      ...zone,
      doNotCall: Math.min(counted.doNotCall.get(zone.timezone) ?? 0, zone.pending),
      capped: capped.get(zone.timezone) ?? {},
    })),
    groups: [...counted.groups.values(), ...(await liveGroups(db, question))].filter(({ count }) => count > 0),
    removed: counts.cancelled,
    expired: counts.expired,
    past: await pastOfCampaign(db, campaignId),
  };
}

/**
 * Whether the pending campaign contact `cc` must not be called. Its contact's own flag counts by the number, as everybody's; the contact itself
 * is looked at only where its number has changed, because rows with much metadata take long to find. `coalesce` keeps SQLite from looking
 * there for the other condition.
 */
const mustNotBeCalled = (orgId: string) => sql`(
  EXISTS (SELECT 1 FROM contacts f WHERE f.organization_id = ${orgId} AND f.phone = cc.phone AND f.do_not_call = 1)
  OR EXISTS (SELECT 1 FROM do_not_call d WHERE d.organization_id = ${orgId} AND d.phone = cc.phone)
  OR (NOT EXISTS (SELECT 1 FROM contacts p
      WHERE p.organization_id = ${orgId} AND p.phone = cc.phone AND coalesce(p.id, '') = cc.contact_id)
    AND EXISTS (SELECT 1 FROM contacts c WHERE c.id = cc.contact_id AND c.do_not_call = 1)))`;

const pendingOf = (campaignId: string) => sql`(SELECT * FROM ${pendingRows}
  WHERE campaign_id = ${campaignId} AND status = 'pending') AS cc`;

/** Retries are counted in this many steps of time. */
const retrySteps = 256;
/**
 * Contacts whose numbers were called lately wait in steps of this length. Otherwise each would be a group of its own, and the main thread
 * goes through all groups.
 */
const movedStepMs = 60_000;
/** Characters of a number that tell its country. */
const countryLength = 7;

type Row = { phone: string; timezone: string; attempts: number; retryAt: number | null };
type Counted = {
  groups: Map<string, Group>;
  doNotCall: Map<string, number>;
  /** The group that a contact was counted in. */
  groupOf: (row: Row) => Group | undefined;
};

/**
 * Pending contacts by time zone, that of their country, attempts and, for retries, when they are due; and those that must not be called by
 * time zone. The database groups by the beginnings of numbers, of which a list from many countries has tens of thousands.
 */
async function countWaiting(db: Queryable, { orgId, campaignId, byCountry }: PlanQuestion): Promise<Counted> {
  const { rows: range } = await sql<{ first: number | null; last: number | null }>`
    SELECT min(next_retry_at) AS first, max(next_retry_at) AS last FROM ${retryRows}
    WHERE campaign_id = ${campaignId} AND ${isRetry}`.execute(db);
  const { first, last } = { first: range[0]?.first ?? 0, last: range[0]?.last ?? 0 };
  const width = Math.max(1000, Math.ceil((last - first + 1) / retrySteps));
  const prefix = byCountry
    ? sql`CASE cc.timezone WHEN '' THEN substr(cc.phone, 1, ${sql.lit(countryLength)}) ELSE '' END`
    : sql`''`;
  const { rows } = await sql<{
    timezone: string;
    prefix: string;
    phone: string;
    attempts: number;
    step: number | null;
    forbidden: number;
    n: number;
  }>`
    SELECT cc.timezone, ${prefix} AS prefix, min(cc.phone) AS phone, cc.attempt_count AS attempts,
      (cc.next_retry_at - ${first}) / ${width} AS step, ${mustNotBeCalled(orgId)} AS forbidden, count(*) AS n
    FROM ${pendingOf(campaignId)} GROUP BY 1, 2, 4, 5, 6`.execute(db);
  const countries = new Map([['', '']]);
  const groups: Counted['groups'] = new Map();
  const doNotCall: Counted['doNotCall'] = new Map();
  const keyOf = (timezone: string, digits: string, attempts: number, step: number | null): string =>
    [timezone, countries.get(digits), attempts, step].join();
  for (const { timezone, prefix: digits, phone, attempts, step, forbidden, n: count } of rows) {
    if (forbidden === 1) {
      doNotCall.set(timezone, (doNotCall.get(timezone) ?? 0) + count);
      continue;
    }
    const country = countries.get(digits) ?? countryZone(phone);
    countries.set(digits, country);
    const notBefore = step === null ? null : first + step * width;
    const key = keyOf(timezone, digits, attempts, step);
    const group = groups.get(key) ?? { timezone, country, attempt: attempts + 1, notBefore, count: 0 };
    groups.set(key, { ...group, count: group.count + count });
  }
  const groupOf = ({ phone, timezone, attempts, retryAt }: Row): Group | undefined => {
    const digits = byCountry && timezone === '' ? phone.slice(0, countryLength) : '';
    return groups.get(keyOf(timezone, digits, attempts, retryAt && Math.floor((retryAt - first) / width)));
  };
  return { groups, doNotCall, groupOf };
}

/**
 * Moves contacts whose numbers were called lately into groups that say so. Those that a limit holds back wait until it ends, and are counted
 * by time zone and the first of the limits.
 */
async function moveCapped(
  db: Queryable,
  { orgId, campaignId, caps }: PlanQuestion,
  { groups, groupOf }: Counted,
): Promise<Map<string, Partial<Record<CapCode, number>>>> {
  const found = new Map<string, Partial<Record<CapCode, number>>>();
  if (caps === null) return found;
  const { limits, campaignZone, now } = caps;
  const { rows } = await sql<Row>`
    SELECT cc.phone, cc.timezone, cc.attempt_count AS attempts, cc.next_retry_at AS "retryAt"
    FROM ${pendingOf(campaignId)}
    WHERE EXISTS (${callsTo(sql.ref('cc.phone'), { orgId, limits, now })}) AND NOT ${mustNotBeCalled(orgId)}`.execute(
    db,
  );
  for (const part of partsOf(rows, phonesPerQuery)) {
    const phones = part.map(({ phone }) => phone);
    const counted = await countedCalls(db, phones, { orgId, limits, now });
    for (const row of part) {
      const { phone, timezone, attempts, retryAt } = row;
      const zone = personZone(timezone, phone, campaignZone).timezone;
      const calls = counted.get(phone) ?? [];
      const held = capsAgainst(limits, calls, zone, now);
      const days = daysAround(now, zone);
      const [today, thisWeek] = [days.day, days.week].map((start) => calls.filter(({ at }) => at >= start).length);
      const until = Math.max(retryAt ?? 0, ...held.map((cap) => cap.until));
      const from = groupOf(row);
      if (from) from.count -= 1;
      const notBefore = until === 0 ? null : Math.ceil(until / movedStepMs) * movedStepMs;
      const code = held[0]?.code;
      const country = timezone === '' ? countryZone(phone) : '';
      const key = [timezone, country, attempts, notBefore, today, thisWeek, code !== undefined].join(' ');
      const counts = { today: today!, thisWeek: thisWeek!, isCapped: code !== undefined };
      const moved = groups.get(key) ?? { timezone, country, attempt: attempts + 1, notBefore, count: 0, ...counts };
      groups.set(key, { ...moved, count: moved.count + 1 });
      if (code === undefined) continue;
      const ofZone = found.get(timezone) ?? {};
      found.set(timezone, { ...ofZone, [code]: (ofZone[code] ?? 0) + 1 });
    }
  }
  return found;
}

/** Contacts that are on the phone. One of them stands for the country of all. */
async function liveGroups(db: Queryable, { campaignId, byCountry }: PlanQuestion): Promise<Group[]> {
  const { rows } = await sql<{ timezone: string; phone: string; attempt: number; notBefore: number; count: number }>`
    SELECT timezone, min(phone) AS phone, attempt_count AS attempt, avg(last_attempted_at) AS "notBefore", count(*) AS count
    FROM ${calledRows} WHERE campaign_id = ${campaignId} AND ${isCalled} AND status = 'in_progress'
    GROUP BY 1, 3`.execute(db);
  return rows.map(({ phone, ...row }) => ({
    ...row,
    country: byCountry && row.timezone === '' ? countryZone(phone) : '',
    isLive: true,
  }));
}

/** Numbers whose calls are read at once. */
const phonesPerQuery = 500;
