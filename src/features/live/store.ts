import { sql } from 'kysely';
import type { Queryable } from '../../db/transaction.ts';
import { liveOf } from '../calls/service.ts';

/**
 * The number of a campaign's calls that started at `sinceMs` or later. Ended and live calls are counted separately, each from an index that
 * holds no others. (The queries in this file run once a second while somebody watches. They read some hundred rows, and the
 * organization's live calls.)
 */
export async function countStartsSince(
  db: Queryable,
  orgId: string,
  campaignId: string,
  sinceMs: number,
): Promise<number> {
  const { rows } = await sql<{ n: number }>`SELECT
    (SELECT count(*) FROM calls WHERE campaign_id = ${campaignId} AND status IS NOT NULL
      AND started_at >= ${sinceMs}) +
    (SELECT count(*) FROM ${liveOf(orgId)} AND campaign_id = ${campaignId} AND started_at >= ${sinceMs}) AS n`.execute(
    db,
  );
  return rows[0]!.n;
}

export async function countRunningCampaigns(db: Queryable, orgId: string): Promise<number> {
  const running = db
    .selectFrom('campaigns')
    .where('organization_id', '=', orgId)
    .where('status', '=', 'active')
    .where('execution_status', '=', 'running');
  return (await running.select((eb) => eb.fn.countAll<number>().as('n')).executeTakeFirstOrThrow()).n;
}

export async function endpointsOf(db: Queryable, orgId: string, limit: number) {
  return db
    .selectFrom('webhook_endpoints')
    .select(['id', 'status', 'held', 'last_error'])
    .where('organization_id', '=', orgId)
    .where('removed_at', 'is', null)
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** Endpoints that fail, the longest first. */
export async function failingEndpointsOf(db: Queryable, orgId: string, limit: number) {
  return db
    .selectFrom('webhook_endpoints')
    .select(['id', 'failing_since', 'last_error'])
    .where('organization_id', '=', orgId)
    .where('removed_at', 'is', null)
    .where('status', '=', 'failing')
    .orderBy('failing_since')
    .orderBy('id')
    .limit(limit)
    .execute();
}

export async function endpointTotals(db: Queryable, orgId: string): Promise<{ failing: number; held: number }> {
  const { failing, held } = await db
    .selectFrom('webhook_endpoints')
    .select([
      sql<number>`coalesce(sum(CASE WHEN status = 'failing' THEN 1 ELSE 0 END), 0)`.as('failing'),
      sql<number>`coalesce(sum(held), 0)`.as('held'),
    ])
    .where('organization_id', '=', orgId)
    .where('removed_at', 'is', null)
    .executeTakeFirstOrThrow();
  return { failing, held };
}
