import { sql } from 'kysely';
import { prepared } from '../../db/prepared.ts';
import type { Queryable, Tx } from '../../db/transaction.ts';

/** An event as followers receive it. `number` orders the events of an organization by when they were written. */
export type FollowedEvent = {
  number: number;
  id: string;
  event: string;
  agentId: string;
  createdAt: number;
  body: string;
};

const selectBehind = prepared((db, p: { orgId: string; number: number; limit: number }) =>
  db
    .selectFrom('webhook_events')
    .select(['number', 'id', 'event', 'agent_id as agentId', 'created_at as createdAt', 'body'])
    .where('organization_id', '=', p.orgId)
    .where('number', '>', p.number)
    .where('body', '<>', '')
    .orderBy('number')
    .limit(p.limit),
);

/** The next events of an organization behind one of them, in the order in which they were written. */
export const eventsBehind = async (
  db: Queryable,
  orgId: string,
  behind: number,
  limit: number,
): Promise<FollowedEvent[]> => (await selectBehind(db, { orgId, number: behind, limit })).rows;

/** The number of an organization's newest event; 0 if it has none. */
export async function newestNumber(db: Queryable, orgId: string): Promise<number> {
  const newest = db
    .selectFrom('webhook_events')
    .select('number')
    .where('organization_id', '=', orgId)
    .orderBy('number', 'desc')
    .limit(1);
  return (await newest.executeTakeFirst())?.number ?? 0;
}

/** The number of an event that was written at `since` or later. */
export async function numberOf(
  db: Queryable,
  orgId: string,
  { id, since }: { id: string; since: number },
): Promise<number | undefined> {
  const found = db
    .selectFrom('webhook_events')
    .select('number')
    .where('id', '=', id)
    .where('organization_id', '=', orgId)
    .where('created_at', '>=', since);
  return (await found.executeTakeFirst())?.number;
}

const selectFollowedAt = prepared((db, p: { orgId: string }) =>
  db.selectFrom('organizations').select('events_followed_at as at').where('id', '=', p.orgId),
);

/** When somebody last followed the organization's events, as far as it is written down. */
export const followedAt = async (db: Queryable, orgId: string): Promise<number | null> =>
  (await selectFollowedAt(db, { orgId })).rows[0]?.at ?? null;

export async function setFollowedAt(tx: Tx, orgId: string, at: number): Promise<void> {
  await tx.updateTable('organizations').set({ events_followed_at: at }).where('id', '=', orgId).execute();
}

/** Deletes up to `limit` events for followers that were written before an instant; returns how many. */
export async function deleteForFollowers(tx: Tx, before: number, limit: number): Promise<number> {
  const result = await sql`DELETE FROM webhook_events WHERE id IN (
    SELECT id FROM webhook_events WHERE for_followers = 1 AND created_at < ${before} LIMIT ${limit})`.execute(tx);
  return Number(result.numAffectedRows);
}
