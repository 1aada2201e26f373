import { type RawBuilder, sql } from 'kysely';
import type { Queryable } from '../../../db/transaction.ts';
import { isFirstAttempt, isRetry, pendingRows } from '../contacts/indexes.ts';

/** Contacts that can be called from an instant on. */
export type Callable = { from: number; calls: number };

/** Counting stops here: nobody needs to know exactly how many tens of thousands are called before. */
export const maxCounted = 10_000;

const counted = async (db: Queryable, campaignId: string, zone: string, condition: RawBuilder<unknown>) => {
  const { rows } = await sql<{ n: number }>`
    SELECT count(*) AS n FROM (SELECT 1 FROM ${pendingRows}
      WHERE campaign_id = ${campaignId} AND timezone = ${zone} AND ${condition} LIMIT ${maxCounted}) AS found`.execute(
    db,
  );
  return rows[0]!.n;
};

/** First attempts of a time zone before a position in the queue. */
export const firstAttemptsBefore = (db: Queryable, campaignId: string, zone: string, position: number) =>
  counted(db, campaignId, zone, sql`${isFirstAttempt} AND position < ${position}`);

/** Retries of a time zone that are due at an instant, by the minute in which they fall due. */
export async function retriesDue(db: Queryable, campaignId: string, zone: string, at: number): Promise<Callable[]> {
  const { rows } = await sql<Callable>`
    SELECT (next_retry_at - next_retry_at % 60000) AS "from", count(*) AS calls FROM (SELECT next_retry_at FROM ${pendingRows}
      WHERE campaign_id = ${campaignId} AND timezone = ${zone} AND ${isRetry} AND next_retry_at <= ${at}
      LIMIT ${maxCounted}) AS found GROUP BY 1`.execute(db);
  return rows;
}

/** Whether another running campaign calls, or will call, from the number. */
export async function sharesNumber(db: Queryable, campaignId: string, numberId: string): Promise<boolean> {
  const { rows } = await sql`
    SELECT 1 FROM campaigns WHERE phone_number_id = ${numberId} AND execution_status = 'running' AND id <> ${campaignId}
      AND pending + in_progress > 0 LIMIT 1`.execute(db);
  return rows.length > 0;
}
