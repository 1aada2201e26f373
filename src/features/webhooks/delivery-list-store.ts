import { sql } from 'kysely';
import { readPage } from '../../db/prepared.ts';
import type { Queryable } from '../../db/transaction.ts';
import { listOf, withoutIndex } from '../../db/sql.ts';
import type { Page, Paged } from '../../kernel/paging.ts';
import {
  type Attempt,
  type Delivery,
  type DeliveryStatus,
  deliveryStatuses,
  isScheduled,
  type StoredStatus,
} from './delivery.ts';

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

/** A delivery with a running attempt is shown as `delivering`, which is never stored. */
const deliveryOf = (row: StoredDelivery, inFlight: ReadonlySet<string>): Delivery =>
  inFlight.has(row.id) && isScheduled(row.status) ? { ...row, status: 'delivering', nextAttemptAt: null } : row;

export type DeliveryFilter = { status?: DeliveryStatus; endpointId?: string; eventId?: string };

/** Newest first. */
export async function deliveryPage(
  db: Queryable,
  orgId: string,
  filter: DeliveryFilter,
  page: Page,
  inFlight: ReadonlySet<string>,
): Promise<Paged<Delivery>> {
  const deliveries = deliveryQuery(db)
    .where(conditionOf(orgId, filter, inFlight))
    .orderBy('d.id', 'desc');
  const rows = await readPage(db, deliveries, page);
  return { items: rows.map((row) => deliveryOf(row, inFlight)), total: await totalOf(db, orgId, filter, inFlight) };
}

/** Most deliveries are `delivered`, and no index covers that status, so their count is all minus the undelivered ones. */
async function totalOf(db: Queryable, orgId: string, filter: DeliveryFilter, inFlight: ReadonlySet<string>) {
  const count = async (counted: CountFilter): Promise<number> => {
    const counting = db.selectFrom('webhook_deliveries as d').select((eb) => eb.fn.countAll<number>().as('total'));
    return (await counting.where(conditionOf(orgId, counted, inFlight)).executeTakeFirstOrThrow()).total;
  };
  if (filter.status !== 'delivered') return count(filter);
  const { status: _status, ...rest } = filter;
  return (await count(rest)) - (await count({ ...rest, status: 'undelivered' }));
}

type CountFilter = Omit<DeliveryFilter, 'status'> & { status?: DeliveryStatus | 'undelivered' };

/**
 * Leaves the planner only the index of the most selective condition: running attempts, then one event, then undelivered ones, then one
 * endpoint. The other conditions are written so that no index applies to them.
 */
function conditionOf(orgId: string, { status, endpointId, eventId }: CountFilter, inFlight: ReadonlySet<string>) {
  const isUndelivered = status !== undefined && status !== 'delivered';
  const byOrganization =
    status !== 'delivering' && eventId === undefined && (isUndelivered || endpointId === undefined);
  const byEndpoint = eventId === undefined && !isUndelivered;
  const parts = [
    byOrganization ? sql`d.organization_id = ${orgId}` : sql`${withoutIndex('d.organization_id')} = ${orgId}`,
  ];
  if (eventId !== undefined) parts.push(sql`d.event_id = ${eventId}`);
  if (endpointId !== undefined) {
    parts.push(byEndpoint ? sql`d.endpoint_id = ${endpointId}` : sql`${withoutIndex('d.endpoint_id')} = ${endpointId}`);
  }
  return sql<boolean>`${sql.join([...parts, ...statusConditions(status, inFlight)], sql` AND `)}`;
}

/** Listed one by one, because SQLite uses the index on (organization_id, status) only for a condition on status. */
const undelivered = deliveryStatuses.filter((status) => status !== 'delivered' && status !== 'delivering');

function statusConditions(status: CountFilter['status'], inFlight: ReadonlySet<string>) {
  switch (status) {
    case undefined:
      return [];
    case 'delivered':
      return [sql`${withoutIndex('d.delivered_at')} IS NOT NULL`];
    case 'undelivered':
      return [sql`d.delivered_at IS NULL`, sql`d.status IN (${sql.join(undelivered)})`];
    case 'delivering':
      return [sql`d.id IN ${listOf(inFlight)}`, sql`${withoutIndex('d.status')} IN ('pending', 'retrying')`];
    default: {
      const conditions = [sql`d.delivered_at IS NULL`, sql`d.status = ${status}`];
      return isScheduled(status) ? [...conditions, sql`d.id NOT IN ${listOf(inFlight)}`] : conditions;
    }
  }
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
