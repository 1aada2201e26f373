import { type RawBuilder, sql } from 'kysely';
import type { Queryable, Tx } from '../../../db/transaction.ts';
import { listOf, recordsOf } from '../../../db/sql.ts';
import type { CallStatus } from '../../calls/call.ts';
import { isPostponed, isRetry, postponedRows, retryRows } from '../contacts/indexes.ts';

/** A campaign contact that waits for its next attempt after an earlier one. */
export type WaitingRetry = {
  id: string;
  /** The contact's own; `''` means the campaign's. */
  timezone: string;
  nextRetryAt: number;
  position: number;
  attemptCount: number;
  unreachableTries: number;
  /** How and when its last call ended. */
  status: CallStatus;
  endedAt: number;
};

const waiting = (retries: RawBuilder<unknown>) => sql`
  SELECT cc.id, cc.timezone, cc.position, cc.next_retry_at AS "nextRetryAt", cc.attempt_count AS "attemptCount",
    cc.unreachable_tries AS "unreachableTries", c.status, c.ended_at AS "endedAt"
  FROM (${retries}) AS cc JOIN calls c ON c.id = cc.call_session_id`;

/** The first `limit` waiting retries of a campaign behind a position, in the order of positions. */
export async function waitingAfter(
  db: Queryable,
  campaignId: string,
  position: number,
  limit: number,
): Promise<WaitingRetry[]> {
  const behind = sql`SELECT * FROM ${retryRows} WHERE campaign_id = ${campaignId} AND ${isRetry} AND position > ${position}`;
  return (await sql<WaitingRetry>`${waiting(behind)} ORDER BY cc.position LIMIT ${limit}`.execute(db)).rows;
}

/** The campaign contact with this id if it waits for a retry. */
export async function waitingById(db: Queryable, id: string): Promise<WaitingRetry | undefined> {
  const itself = sql`SELECT * FROM campaign_contacts WHERE id = ${id} AND ${isRetry}`;
  return (await sql<WaitingRetry>`${waiting(itself)}`.execute(db)).rows[0];
}

/** Those of the campaign contacts that were attempted, with the end of their last call. */
export async function expiredAfterAttempts(
  db: Queryable,
  ids: readonly string[],
): Promise<Array<Pick<WaitingRetry, 'id' | 'timezone' | 'endedAt'>>> {
  const { rows } = await sql<Pick<WaitingRetry, 'id' | 'timezone' | 'endedAt'>>`
    SELECT cc.id, cc.timezone, coalesce(c.ended_at, cc.last_attempted_at) AS "endedAt"
    FROM campaign_contacts AS cc LEFT JOIN calls c ON c.id = cc.call_session_id
    WHERE cc.id IN ${listOf(ids)} AND cc.last_attempted_at IS NOT NULL`.execute(db);
  return rows;
}

/** Sets `next_retry_at` of campaign contacts. */
export async function moveRetries(tx: Tx, moves: ReadonlyArray<readonly [id: string, at: number]>): Promise<void> {
  const records = moves.map(([id, at]) => ({ id, at }));
  await sql`
    UPDATE campaign_contacts SET next_retry_at = move.at
    FROM ${recordsOf(records, { id: 'text', at: 'integer' })} AS move WHERE campaign_contacts.id = move.id
  `.execute(tx);
}

/** Makes up to `limit` first attempts due that do not wait for the carrier, and returns how many. */
export async function releaseHeld(tx: Tx, campaignId: string, limit: number): Promise<number> {
  const result = await sql`
    UPDATE campaign_contacts SET next_retry_at = NULL
    WHERE id IN (
      SELECT id FROM ${postponedRows} WHERE campaign_id = ${campaignId} AND ${isPostponed} AND unreachable_tries = 0 LIMIT ${limit}
    )`.execute(tx);
  return Number(result.numAffectedRows ?? 0n);
}

/** Gives campaign contacts that wait for a retry the status of their last call. */
export async function endRetries(tx: Tx, retries: ReadonlyArray<Pick<WaitingRetry, 'id' | 'status'>>): Promise<void> {
  const records = retries.map(({ id, status }) => ({ id, status }));
  await sql`
    UPDATE campaign_contacts SET status = ended.status, next_retry_at = NULL
    FROM ${recordsOf(records, { id: 'text', status: 'text' })} AS ended WHERE campaign_contacts.id = ended.id
  `.execute(tx);
}
