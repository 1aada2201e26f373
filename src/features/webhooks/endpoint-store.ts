import { type Selectable, sql } from 'kysely';
import { prepared } from '../../db/prepared.ts';
import type { WebhookEndpointsTable, WebhookSecretsTable } from '../../db/schema.generated.ts';
import type { Queryable, Tx } from '../../db/transaction.ts';
import type { Page, Paged } from '../../kernel/paging.ts';
import type { Endpoint } from './endpoint.ts';

type EndpointRow = Selectable<WebhookEndpointsTable>;
export type SecretRow = Selectable<WebhookSecretsTable>;

const endpointOf = (row: EndpointRow): Endpoint => ({
  id: row.id,
  orgId: row.organization_id,
  agentId: row.agent_id,
  url: row.url,
  status: row.status,
  failingSince: row.failing_since,
  lastError: row.last_error,
  held: row.held,
  createdAt: row.created_at,
});

export async function insertEndpoint(
  tx: Tx,
  endpoint: Pick<Endpoint, 'id' | 'orgId' | 'agentId' | 'url' | 'createdAt'>,
): Promise<void> {
  await tx
    .insertInto('webhook_endpoints')
    .values({
      id: endpoint.id,
      organization_id: endpoint.orgId,
      agent_id: endpoint.agentId,
      url: endpoint.url,
      status: 'delivering',
      created_at: endpoint.createdAt,
    })
    .execute();
}

const liveOfAgent = prepared((db, p: { agentId: string }) =>
  db
    .selectFrom('webhook_endpoints')
    .selectAll()
    .where('agent_id', '=', p.agentId)
    .where('removed_at', 'is', null)
    .orderBy('id'),
);

/** An agent's endpoints that were not removed, in the order they were made. */
export async function endpointsOfAgent(db: Queryable, agentId: string): Promise<Endpoint[]> {
  return (await liveOfAgent(db, { agentId })).rows.map(endpointOf);
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

/** Newest first. */
export async function endpointPage(db: Queryable, orgId: string, page: Page): Promise<Paged<Endpoint>> {
  const live = db.selectFrom('webhook_endpoints').where('organization_id', '=', orgId).where('removed_at', 'is', null);
  const rows = await live.selectAll().orderBy('id', 'desc').limit(page.limit).offset(page.offset).execute();
  const count = await live.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  return { items: rows.map(endpointOf), total: count.total };
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

/** Forgets endpoints that were removed before an instant and whose deliveries are gone, and the secrets of deleted agents with none. */
export async function deleteRemovedEndpoints(tx: Tx, before: number): Promise<void> {
  await sql`
    DELETE FROM webhook_endpoints WHERE removed_at < ${before}
    AND NOT EXISTS (SELECT 1 FROM webhook_deliveries d WHERE d.endpoint_id = webhook_endpoints.id)
  `.execute(tx);
  await sql`
    DELETE FROM webhook_secrets WHERE agent_id NOT IN (SELECT id FROM agents)
    AND agent_id NOT IN (SELECT agent_id FROM webhook_endpoints)
  `.execute(tx);
}

export const secretOf = (db: Queryable, agentId: string): Promise<SecretRow | undefined> =>
  db.selectFrom('webhook_secrets').selectAll().where('agent_id', '=', agentId).executeTakeFirst();

/** Writes an agent's first secret, or replaces it. */
export async function putSecret(tx: Tx, row: SecretRow): Promise<void> {
  const { agent_id: _agentId, ...secrets } = row;
  await tx
    .insertInto('webhook_secrets')
    .values(row)
    .onConflict((conflict) => conflict.column('agent_id').doUpdateSet(secrets))
    .execute();
}
