import { type RawBuilder, sql } from 'kysely';
import { prepared } from '../../../db/prepared.ts';
import { fromIndex } from '../../../db/sql.ts';
import type { Queryable } from '../../../db/transaction.ts';
import type { CallStatus } from '../../calls/call.ts';
import { liveOf } from '../../calls/service.ts';

/** Calls of a campaign in a period: those that started in it, and the outcomes of those that ended in it. */
export type PeriodCounts = { started: number } & Record<CallStatus, number>;

/** Ended calls in a step of a range: those that began in it, and those that ended in it, with one outcome. */
export type StepCounts = { step: number; outcome: CallStatus; began: number; ended: number };

/** Consecutive steps of `[from, to)` in Unix milliseconds. */
export type Steps = { campaignId: string; from: number; to: number; stepMs: number };

export const quarterMs = 900_000;

/** SQL to follow `FROM`: selects a campaign's ended calls in the order of their starts. */
const endedCalls = (campaignId: string): RawBuilder<unknown> =>
  sql`${fromIndex('calls', 'calls_of_campaign_by_start')} WHERE campaign_id = ${campaignId} AND status IS NOT NULL`;

/** The counts of steps that begin and end with a quarter of an hour. */
export async function countQuarters(db: Queryable, { campaignId, from, to, stepMs }: Steps): Promise<StepCounts[]> {
  const { rows } = await sql<StepCounts>`
    SELECT floor((quarter - ${from}) / ${stepMs}) AS step, outcome, sum(calls) AS began, 0 AS ended
    FROM call_counts_by_start WHERE campaign_id = ${campaignId} AND quarter >= ${from} AND quarter < ${to} GROUP BY 1, 2
    UNION ALL
    SELECT floor((quarter - ${from}) / ${stepMs}), outcome, 0, sum(calls)
    FROM call_counts_by_end WHERE campaign_id = ${campaignId} AND quarter >= ${from} AND quarter < ${to} GROUP BY 1, 2`.execute(
    db,
  );
  return rows;
}

/** One read walks this many calls, in some tens of milliseconds. */
const maxCallsPerRead = 50_000;

const startBehind = prepared(
  (_db, p: { campaignId: string; after: number; to: number; skipped: number }) => sql<{ at: number }>`
    SELECT started_at AS at FROM ${endedCalls(p.campaignId)} AND started_at >= ${p.after} AND started_at < ${p.to}
    ORDER BY started_at LIMIT 1 OFFSET ${p.skipped}`,
);

/**
 * The counts of steps of any length, from the calls that started at `after` or later. `next` is where the next read begins; null if this was
 * the last.
 */
export async function countCalls(
  db: Queryable,
  { campaignId, from, to, stepMs, after }: Steps & { after: number },
  limit = maxCallsPerRead,
): Promise<{ counts: StepCounts[]; next: number | null }> {
  const behind = (await startBehind(db, { campaignId, after, to, skipped: limit })).rows[0]?.at;
  // More than `limit` calls may have started at `after`: a read takes all of a millisecond, or it would begin there again.
  const next = behind === undefined ? null : Math.max(behind, after + 1);
  const walked = sql`${endedCalls(campaignId)} AND started_at >= ${after} AND started_at < ${next ?? to}`;
  const { rows } = await sql<StepCounts>`
    SELECT floor((started_at - ${from}) / ${stepMs}) AS step, status AS outcome, count(*) AS began, 0 AS ended
    FROM ${walked} AND started_at >= ${from} GROUP BY 1, 2
    UNION ALL
    SELECT floor((ended_at - ${from}) / ${stepMs}), status, 0, count(*)
    FROM ${walked} AND ended_at >= ${from} AND ended_at < ${to} GROUP BY 1, 2`.execute(db);
  return { counts: rows, next };
}

export async function firstStart(db: Queryable, campaignId: string): Promise<number | null> {
  const { rows } = await sql<{ at: number | null }>`
    SELECT min(started_at) AS at FROM ${endedCalls(campaignId)}`.execute(db);
  return rows[0]?.at ?? null;
}

/** Walks all ended calls of the campaign. */
export async function lastEnd(db: Queryable, campaignId: string): Promise<number | null> {
  const { rows } = await sql<{ at: number | null }>`
    SELECT max(ended_at) AS at FROM ${endedCalls(campaignId)}`.execute(db);
  return rows[0]?.at ?? null;
}

/** The ended calls of a campaign that began in a quarter of an hour, and how many of them were answered. */
export type QuarterCounts = { quarter: number; calls: number; answered: number };

export async function callsByQuarter(db: Queryable, campaignId: string): Promise<QuarterCounts[]> {
  const { rows } = await sql<QuarterCounts>`
    SELECT quarter, sum(calls) AS calls, sum(calls * answered) AS answered FROM call_counts_by_start
    WHERE campaign_id = ${campaignId} GROUP BY quarter`.execute(db);
  return rows;
}

export type LiveCall = { startedAt: number; answeredAt: number | null };

/** The campaign's calls that have started and not ended. Its limit of concurrent calls bounds their number. */
export async function liveCalls(db: Queryable, campaignId: string): Promise<LiveCall[]> {
  const orgId = sql`(SELECT organization_id FROM campaigns WHERE id = ${campaignId})`;
  const { rows } = await sql<LiveCall>`
    SELECT started_at AS "startedAt", answered_at AS "answeredAt"
    FROM ${liveOf(orgId)} AND campaign_id = ${campaignId} AND started_at IS NOT NULL`.execute(db);
  return rows;
}
