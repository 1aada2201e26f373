import { sql } from 'kysely';
import { readInBackground } from '../db/long-reads.ts';
import type { Queryable } from '../db/transaction.ts';

/** Jobs that are due and do not run yet, of all organizations. */
export type QueueState = { due: number; failedBefore: number; oldestDueAt: number | null };

/** Reads on the background thread where possible, since the queue may be long. */
export async function queueState(db: Queryable, now: number): Promise<QueueState> {
  const query = sql<QueueState>`
    SELECT count(*) AS due, count(last_error) AS "failedBefore", min(due_at) AS "oldestDueAt"
    FROM outbox WHERE due_at <= ${now} AND lease_until IS NULL`.compile(db);
  return (await readInBackground(db, query, { owner: 'queue' })).rows[0]!;
}
