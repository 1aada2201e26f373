import { sql } from 'kysely';
import type { Queryable, Tx } from '../../db/transaction.ts';
import { recordsOf } from '../../db/sql.ts';

/** A pending contact that was called before. */
export type WaitingRetry = {
  id: string;
  /** `''`: the campaign's. */
  timezone: string;
  nextRetryAt: number;
  position: number;
  /** When its last call ended. */
  endedAt: number;
};

/** A place in the order of a campaign's retries. */
export type RetryCursor = Pick<WaitingRetry, 'timezone' | 'nextRetryAt' | 'position'>;

const waiting = (db: Queryable) =>
  db
    .selectFrom('campaign_contacts as m')
    .innerJoin('calls as c', 'c.id', 'm.call_session_id')
    .select(['m.id', 'm.timezone', 'm.position'])
    .select([sql<number>`m.next_retry_at`.as('nextRetryAt'), sql<number>`c.ended_at`.as('endedAt')])
    // Literally, so that SQLite sees that the partial index of the retries applies.
    .where(sql<boolean>`m.status = 'pending' AND m.next_retry_at IS NOT NULL`);

/** The first so many retries of a campaign behind a place, by zone and instant. */
export async function waitingAfter(
  db: Queryable,
  campaignId: string,
  after: RetryCursor | null,
  limit: number,
): Promise<WaitingRetry[]> {
  let query = waiting(db).where('m.campaign_id', '=', campaignId);
  if (after) {
    const { timezone, nextRetryAt, position } = after;
    query = query.where(
      sql<boolean>`(m.timezone, m.next_retry_at, m.position) > (${timezone}, ${nextRetryAt}, ${position})`,
    );
  }
  return query.orderBy('m.timezone').orderBy('m.next_retry_at').orderBy('m.position').limit(limit).execute();
}

/** The contact if it waits for a retry. */
export const waitingById = (db: Queryable, id: string): Promise<WaitingRetry | undefined> =>
  waiting(db).where('m.id', '=', id).executeTakeFirst();

/** Sets `next_retry_at` of contacts, given as pairs of an id and an instant. */
export async function moveRetries(tx: Tx, moves: ReadonlyArray<readonly [id: string, at: number]>): Promise<void> {
  const records = moves.map(([id, at]) => ({ id, at }));
  await sql`
    UPDATE campaign_contacts SET next_retry_at = move.at
    FROM ${recordsOf(records, ['id', 'at'])} AS move WHERE campaign_contacts.id = move.id
  `.execute(tx);
}
