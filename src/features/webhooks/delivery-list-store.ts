import { sql } from 'kysely';
import type { Queryable } from '../../db/transaction.ts';
import type { Page, Paged } from '../../kernel/paging.ts';
import { type Attempt, type Delivery, type DeliveryStatus, isDue, type StoredStatus } from './delivery.ts';
import { idsIn } from './delivery-store.ts';

const deliveryQuery = (db: Queryable) =>
  db
    .selectFrom('webhook_deliveries as d')
    .innerJoin('webhook_endpoints as p', 'p.id', 'd.endpoint_id')
    .innerJoin('webhook_events as e', 'e.id', 'd.event_id')
    .select([
      'd.id',
      'd.event_id as eventId',
      'd.endpoint_id as endpointId',
      'p.agent_id as agentId',
      'p.url',
      'e.event',
      'd.status',
      'd.attempt_count as attemptCount',
      'd.next_attempt_at as nextAttemptAt',
      'd.created_at as createdAt',
      'd.delivered_at as deliveredAt',
    ]);

type StoredDelivery = Omit<Delivery, 'status'> & { status: StoredStatus };

/** What is in flight is `delivering`, whatever it was before. */
const deliveryOf = (row: StoredDelivery, inFlight: ReadonlySet<string>): Delivery =>
  inFlight.has(row.id) && isDue(row.status) ? { ...row, status: 'delivering', nextAttemptAt: null } : row;

export type DeliveryFilter = { status?: DeliveryStatus; endpointId?: string; eventId?: string };

/** Newest first. */
export async function deliveryPage(
  db: Queryable,
  orgId: string,
  filter: DeliveryFilter,
  page: Page,
  inFlight: ReadonlySet<string>,
): Promise<Paged<Delivery>> {
  const where = conditionOf(orgId, filter, inFlight);
  const rows = await deliveryQuery(db)
    .where(where)
    .orderBy('d.id', 'desc')
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  const count = await db
    .selectFrom('webhook_deliveries as d')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where(where)
    .executeTakeFirstOrThrow();
  return { items: rows.map((row) => deliveryOf(row, inFlight)), total: count.total };
}

/** The unary plus takes a column out of the planner's choice of an index: the narrowest filter has its own. */
function conditionOf(orgId: string, filter: DeliveryFilter, inFlight: ReadonlySet<string>) {
  const narrow = filter.eventId !== undefined || filter.endpointId !== undefined || filter.status === 'delivering';
  const parts = [narrow ? sql<boolean>`+d.organization_id = ${orgId}` : sql<boolean>`d.organization_id = ${orgId}`];
  if (filter.eventId !== undefined) parts.push(sql`d.event_id = ${filter.eventId}`);
  if (filter.endpointId !== undefined) {
    parts.push(
      filter.eventId === undefined
        ? sql`d.endpoint_id = ${filter.endpointId}`
        : sql`+d.endpoint_id = ${filter.endpointId}`,
    );
  }
  if (filter.status === 'delivering') {
    parts.push(sql`d.id IN ${idsIn(inFlight)}`, sql`+d.status IN ('pending', 'retrying')`);
  } else if (filter.status !== undefined) {
    parts.push(sql`d.status = ${filter.status}`);
    if (isDue(filter.status)) parts.push(sql`d.id NOT IN ${idsIn(inFlight)}`);
  }
  return sql<boolean>`${sql.join(parts, sql` AND `)}`;
}

export async function deliveryById(
  db: Queryable,
  orgId: string,
  id: string,
  inFlight: ReadonlySet<string>,
): Promise<Delivery | undefined> {
  const row = await deliveryQuery(db).where('d.organization_id', '=', orgId).where('d.id', '=', id).executeTakeFirst();
  return row && deliveryOf(row, inFlight);
}

export const bodyOf = (db: Queryable, eventId: string): Promise<{ body: string }> =>
  db.selectFrom('webhook_events').select('body').where('id', '=', eventId).executeTakeFirstOrThrow();

export async function attemptsOf(db: Queryable, deliveryId: string): Promise<Attempt[]> {
  return db
    .selectFrom('webhook_attempts')
    .select([
      'number',
      'at',
      'duration_ms as durationMs',
      'status_code as statusCode',
      'error',
      'response_body as responseBody',
    ])
    .where('delivery_id', '=', deliveryId)
    .orderBy('number')
    .execute();
}
