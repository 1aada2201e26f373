import { sql } from 'kysely';
import type { Queryable, Tx } from '../../db/transaction.ts';
import { recordsOf } from '../../db/sql.ts';
import type { CallStatus } from '../calls/call.ts';

/** A campaign contact that waits for its next attempt after an earlier one. */
export type WaitingRetry = {
  id: string;
  /** The contact's own; `''` means the campaign's. */
  timezone: string;
  nextRetryAt: number;
  position: number;
  attemptCount: number;
  /** How and when its last call ended. */
  status: CallStatus;
  endedAt: number;
};

/** A place in the order of a campaign's retries: by time zone, then due time, then queue position. */
export type RetryCursor = Pick<WaitingRetry, 'timezone' | 'nextRetryAt' | 'position'>;

const waiting = (db: Queryable) =>
  db
    .selectFrom('campaign_contacts as cc')
    .innerJoin('calls as c', 'c.id', 'cc.call_session_id')
    .select(['cc.id', 'cc.timezone', 'cc.position', 'cc.attempt_count as attemptCount'])
    .select([
      sql<CallStatus>`c.status`.as('status'),
      sql<number>`cc.next_retry_at`.as('nextRetryAt'),
      sql<number>`c.ended_at`.as('endedAt'),
    ])
    // As literals: with bound values SQLite would not use the partial index of the retries.
    .where(sql<boolean>`cc.status = 'pending' AND cc.next_retry_at IS NOT NULL`);

/** The first `limit` waiting retries of a campaign after the cursor. */
export async function waitingAfter(
  db: Queryable,
  campaignId: string,
  after: RetryCursor | null,
  limit: number,
): Promise<WaitingRetry[]> {
  let query = waiting(db).where('cc.campaign_id', '=', campaignId);
  if (after) {
    const { timezone, nextRetryAt, position } = after;
    query = query.where(
      sql<boolean>`(cc.timezone, cc.next_retry_at, cc.position) > (${timezone}, ${nextRetryAt}, ${position})`,
    );
  }
  return query.orderBy('cc.timezone').orderBy('cc.next_retry_at').orderBy('cc.position').limit(limit).execute();
}

/** The campaign contact with this id if it waits for a retry. */
export const waitingById = (db: Queryable, id: string): Promise<WaitingRetry | undefined> =>
  waiting(db).where('cc.id', '=', id).executeTakeFirst();

/** Sets `next_retry_at` of campaign contacts. */
export async function moveRetries(tx: Tx, moves: ReadonlyArray<readonly [id: string, at: number]>): Promise<void> {
  const records = moves.map(([id, at]) => ({ id, at }));
  await sql`
    UPDATE campaign_contacts SET next_retry_at = move.at
    FROM ${recordsOf(records, ['id', 'at'])} AS move WHERE campaign_contacts.id = move.id
  `.execute(tx);
}

/** Gives campaign contacts that wait for a retry the status of their last call. */
export async function endRetries(tx: Tx, retries: ReadonlyArray<Pick<WaitingRetry, 'id' | 'status'>>): Promise<void> {
  const records = retries.map(({ id, status }) => ({ id, status }));
  await sql`
    UPDATE campaign_contacts SET status = ended.status, next_retry_at = NULL
    FROM ${recordsOf(records, ['id', 'status'])} AS ended WHERE campaign_contacts.id = ended.id
  `.execute(tx);
}
