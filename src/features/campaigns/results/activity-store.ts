import { type RawBuilder, sql } from 'kysely';
import { prepared } from '../../../db/prepared.ts';
import type { Queryable } from '../../../db/transaction.ts';
import { liveOf, recentlyEndedOf, recentOf } from '../../calls/service.ts';
import { organizationOf } from '../contacts/indexes.ts';

/** Calls of a campaign in a period: those that started in it, and the outcomes of those that ended in it. */
export type PeriodCounts = {
  started: number;
  completed: number;
  no_answer: number;
  busy: number;
  voicemail: number;
  failed: number;
};

/** The period `[from, to)` in Unix milliseconds. */
type Period = { campaignId: string; from: number; to: number };

// The conditions on `state` and `recent` are literals: with bound values SQLite would not use the partial indexes. Filing moves a call from
// one index to the other, so one statement must read both.

/** SQL to follow `FROM`: selects a campaign's ended calls that are not filed yet. */
const recentCalls = (campaignId: string): RawBuilder<unknown> =>
  sql`${recentlyEndedOf(organizationOf(campaignId))} AND campaign_id = ${campaignId}`;

/** SQL to follow `FROM`: selects a campaign's filed calls. */
const filedCalls = (campaignId: string): RawBuilder<unknown> =>
  sql`calls WHERE campaign_id = ${campaignId} AND state = 'ended' AND recent = 0`;

const startedIn = prepared(
  (_db, p: Period) => sql<{ calls: number; answered: number }>`
    SELECT count(*) AS calls, count(answered_at) AS answered FROM (
      SELECT answered_at FROM ${filedCalls(p.campaignId)} AND started_at >= ${p.from} AND started_at < ${p.to}
      UNION ALL
      SELECT answered_at FROM ${recentCalls(p.campaignId)} AND started_at >= ${p.from} AND started_at < ${p.to})`,
);

type Outcomes = Omit<PeriodCounts, 'started'>;

const outcomesIn = prepared(
  (_db, p: Period) => sql<Outcomes>`
    SELECT count(*) FILTER (WHERE status = 'completed') AS completed,
      count(*) FILTER (WHERE status = 'no_answer') AS no_answer, count(*) FILTER (WHERE status = 'busy') AS busy,
      count(*) FILTER (WHERE status = 'voicemail') AS voicemail, count(*) FILTER (WHERE status = 'failed') AS failed
    FROM (
      SELECT status FROM ${filedCalls(p.campaignId)} AND ended_at >= ${p.from} AND ended_at < ${p.to}
      UNION ALL
      SELECT status FROM ${recentCalls(p.campaignId)} AND ended_at >= ${p.from} AND ended_at < ${p.to})`,
);

/** The counts of ended calls in consecutive periods `[bounds[i], bounds[i + 1])`. */
export async function countsBetween(
  db: Queryable,
  campaignId: string,
  bounds: readonly number[],
): Promise<PeriodCounts[]> {
  const counts: PeriodCounts[] = [];
  for (const [index, to] of bounds.slice(1).entries()) {
    const period = { campaignId, from: bounds[index]!, to };
    const [started] = (await startedIn(db, period)).rows;
    const [outcomes] = (await outcomesIn(db, period)).rows;
    counts.push({ started: started!.calls, ...outcomes! });
  }
  return counts;
}

/** How many calls started in a period and have ended since, and how many of them were answered. */
export const callsStartedIn = async (db: Queryable, period: Period): Promise<{ calls: number; answered: number }> =>
  (await startedIn(db, period)).rows[0]!;

const nextStart = prepared(
  (_db, p: { campaignId: string; from: number }) => sql<{ at: number | null }>`
    SELECT min(at) AS at FROM (
      SELECT min(started_at) AS at FROM ${filedCalls(p.campaignId)} AND started_at >= ${p.from}
      UNION ALL
      SELECT min(started_at) FROM ${recentCalls(p.campaignId)} AND started_at >= ${p.from})`,
);

/** The earliest start, at or after `from`, of a call that has ended; null if there is none. */
export const firstStartFrom = async (db: Queryable, campaignId: string, from: number): Promise<number | null> =>
  (await nextStart(db, { campaignId, from })).rows[0]?.at ?? null;

export async function lastEnd(db: Queryable, campaignId: string): Promise<number | null> {
  const { rows } = await sql<{ at: number | null }>`
    SELECT max(at) AS at FROM (
      SELECT max(ended_at) AS at FROM ${filedCalls(campaignId)}
      UNION ALL
      SELECT max(ended_at) FROM ${recentCalls(campaignId)})`.execute(db);
  return rows[0]?.at ?? null;
}

/** How many of a campaign's calls are live, or have ended and are not filed yet. */
export async function countNotFiled(db: Queryable, campaignId: string): Promise<number> {
  const { rows } = await sql<{ calls: number }>`
    SELECT count(*) AS calls FROM ${recentOf(organizationOf(campaignId))} AND campaign_id = ${campaignId}`.execute(db);
  return rows[0]!.calls;
}

export type LiveCall = { startedAt: number; answeredAt: number | null };

/** The campaign's calls that have started and not ended. Its limit of concurrent calls bounds their number. */
export async function liveCalls(db: Queryable, campaignId: string): Promise<LiveCall[]> {
  const { rows } = await sql<LiveCall>`
    SELECT started_at AS "startedAt", answered_at AS "answeredAt"
    FROM ${liveOf(organizationOf(campaignId))} AND campaign_id = ${campaignId} AND started_at IS NOT NULL`.execute(db);
  return rows;
}
