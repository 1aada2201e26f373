import type { Selectable } from 'kysely';
import { prepared, readPage } from '../../db/prepared.ts';
import type { WebhookEndpointsTable } from '../../db/schema.generated.ts';
import { listOf } from '../../db/sql.ts';
import type { Queryable, Tx } from '../../db/transaction.ts';
import type { Page, Paged } from '../../kernel/paging.ts';
import type { Endpoint } from './endpoint.ts';

const endpointOf = (row: Selectable<WebhookEndpointsTable>): Endpoint => ({
  id: row.id,
  orgId: row.organization_id,
  agentId: row.agent_id,
  url: row.url,
  position: row.position,
  status: row.status,
  failingSince: row.failing_since,
  lastError: row.last_error,
  held: row.held,
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

/** The URLs of several agents, each agent's in order. */
export async function urlsOfAgents(
  db: Queryable,
  agentIds: readonly string[],
): Promise<Array<{ agentId: string; url: string }>> {
  return db
    .selectFrom('webhook_endpoints')
    .select(['agent_id as agentId', 'url'])
    .where('agent_id', 'in', listOf(agentIds))
    .where('removed_at', 'is', null)
    .orderBy('position')
    .execute();
}

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

/** The organization's endpoints that were not removed, newest first. */
export async function endpointPage(db: Queryable, orgId: string, page: Page): Promise<Paged<Endpoint>> {
  const current = db
    .selectFrom('webhook_endpoints')
    .where('organization_id', '=', orgId)
    .where('removed_at', 'is', null);
  const rows = await readPage(db, current.selectAll().orderBy('id', 'desc'), page);
  const count = await current.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  return { items: rows.map(endpointOf), total: count.total };
}

export async function setPosition(tx: Tx, id: string, position: number): Promise<void> {
  await tx.updateTable('webhook_endpoints').set({ position }).where('id', '=', id).execute();
}

export async function setFailing(tx: Tx, id: string, since: number): Promise<void> {
  await tx
    .updateTable('webhook_endpoints')
    .set({ status: 'failing', failing_since: since })
    .where('id', '=', id)
    .execute();
}

export async function setDelivering(tx: Tx, id: string): Promise<void> {
  await tx
    .updateTable('webhook_endpoints')
    .set({ status: 'delivering', failing_since: null, last_error: null, held: 0 })
    .where('id', '=', id)
    .execute();
}

/** Keeps the row, because deliveries refer to it. */
export async function setRemoved(tx: Tx, id: string, at: number): Promise<void> {
  await tx.updateTable('webhook_endpoints').set({ removed_at: at, held: 0 }).where('id', '=', id).execute();
}

export async function setLastError(tx: Tx, id: string, error: string | null): Promise<void> {
  await tx.updateTable('webhook_endpoints').set({ last_error: error }).where('id', '=', id).execute();
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
