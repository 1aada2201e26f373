import { parseExactly } from '../../base/json.ts';
import { invalid, notFound } from '../../base/errors.ts';
import { transact, type Tx } from '../../db/transaction.ts';
import type { App } from '../../kernel/app.ts';
import type { Page, Paged } from '../../kernel/paging.ts';
import { agentOf } from '../agents/service.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import * as endpoints from '../endpoints/service.ts';
import type { Attempt, Delivery } from './delivery.ts';
import * as lists from './delivery-list-store.ts';
import * as deliveries from './delivery-store.ts';
import { inFlightOf } from './in-flight.ts';
import { callCompleted, sampleBody } from './payload.ts';
import { sendAllNow, sendAt } from './queue.ts';
import { ensureSecret, type RotatedSecret, rotateSecret } from './secrets.ts';

/** Creates the delivery of an event to an endpoint, which is sent as soon as possible, or held while the endpoint is failing. */
export async function createDelivery(
  app: App,
  tx: Tx,
  event: { id: string; orgId: string; subject: string },
  endpoint: Endpoint,
  options: { evenIfFailing?: boolean } = {},
): Promise<string> {
  const id = app.ids.make();
  const now = app.clock.now();
  const isHeld = endpoint.status === 'failing' && options.evenIfFailing !== true;
  await deliveries.insertDelivery(tx, {
    id,
    orgId: event.orgId,
    eventId: event.id,
    endpointId: endpoint.id,
    status: isHeld ? 'held' : 'pending',
    nextAttemptAt: isHeld ? null : now,
    createdAt: now,
  });
  if (isHeld) await endpoints.addHeld(tx, endpoint.id, 1);
  else await sendAt(app, tx, { id, endpointId: endpoint.id, subject: event.subject }, now);
  return id;
}

/** Newest first. */
export const listDeliveries = (
  app: App,
  orgId: string,
  filter: lists.DeliveryFilter,
  page: Page,
): Promise<Paged<Delivery>> => lists.deliveryPage(app.db, orgId, filter, page, inFlightOf(app));

export type DeliveryDetail = { delivery: Delivery; payload: Record<string, unknown>; attempts: Attempt[] };

/** A delivery with its payload and all attempts. @throws notFound when the organization has no such delivery */
export async function getDelivery(app: App, orgId: string, id: string): Promise<DeliveryDetail> {
  const delivery = await deliveryOf(app, app.db, orgId, id);
  const { body } = await lists.bodyOf(app.db, delivery.eventId);
  const attempts = await lists.attemptsOf(app.db, id);
  return { delivery, payload: parseExactly(body) as Record<string, unknown>, attempts };
}

/**
 * Sends a delivery now, even a delivered one, and restarts its schedule. A failing endpoint gets this one attempt, too; if the delivery
 * is its probe, the probe runs early. A delivery whose URL was removed gets one attempt and, if that fails, is `cancelled` again.
 * @throws notFound when the organization has no such delivery
 */
export function retryDelivery(app: App, orgId: string, id: string): Promise<Delivery> {
  return transact(app.db, orgId, async (tx) => {
    await deliveryOf(app, tx, orgId, id);
    const delivery = await deliveries.deliveryWithEndpoint(tx, id);
    // A pending delivery keeps its place in the queue.
    if (delivery && delivery.status !== 'pending') {
      // Before migration 0007, deleting an agent deleted its secret, which this delivery needs.
      if (delivery.endpointRemoved) await ensureSecret(app, tx, delivery.agentId);
      await restartNow(app, tx, delivery.endpointId, delivery.endpointStatus, [delivery]);
    }
    return deliveryOf(app, tx, orgId, id);
  });
}

/**
 * Retries those deliveries of an endpoint that were created from `since` to `until` (inclusive) and whose last attempt failed, whether
 * they wait or are exhausted. Returns how many.
 * @throws invalid when `since` is after `until`; notFound when the organization has no such endpoint
 */
export async function retryFailed(
  app: App,
  orgId: string,
  endpointId: string,
  range: { since: number | null; until: number | null },
): Promise<number> {
  if (range.since !== null && range.until !== null && range.since > range.until) {
    throw invalid([
      { path: 'since', message: 'must not be after until' },
      { path: 'until', message: 'must not be before since' },
    ]);
  }
  return transact(app.db, orgId, async (tx) => {
    const endpoint = await endpoints.endpointOf(tx, orgId, endpointId);
    const failed = await deliveries.failedDeliveries(tx, endpointId, range);
    await restartNow(app, tx, endpointId, endpoint.status, failed);
    return failed.length;
  });
}

/** Restarts the schedule of deliveries. A failing endpoint's probe stays the probe, which alone can resume the endpoint, and runs now. */
async function restartNow(
  app: App,
  tx: Tx,
  endpointId: string,
  endpointStatus: Endpoint['status'],
  rows: readonly deliveries.FailedDelivery[],
): Promise<void> {
  const now = app.clock.now();
  const ids = rows.map(({ id }) => id);
  const probe = rows.find(({ status }) => endpointStatus === 'failing' && status === 'retrying');
  const held = rows.filter(({ status }) => status === 'held').length;
  await deliveries.restart(tx, ids, now);
  if (probe) await deliveries.updateDelivery(tx, probe.id, { status: 'retrying', nextAttemptAt: now }, now);
  if (held > 0) await endpoints.addHeld(tx, endpointId, -held);
  await sendAllNow(app, tx, endpointId, ids);
}

/** Sends a sample event through the regular queue, even while the endpoint is failing. */
export function testEndpoint(app: App, orgId: string, endpointId: string): Promise<Delivery> {
  return transact(app.db, orgId, async (tx) => {
    const endpoint = await endpoints.endpointOf(tx, orgId, endpointId);
    const { agentName } = await agentOf(tx, orgId, endpoint.agentId);
    const now = app.clock.now();
    const source = { orgId, agentId: endpoint.agentId, agentName, callId: app.ids.make(), endedAt: now };
    const id = app.ids.make();
    const event = { id, orgId, agentId: endpoint.agentId, event: callCompleted, subject: id, createdAt: now };
    await deliveries.insertEvent(tx, { ...event, body: sampleBody(source) });
    const delivery = await createDelivery(app, tx, event, endpoint, { evenIfFailing: true });
    return deliveryOf(app, tx, orgId, delivery);
  });
}

/** The agent's signing secret, created if the agent never had webhooks. */
export function getSecret(app: App, orgId: string, agentId: string): Promise<string> {
  return transact(app.db, orgId, async (tx) => {
    await agentOf(tx, orgId, agentId);
    return ensureSecret(app, tx, agentId);
  });
}

/** Replaces the agent's secret. The previous one signs too until the overlap ends; an overlap of 0 stops it immediately. */
export function rotateAgentSecret(
  app: App,
  orgId: string,
  agentId: string,
  overlapSec: number,
): Promise<RotatedSecret> {
  return transact(app.db, orgId, async (tx) => {
    await agentOf(tx, orgId, agentId);
    return rotateSecret(app, tx, agentId, overlapSec);
  });
}

async function deliveryOf(app: App, db: App['db'], orgId: string, id: string): Promise<Delivery> {
  const delivery = await lists.deliveryById(db, orgId, id, inFlightOf(app));
  if (!delivery) throw notFound('webhook delivery');
  return delivery;
}
