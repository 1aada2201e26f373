import { type Selectable, sql } from 'kysely';
import { readFiltered } from '../../db/pages.ts';
import { prepared } from '../../db/prepared.ts';
import type { WebhookEndpointsTable } from '../../db/schema.generated.ts';
import { listOf, withoutIndex } from '../../db/sql.ts';
import type { Queryable, Tx } from '../../db/transaction.ts';
import { type Page, type Paged, pagedOf } from '../../kernel/paging.ts';
import type { Endpoint, EndpointStatus, Sweep } from './endpoint.ts';

const endpointOf = (row: Selectable<WebhookEndpointsTable>): Endpoint => ({
  id: row.id,
  orgId: row.organization_id,
  agentId: row.agent_id,
  url: row.url,
  position: row.position,
  status: row.status,
  failingSince: row.failing_since,
  pausedAt: row.paused_at,
  pauseReason: row.pause_reason,
  lastError: row.last_error,
  failures: row.failures,
  held: row.held,
  sweep: row.sweep,
  sweeps: row.sweeps,
  createdAt: row.created_at,
});

export async function insertEndpoint(
  tx: Tx,
  endpoint: Pick<Endpoint, 'id' | 'orgId' | 'agentId' | 'url' | 'position' | 'createdAt'>,
): Promise<void> {
  await tx
    .insertInto('webhook_endpoints')
    .values({
      id: endpoint.id,
      organization_id: endpoint.orgId,
      agent_id: endpoint.agentId,
      url: endpoint.url,
      position: endpoint.position,
      status: 'delivering',
      created_at: endpoint.createdAt,
    })
    .execute();
}

const selectOfAgent = prepared((db, p: { agentId: string }) =>
  db
    .selectFrom('webhook_endpoints')
    .selectAll()
    .where('agent_id', '=', p.agentId)
    .where('removed_at', 'is', null)
    .orderBy('position'),
);

/** An agent's endpoints that were not removed, in the order of its URLs. */
export async function endpointsOfAgent(db: Queryable, agentId: string): Promise<Endpoint[]> {
  return (await selectOfAgent(db, { agentId })).rows.map(endpointOf);
}

/** The URLs of several agents, those of each agent in order. */
const selectUrls = prepared((db, p: { agentIds: readonly string[] }) =>
  db
    .selectFrom('webhook_endpoints')
    .select(['agent_id as agentId', 'url'])
    .where('agent_id', 'in', listOf(p.agentIds))
    .where('removed_at', 'is', null)
    .orderBy('position'),
);

export const urlsOfAgents = async (
  db: Queryable,
  agentIds: readonly string[],
): Promise<Array<{ agentId: string; url: string }>> => (await selectUrls(db, { agentIds })).rows;

export async function endpointById(db: Queryable, orgId: string, id: string): Promise<Endpoint | undefined> {
  const row = await db
    .selectFrom('webhook_endpoints')
    .selectAll()
    .where('organization_id', '=', orgId)
    .where('id', '=', id)
    .where('removed_at', 'is', null)
    .executeTakeFirst();
  return row && endpointOf(row);
}

export type EndpointFilter = { agentId?: string; status?: EndpointStatus };

/** The organization's endpoints that were not removed, newest first. */
export async function endpointPage(
  db: Queryable,
  orgId: string,
  { agentId, status }: EndpointFilter,
  page: Page,
): Promise<Paged<Endpoint>> {
  const current = db
    .selectFrom('webhook_endpoints')
    .where('organization_id', '=', orgId)
    .where('removed_at', 'is', null);
  let found = current;
  if (agentId !== undefined) found = found.where(sql<boolean>`${withoutIndex('agent_id')} = ${agentId}`);
  if (status !== undefined) found = found.where('status', '=', status);
  return pagedOf(await readFiltered<Selectable<WebhookEndpointsTable>>(db, current, found, page), endpointOf);
}

export async function isEndpointOf(db: Queryable, orgId: string, id: string): Promise<boolean> {
  const query = db.selectFrom('webhook_endpoints').select('id').where('organization_id', '=', orgId);
  return (await query.where('id', '=', id).executeTakeFirst()) !== undefined;
}

export async function setPosition(tx: Tx, id: string, position: number): Promise<void> {
  await tx.updateTable('webhook_endpoints').set({ position }).where('id', '=', id).execute();
}

export async function setFailing(tx: Tx, id: string, since: number): Promise<void> {
  await tx
    .updateTable('webhook_endpoints')
    .set({ status: 'failing', failing_since: since })
    .set(withSweep('hold'))
    .where('id', '=', id)
    .execute();
}

export async function setPaused(
  tx: Tx,
  id: string,
  { at, reason }: { at: number; reason: string | null },
): Promise<void> {
  await tx
    .updateTable('webhook_endpoints')
    .set({ status: 'paused', paused_at: at, pause_reason: reason, failing_since: null })
    .set(withSweep('hold'))
    .where('id', '=', id)
    .execute();
}

export async function setDelivering(tx: Tx, id: string): Promise<void> {
  await tx
    .updateTable('webhook_endpoints')
    .set({ status: 'delivering', failing_since: null, paused_at: null, pause_reason: null })
    .set({ last_error: null, failures: 0, held: 0 })
    .set(withSweep('release'))
    .where('id', '=', id)
    .execute();
}

/** Marks an endpoint removed and keeps its row, because deliveries refer to it. */
export async function setRemoved(tx: Tx, id: string, at: number): Promise<void> {
  await tx
    .updateTable('webhook_endpoints')
    .set({ removed_at: at, held: 0 })
    .set(withSweep('cancel'))
    .where('id', '=', id)
    .execute();
}

/** Begins a sweep, which replaces the one that is under way. */
const withSweep = (sweep: Sweep) => ({ sweep, sweeps: sql<number>`sweeps + 1` });

export type EndpointSweep = Pick<Endpoint, 'id' | 'orgId' | 'sweep' | 'sweeps'>;

/** The sweep of an endpoint, even of a removed one. */
export async function sweepOf(tx: Tx, id: string): Promise<EndpointSweep | undefined> {
  return tx
    .selectFrom('webhook_endpoints')
    .select(['id', 'organization_id as orgId', 'sweep', 'sweeps'])
    .where('id', '=', id)
    .executeTakeFirst();
}

export async function endSweep(tx: Tx, id: string): Promise<void> {
  await tx.updateTable('webhook_endpoints').set({ sweep: null }).where('id', '=', id).execute();
}

const sweptNow = prepared((db, p: { orgId: string }) =>
  db
    .selectFrom('webhook_endpoints')
    .select('id')
    .where('organization_id', '=', p.orgId)
    .where('sweep', 'is not', null)
    .limit(1),
);

/** Whether a sweep of any endpoint of the organization is under way. */
export const isSweeping = async (db: Queryable, orgId: string): Promise<boolean> =>
  (await sweptNow(db, { orgId })).rows.length > 0;

export async function countFailure(tx: Tx, id: string, error: string): Promise<void> {
  await tx
    .updateTable('webhook_endpoints')
    .set((eb) => ({ last_error: error, failures: eb('failures', '+', 1) }))
    .where('id', '=', id)
    .execute();
}

export async function clearFailures(tx: Tx, id: string): Promise<void> {
  await tx.updateTable('webhook_endpoints').set({ last_error: null, failures: 0 }).where('id', '=', id).execute();
}

export async function addHeld(tx: Tx, id: string, change: number): Promise<void> {
  await tx
    .updateTable('webhook_endpoints')
    .set((eb) => ({ held: eb('held', '+', change) }))
    .where('id', '=', id)
    .execute();
}

export async function deleteEndpoints(tx: Tx, ids: readonly string[]): Promise<void> {
  await tx.deleteFrom('webhook_endpoints').where('id', 'in', listOf(ids)).execute();
}
