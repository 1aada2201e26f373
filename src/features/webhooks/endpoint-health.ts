import { sql } from 'kysely';
import { prepared } from '../../db/prepared.ts';
import { joinInOrder, recordsOf } from '../../db/sql.ts';
import type { Queryable } from '../../db/transaction.ts';
import { hourMs } from '../../base/clock.ts';
import type { App } from '../../kernel/app.ts';
import type { Page, Paged } from '../../kernel/paging.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import * as endpoints from '../endpoints/service.ts';
import { deliveredIn } from './hours-store.ts';
import { laneOf } from './queue.ts';
import { probeDelayMs } from './retry.ts';

/** An endpoint with facts about its deliveries. */
export type EndpointHealth = Endpoint & {
  agentName: string;
  /** When the next attempt starts; null when nothing is scheduled. */
  nextAttemptAt: number | null;
  lastDeliveredAt: number | null;
  /** Number of deliveries that failed for good. */
  exhausted: number;
};

type HealthRow = Pick<EndpointHealth, 'id' | 'agentName' | 'nextAttemptAt' | 'lastDeliveredAt' | 'exhausted'>;

/** The earliest waiting job of a lane is read as the first entry of an index. */
const selectHealth = prepared(
  (_db, p: { orgId: string; wanted: ReadonlyArray<{ id: string; lane: string }> }) => sql<HealthRow>`
    SELECT p.id, a.agent_name AS "agentName", c.exhausted, c.last_delivered_at AS "lastDeliveredAt",
      (SELECT o.due_at FROM outbox o WHERE o.scope = ${p.orgId} AND o.lane = wanted.lane AND o.lease_until IS NULL
       ORDER BY o.due_at LIMIT 1) AS "nextAttemptAt"
    FROM ${recordsOf(p.wanted, { id: 'text', lane: 'text' })} AS wanted
    ${joinInOrder} webhook_endpoints p ON p.id = wanted.id
    ${joinInOrder} agents a ON a.id = p.agent_id
    ${joinInOrder} delivery_counts c ON c.organization_id = ${p.orgId} AND c.endpoint_id = p.id`,
);

async function withHealth(db: Queryable, orgId: string, found: readonly Endpoint[]): Promise<EndpointHealth[]> {
  const wanted = found.map(({ id }) => ({ id, lane: laneOf(id) }));
  const rows = new Map((await selectHealth(db, { orgId, wanted })).rows.map((row) => [row.id, row]));
  return found.map((endpoint) => underSweep({ ...endpoint, ...rows.get(endpoint.id)! }));
}

/**
 * The endpoint as it will be after its sweep: readers see a sweep's result from the start, although it changes deliveries and jobs batch by
 * batch.
 */
function underSweep(endpoint: EndpointHealth): EndpointHealth {
  const { sweep, failingSince } = endpoint;
  if (endpoint.status === 'paused') return { ...endpoint, nextAttemptAt: null };
  if (sweep === 'release') return { ...endpoint, exhausted: 0 };
  if (sweep === 'hold' && failingSince !== null) return { ...endpoint, nextAttemptAt: failingSince + probeDelayMs };
  return endpoint;
}

/** How many deliveries an endpoint took in each of the last 24 hours of UTC, the oldest first; the last one is going on. */
export type DeliveredByHour = { deliveredByHour: readonly number[] };

/** The organization's endpoints that were not removed, newest first. */
export async function listEndpoints(
  app: App,
  orgId: string,
  filter: endpoints.EndpointFilter,
  page: Page,
): Promise<Paged<EndpointHealth & DeliveredByHour>> {
  const { items, ...meta } = await endpoints.listEndpoints(app, orgId, filter, page);
  const hours = lastHours(app.clock.now());
  const counts = await deliveredIn(app.db, orgId, { ids: items.map(({ id }) => id), hours });
  const found = await withHealth(app.db, orgId, items);
  return {
    items: found.map((endpoint) => ({
      ...endpoint,
      deliveredByHour: hours.map((hour) => counts.get(endpoint.id)?.get(hour) ?? 0),
    })),
    ...meta,
  };
}

/** The beginnings of the last 24 hours of UTC, the present one last. */
function lastHours(now: number): number[] {
  const present = now - (now % hourMs);
  return Array.from({ length: 24 }, (_, index) => present - (23 - index) * hourMs);
}

/** @throws notFound when the organization has no such endpoint, or the endpoint was removed */
export const endpointOf = async (db: Queryable, orgId: string, id: string): Promise<EndpointHealth> =>
  (await withHealth(db, orgId, [await endpoints.endpointOf(db, orgId, id)]))[0]!;
