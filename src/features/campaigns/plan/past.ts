import { sql } from 'kysely';
import type { Queryable } from '../../../db/transaction.ts';
import { type CallStatus, callStatuses } from '../../calls/call.ts';
import type { Campaign } from '../campaign.ts';
import { minCallSec, type Pace } from '../dialing/capacity.ts';

/** How earlier calls ended, by attempt. */
export type Past = Array<{
  attempt: number;
  status: CallStatus;
  calls: number;
  /** Ringing included, in seconds. */ sec: number;
}>;

/** Calls that a forecast follows: reading this many rows takes some 10 ms. */
const sampledCalls = 2_000;

/** The newest ended calls of a campaign. */
export const pastOfCampaign = (db: Queryable, campaignId: string): Promise<Past> =>
  pastIn(db, (status) => sql`SELECT id FROM calls WHERE campaign_id = ${campaignId} AND status = ${status}`);

/** The newest ended calls of an organization's campaigns. */
export async function pastOfOrganization(db: Queryable, orgId: string): Promise<Past> {
  return pastIn(db, (status) => sql`SELECT id FROM calls WHERE organization_id = ${orgId} AND status = ${status}`);
}

async function pastIn(db: Queryable, ended: (status: CallStatus) => ReturnType<typeof sql>): Promise<Past> {
  const each = callStatuses.map(
    (status) => sql`SELECT id FROM (${ended(status)} ORDER BY id DESC LIMIT ${sampledCalls}) AS found`,
  );
  const { rows } = await sql<Past[number]>`
    SELECT attempt, status, count(*) AS calls, coalesce(sum(ended_at - started_at), 0) / 1000.0 AS sec FROM calls WHERE id IN (
      SELECT id FROM (${sql.join(each, sql` UNION ALL `)}) AS found ORDER BY id DESC LIMIT ${sampledCalls}) AND campaign_id IS NOT NULL
    GROUP BY attempt, status ORDER BY attempt`.execute(db);
  return rows;
}

/** Mean length of the calls in seconds; null if there are none. */
function meanCallSec(past: Past): number | null {
  const calls = past.reduce((sum, { calls: n }) => sum + n, 0);
  return calls === 0 ? null : past.reduce((sum, { sec }) => sum + sec, 0) / calls;
}

/** The calls of this attempt, or of the last one before it of which there are any. */
function ofAttempt(past: Past, attempt: number): Past {
  const known = Math.max(...past.filter((row) => row.attempt <= attempt).map((row) => row.attempt));
  return past.filter((row) => row.attempt === known);
}

/** Assumed length of a call where no call has ended yet. */
const assumedCallSec = 60;

export const paceOf = (limits: Omit<Pace, 'meanCallSec'>, past: Past): Pace => ({
  ...limits,
  meanCallSec: meanCallSec(past) ?? assumedCallSec,
});

/** The share of contacts that the campaign called again, or would have called, by attempt. */
export function againAfter(past: Past, { schedule, retryOn }: Pick<Campaign, 'schedule' | 'retryOn'>): number[] {
  return Array.from({ length: schedule.retryAttempts + 1 }, (_, attempt) => {
    const rows = ofAttempt(past, attempt);
    const all = rows.reduce((sum, { calls }) => sum + calls, 0);
    const again = rows.filter(({ status }) => (retryOn as readonly CallStatus[]).includes(status));
    return all === 0 ? 0 : again.reduce((sum, { calls }) => sum + calls, 0) / all;
  });
}

/** How long calls keep a line from the next one, as a multiple of the mean, by attempt. The last one stands for all after it. */
export function lengthsIn(past: Past, { maxConcurrent, maxCps, meanCallSec: mean }: Pace): number[] {
  const shortest = maxConcurrent / (maxCps * Math.max(mean, minCallSec));
  if (past.length === 0 || shortest >= 1) return [1];
  const last = Math.max(...past.map(({ attempt }) => attempt));
  return Array.from({ length: last + 1 }, (_, attempt) =>
    Math.max(shortest, (meanCallSec(ofAttempt(past, attempt)) ?? mean) / mean),
  );
}
