import { sql } from 'kysely';
import type { Queryable } from '../../../db/transaction.ts';
import { partsOf } from '../../../kernel/batches.ts';
import { callStatuses } from '../../calls/call.ts';
import { type CapCode, capsAgainst, callsTo, countedCalls } from '../../calls/contact-caps.ts';
import { personZone } from '../../contacts/person-zone.ts';
import type { ContactLimits } from '../../organizations/contact-rules.ts';
import { pendingRows } from '../contacts/indexes.ts';
import { countsOf } from '../contacts/list-store.ts';
import { pendingZones, type Zone } from '../contacts/store.ts';

/** Figures about a campaign's contacts and calls from which its plan is computed. */
export type PlanFacts = {
  /** The pending contacts of each time zone, and how many of them must not be called, or not now. */
  zones: Array<Zone & { doNotCall: number; capped: Partial<Record<CapCode, number>> }>;
  removed: number;
  expired: number;
  /** Null before the first call has ended. */
  meanCallSec: number | null;
};

/** `caps`: the limits of calls to one number, at an instant; null where there are none. */
export type PlanQuestion = {
  orgId: string;
  campaignId: string;
  caps: { limits: ContactLimits; campaignZone: string; now: number } | null;
};

/** Reads every pending contact of the campaign: 70 ms for 100,000. */
export async function planFacts(db: Queryable, { orgId, campaignId, caps }: PlanQuestion): Promise<PlanFacts> {
  const capped = await cappedByZone(db, { orgId, campaignId, caps });
  const doNotCall = await doNotCallByZone(db, orgId, campaignId);
  const zones = await pendingZones(db, campaignId);
  const counts = await countsOf(db, campaignId);
  return {
    zones: zones.map((zone) => ({
      ...zone,
      doNotCall: Math.min(doNotCall.get(zone.timezone) ?? 0, zone.pending),
      capped: capped.get(zone.timezone) ?? {},
    })),
    removed: counts.cancelled,
    expired: counts.expired,
    meanCallSec: await meanCallSec(db, campaignId),
  };
}

/** Whether the pending campaign contact `cc`, whose contact is `c`, must not be called. */
const mustNotBeCalled = (orgId: string) => sql`(coalesce(c.do_not_call, 0) = 1
  OR EXISTS (SELECT 1 FROM do_not_call d WHERE d.organization_id = ${orgId} AND d.phone = cc.phone)
  OR EXISTS (SELECT 1 FROM contacts f WHERE f.organization_id = ${orgId} AND f.phone = cc.phone AND f.do_not_call = 1))`;

/** Pending contacts per time zone that limits of calls to one number hold back, by the first of them. */
async function cappedByZone(
  db: Queryable,
  { orgId, campaignId, caps }: PlanQuestion,
): Promise<Map<string, Partial<Record<CapCode, number>>>> {
  const found = new Map<string, Partial<Record<CapCode, number>>>();
  if (caps === null) return found;
  const { limits, campaignZone, now } = caps;
  const { rows } = await sql<{ phone: string; timezone: string }>`
    SELECT cc.phone, cc.timezone
    FROM (SELECT * FROM ${pendingRows} WHERE campaign_id = ${campaignId} AND status = 'pending') AS cc
      LEFT JOIN contacts c ON c.id = cc.contact_id
    WHERE EXISTS (${callsTo(sql.ref('cc.phone'), { orgId, limits, now })}) AND NOT ${mustNotBeCalled(orgId)}`.execute(
    db,
  );
  for (const part of partsOf(rows, phonesPerQuery)) {
    const phones = part.map(({ phone }) => phone);
    const counted = await countedCalls(db, phones, { orgId, limits, now });
    for (const { phone, timezone } of part) {
      const zone = personZone(timezone, phone, campaignZone).timezone;
      const code = capsAgainst(limits, counted.get(phone) ?? [], zone, now)[0]?.code;
      if (code === undefined) continue;
      const ofZone = found.get(timezone) ?? {};
      found.set(timezone, { ...ofZone, [code]: (ofZone[code] ?? 0) + 1 });
    }
  }
  return found;
}

/** Pending contacts per time zone that must not be called: flagged, or with a phone that is listed or belongs to a flagged contact. */
async function doNotCallByZone(db: Queryable, orgId: string, campaignId: string): Promise<Map<string, number>> {
  const { rows } = await sql<{ timezone: string; n: number }>`
    SELECT cc.timezone, count(*) AS n
    FROM (SELECT * FROM ${pendingRows} WHERE campaign_id = ${campaignId} AND status = 'pending') AS cc
      LEFT JOIN contacts c ON c.id = cc.contact_id
    WHERE ${mustNotBeCalled(orgId)}
    GROUP BY cc.timezone`.execute(db);
  return new Map(rows.map(({ timezone, n }) => [timezone, n]));
}

/** Numbers whose calls are read at once. */
const phonesPerQuery = 500;

/** Calls that the mean length is taken of: reading this many rows takes about a millisecond. */
const sampledCalls = 200;

/** Mean length in seconds, including ringing, of the campaign's newest ended calls; null if there are none. */
async function meanCallSec(db: Queryable, campaignId: string): Promise<number | null> {
  const ended = callStatuses.map(
    (status) => sql`SELECT id FROM calls WHERE campaign_id = ${campaignId} AND status = ${status}`,
  );
  const { rows } = await sql<{ mean: number | null }>`
    SELECT avg(ended_at - started_at) / 1000.0 AS mean FROM calls WHERE id IN (
      SELECT id FROM (${sql.join(ended, sql` UNION ALL `)} ORDER BY id DESC LIMIT ${sampledCalls}))`.execute(db);
  return rows[0]?.mean ?? null;
}
