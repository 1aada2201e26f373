import { parseExactly } from '../../base/json.ts';
import { invalid, notFound } from '../../base/errors.ts';
import { transact, type Tx } from '../../db/transaction.ts';
import type { App } from '../../kernel/app.ts';
import type { Page, Paged } from '../../kernel/paging.ts';
import { agentOf } from '../agents/service.ts';
import type { Attempt, Delivery } from './delivery.ts';
import * as lists from './delivery-list-store.ts';
import * as deliveries from './delivery-store.ts';
import type { Endpoint } from './endpoint.ts';
import * as endpoints from './endpoint-store.ts';
import { inFlightOf } from './in-flight.ts';
import { callCompleted, sampleBody } from './payload.ts';
import { sendAllNow, sendAt } from './queue.ts';
import { ensureSecret, type RotatedSecret, rotateSecret } from './secrets.ts';

/** The delivery of an event to an endpoint: sent as soon as its turn comes, or held while the endpoint is failing. */
export async function createDelivery(
  app: App,
  tx: Tx,
  event: { id: string; orgId: string },
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
  else await sendAt(app, tx, { id, endpointId: endpoint.id }, now);
  return id;
}

/** The endpoints that were not removed, newest first. */
export const listEndpoints = (app: App, orgId: string, page: Page): Promise<Paged<Endpoint>> =>
  endpoints.endpointPage(app.db, orgId, page);

/** Deliveries newest first. */
export const listDeliveries = (
  app: App,
  orgId: string,
  filter: lists.DeliveryFilter,
  page: Page,
): Promise<Paged<Delivery>> => lists.deliveryPage(app.db, orgId, filter, page, inFlightOf(app));

export type DeliveryDetail = { delivery: Delivery; payload: Record<string, unknown>; attempts: Attempt[] };

/** A delivery with what it carries and every attempt made. */
export async function getDelivery(app: App, orgId: string, id: string): Promise<DeliveryDetail> {
  const delivery = await deliveryOf(app, app.db, orgId, id);
  const { body } = await lists.bodyOf(app.db, delivery.eventId);
  const attempts = await lists.attemptsOf(app.db, id);
  return { delivery, payload: parseExactly(body) as Record<string, unknown>, attempts };
}

/**
 * Sends a delivery again now, a delivered one too, with a fresh count of failures. While its endpoint is failing it is sent all the
 * same, this once; the delivery that probes the endpoint is tried early. One whose URL was removed from the agent is sent there once:
 * when that fails it is `cancelled` again.
 */
export function retryDelivery(app: App, orgId: string, id: string): Promise<Delivery> {
  return transact(app.db, orgId, async (tx) => {
    await deliveryOf(app, tx, orgId, id);
    const situation = await deliveries.situationById(tx, id);
    // One that waits for its turn keeps its place in the line.
    if (situation && situation.status !== 'pending') {
      // Versions before 0007 deleted an agent's secret with the agent.
      if (situation.endpointRemoved) await ensureSecret(app, tx, situation.agentId);
      await restartNow(app, tx, situation.endpointId, situation.endpointStatus, [situation]);
    }
    return deliveryOf(app, tx, orgId, id);
  });
}

/**
 * Sends again what failed on an endpoint: deliveries whose last attempt failed and that wait or were given up, made from `since` to
 * `until` (both included). Answers how many.
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
    const endpoint = await endpointOf(tx, orgId, endpointId);
    const failed = await deliveries.failedOf(tx, endpointId, range);
    await restartNow(app, tx, endpointId, endpoint.status, failed);
    return failed.length;
  });
}

/** While the endpoint is failing, its probe stays what it is (only it can heal the endpoint) and comes early. */
async function restartNow(
  app: App,
  tx: Tx,
  endpointId: string,
  endpointStatus: Endpoint['status'],
  rows: readonly deliveries.FailedRow[],
): Promise<void> {
  const now = app.clock.now();
  const ids = rows.map(({ id }) => id);
  const probe = rows.find(({ status }) => endpointStatus === 'failing' && status === 'retrying');
  const held = rows.filter(({ status }) => status === 'held').length;
  await deliveries.restart(tx, probe ? ids.filter((id) => id !== probe.id) : ids, now);
  if (probe) await deliveries.updateDelivery(tx, probe.id, { status: 'retrying', nextAttemptAt: now }, now);
  if (held > 0) await endpoints.addHeld(tx, endpointId, -held);
  await sendAllNow(app, tx, endpointId, ids);
}

/** Sends a sample through the same queue as any delivery, even while the endpoint is failing. */
export function testEndpoint(app: App, orgId: string, endpointId: string): Promise<Delivery> {
  return transact(app.db, orgId, async (tx) => {
    const endpoint = await endpointOf(tx, orgId, endpointId);
    const { agentName } = await agentOf(tx, orgId, endpoint.agentId);
    const now = app.clock.now();
    const source = { orgId, agentId: endpoint.agentId, agentName, callId: app.ids.make(), endedAt: now };
    const event = { id: app.ids.make(), orgId, agentId: endpoint.agentId, event: callCompleted, createdAt: now };
    await deliveries.insertEvent(tx, { ...event, body: sampleBody(source) });
    const id = await createDelivery(app, tx, event, endpoint, { evenIfFailing: true });
    return deliveryOf(app, tx, orgId, id);
  });
}

/** The agent's signing secret; an agent that never had webhooks gets one. */
export function getSecret(app: App, orgId: string, agentId: string): Promise<string> {
  return transact(app.db, orgId, async (tx) => {
    await agentOf(tx, orgId, agentId);
    return ensureSecret(app, tx, agentId);
  });
}

/** Replaces the agent's secret; the old one signs beside it until the overlap ends, by default not at all. */
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

async function endpointOf(tx: Tx, orgId: string, id: string): Promise<Endpoint> {
  const endpoint = await endpoints.endpointById(tx, orgId, id);
  if (!endpoint) throw notFound('webhook endpoint');
  return endpoint;
}
