import { parseExactly } from '../../base/json.ts';
import { nextMacrotask } from '../../base/clock.ts';
import { conflict, type Fault, invalid, notFound } from '../../base/errors.ts';
import { given } from '../../base/given.ts';
import { transact, type Tx } from '../../db/transaction.ts';
import type { App } from '../../kernel/app.ts';
import { maxBatchRows } from '../../kernel/batch-size.ts';
import type { Page, Paged } from '../../kernel/paging.ts';
import { agentOf, findAgent } from '../agents/service.ts';
import type { CallStatus } from '../calls/call.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import * as endpoints from '../endpoints/service.ts';
import type { Attempt, Delivery } from './delivery.ts';
import * as lists from './delivery-list-store.ts';
import * as deliveries from './delivery-store.ts';
import { type EndpointHealth, endpointOf } from './endpoint-health.ts';
import { isFollowed, writeEvent } from './followers.ts';
import { inFlightOf } from './in-flight.ts';
import { pauseByHand, resumeEndpoint } from './outcomes.ts';
import { callCompleted, sampleBody } from './payload.ts';
import { sendAt } from './queue.ts';
import { restartNow } from './restart.ts';
import { ensureSecret, previousExpiryOf, type RotatedSecret, rotateSecret } from './secrets.ts';

/**
 * Creates the delivery of an event and returns its id. It is sent as soon as possible; or, unless `evenIfFailing`, held while the endpoint
 * is failing or paused, or older deliveries are being released.
 */
export async function createDelivery(
  app: App,
  tx: Tx,
  event: { id: string; orgId: string; subject: string },
  endpoint: Endpoint,
  options: { evenIfFailing?: boolean } = {},
): Promise<string> {
  const id = app.ids.make();
  const now = app.clock.now();
  const isHeldBack = endpoint.status !== 'delivering';
  // The sweep that releases older deliveries also sends this one, in its turn.
  const isQueued = endpoint.sweep === 'release';
  const isHeld = (isHeldBack || isQueued) && options.evenIfFailing !== true;
  await deliveries.insertDelivery(tx, {
    id,
    orgId: event.orgId,
    eventId: event.id,
    endpointId: endpoint.id,
    status: isHeld ? 'held' : 'pending',
    nextAttemptAt: isHeld ? null : now,
    createdAt: now,
    swept: isHeld && isQueued ? 0 : endpoint.sweeps,
  });
  if (isHeld && isHeldBack) await endpoints.addHeld(tx, endpoint.id, 1);
  if (!isHeld) await sendAt(app, tx, { id, endpointId: endpoint.id, subject: event.subject }, now);
  return id;
}

/** A page of an organization's deliveries, newest first. */
export const listDeliveries = (
  app: App,
  orgId: string,
  filter: lists.DeliveryFilter,
  page: Page,
): Promise<Paged<Delivery>> => lists.deliveryPage(app.db, orgId, filter, page, momentOf(app));

export const momentOf = (app: App): lists.Moment => ({ inFlight: inFlightOf(app), now: app.clock.now() });

/** How many deliveries an organization has in each status. */
export const countDeliveries = (app: App, orgId: string) => lists.countsByStatus(app.db, orgId, inFlightOf(app));

export type DeliveryDetail = { delivery: Delivery; payload: Record<string, unknown>; attempts: Attempt[] };

/**
 * A delivery with its payload and attempts.
 * @throws notFound when the organization has no such delivery
 */
export async function getDelivery(app: App, orgId: string, id: string): Promise<DeliveryDetail> {
  const delivery = await deliveryOf(app, app.db, orgId, id);
  const body = await deliveries.bodyOf(app.db, delivery.eventId);
  const attempts = await lists.attemptsOf(app.db, id);
  return { delivery, payload: body === '' ? {} : (parseExactly(body) as Record<string, unknown>), attempts };
}

/**
 * Sends a delivery now, even a delivered one, and restarts its schedule; a pending one keeps its place in the queue. While the endpoint is
 * failing, the delivery gets this one attempt; if it is the probe, the probe runs early. A delivery whose URL was removed gets one attempt
 * and, if that fails, is `cancelled` again.
 * @throws notFound when the organization has no such delivery
 */
export function retryDelivery(app: App, orgId: string, id: string): Promise<Delivery> {
  return transact(app.db, orgId, async (tx) => {
    const { eventId } = await deliveryOf(app, tx, orgId, id);
    if ((await deliveries.bodyOf(tx, eventId)) === '')
      throw conflict('The person whom this delivery is about was erased.');
    const delivery = await deliveries.deliveryWithEndpoint(tx, id);
    // A pending delivery keeps its place in the queue.
    if (delivery && delivery.status !== 'pending') {
      const endpoint = { id: delivery.endpointId, status: delivery.endpointStatus, sweeps: delivery.sweeps };
      await restartNow(app, tx, endpoint, [delivery]);
    }
    return deliveryOf(app, tx, orgId, id);
  });
}

type Range = { since: number | null; until: number | null };

/** @throws invalid when `since` is after `until` */
export function requireOrder({ since, until }: Partial<Range>): void {
  if (typeof since !== 'number' || typeof until !== 'number' || since <= until) return;
  throw invalid([
    { path: 'since', message: 'must not be after until' },
    { path: 'until', message: 'must not be before since' },
  ]);
}

/**
 * Retries those deliveries of an endpoint that were created from `since` to `until` (inclusive) and whose last attempt failed, whether
 * they are retrying, held or exhausted. Returns their number.
 * @throws invalid when `since` is after `until`; otherwise notFound when the organization has no such endpoint
 */
export async function retryFailed(app: App, orgId: string, endpointId: string, range: Range): Promise<number> {
  requireOrder(range);
  let queued = 0;
  for (let after: string | null = ''; after !== null; await nextMacrotask()) {
    const batch: RetriedBatch = await transact(app.db, orgId, (tx) =>
      retryBatch(app, tx, { orgId, endpointId, range, after: after! }),
    );
    queued += batch.queued;
    after = batch.next;
  }
  return queued;
}

type RetriedBatch = { queued: number; next: string | null };

async function retryBatch(
  app: App,
  tx: Tx,
  { orgId, endpointId, range, after }: { orgId: string; endpointId: string; range: Range; after: string },
): Promise<RetriedBatch> {
  const endpoint = await endpoints.endpointOf(tx, orgId, endpointId);
  const query = { statuses: unfinished, after, limit: maxBatchRows };
  const { ids, next } = await deliveries.waitingAfter(tx, endpoint, query);
  const failed = await deliveries.failedAmong(tx, ids, range);
  await restartNow(app, tx, endpoint, failed);
  return { queued: failed.length, next };
}

/**
 * The stored statuses of deliveries whose last attempt may have failed. `pending` is among them, because a sweep may be about to hold such
 * a delivery.
 */
const unfinished = ['pending', 'retrying', 'held', 'exhausted'] as const;

/**
 * Makes a failing or paused endpoint deliver again: everything undelivered is sent, oldest first. Does nothing if the endpoint delivers.
 * @throws notFound when the organization has no such endpoint
 */
export function resume(app: App, orgId: string, endpointId: string): Promise<EndpointHealth> {
  return transact(app.db, orgId, async (tx) => {
    const { status } = await endpoints.endpointOf(tx, orgId, endpointId);
    if (status !== 'delivering') await resumeEndpoint(app, tx, endpointId);
    return endpointOf(tx, orgId, endpointId);
  });
}

/**
 * Sends nothing to an endpoint until it is resumed: its events wait. Does nothing if it is paused already.
 * @throws notFound when the organization has no such endpoint
 */
export function pause(app: App, orgId: string, endpointId: string, reason: string | null): Promise<EndpointHealth> {
  return transact(app.db, orgId, async (tx) => {
    const { status } = await endpoints.endpointOf(tx, orgId, endpointId);
    if (status !== 'paused') await pauseByHand(app, tx, endpointId, reason);
    return endpointOf(tx, orgId, endpointId);
  });
}

/**
 * Queues a sample event like any other, even while the endpoint is failing.
 * @throws notFound when the organization has no such endpoint
 */
export function testEndpoint(app: App, orgId: string, endpointId: string): Promise<Delivery> {
  return transact(app.db, orgId, async (tx) => {
    const endpoint = await endpoints.endpointOf(tx, orgId, endpointId);
    const { agentName } = await agentOf(tx, orgId, endpoint.agentId);
    const now = app.clock.now();
    const source = { orgId, agentId: endpoint.agentId, agentName, callId: app.ids.make(), endedAt: now };
    const id = app.ids.make();
    const event = { id, orgId, agentId: endpoint.agentId, event: callCompleted, subject: id, createdAt: now };
    await writeEvent(app, tx, { ...event, body: sampleBody(source) });
    const delivery = await createDelivery(app, tx, event, endpoint, { evenIfFailing: true });
    return deliveryOf(app, tx, orgId, delivery);
  });
}

export type SampleEvent = { agentId: string; outcome?: CallStatus; data?: object };

/** The fault of an agent that the organization does not have. */
export const sampleFaults = async (app: App, orgId: string, { agentId }: Partial<SampleEvent>): Promise<Fault[]> =>
  agentId === undefined || (await findAgent(app.db, orgId, agentId))
    ? []
    : [{ path: 'agent_id', message: 'no such agent' }];

/**
 * Sends a sample event, marked as a test, to every URL of an agent and to those who follow events. Returns its id.
 * @throws invalid for an unknown agent; conflict for one without URLs whose events nobody follows
 */
export function sendSampleEvent(app: App, orgId: string, { agentId, outcome, data }: SampleEvent): Promise<string> {
  return transact(app.db, orgId, async (tx) => {
    const faults = await sampleFaults(app, orgId, { agentId });
    if (faults.length > 0) throw invalid(faults);
    const { agentName } = await agentOf(tx, orgId, agentId);
    const urls = await endpoints.endpointsOfAgent(tx, agentId);
    if (urls.length === 0 && !(await isFollowed(app, tx, orgId))) {
      throw conflict(
        'The agent has no webhook URL, and nobody follows the events: set webhook_url, or run parley listen.',
      );
    }
    const now = app.clock.now();
    const source = { orgId, agentId, agentName, callId: app.ids.make(), endedAt: now, ...given({ outcome, data }) };
    const id = app.ids.make();
    const event = { id, orgId, agentId, event: callCompleted, subject: id, createdAt: now };
    await writeEvent(app, tx, { ...event, forFollowers: urls.length === 0, body: sampleBody(source) });
    for (const endpoint of urls) await createDelivery(app, tx, event, endpoint);
    return id;
  });
}

/**
 * The agent's signing secret, created if the agent never had webhooks.
 * @throws notFound when the organization has no such agent
 */
export function getSecret(app: App, orgId: string, agentId: string): Promise<RotatedSecret> {
  return transact(app.db, orgId, async (tx) => {
    await agentOf(tx, orgId, agentId);
    const secret = await ensureSecret(app, tx, agentId);
    return { secret, previousExpiresAt: await previousExpiryOf(tx, agentId, app.clock.now()) };
  });
}

/**
 * Replaces the agent's secret. The previous secret signs too until the overlap ends; with an overlap of 0 it stops signing immediately.
 * @throws notFound when the organization has no such agent
 */
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

/** @throws notFound when the organization has no such delivery */
async function deliveryOf(app: App, db: App['db'], orgId: string, id: string): Promise<Delivery> {
  const delivery = await lists.deliveryById(db, orgId, id, momentOf(app));
  if (!delivery) throw notFound('webhook delivery');
  return delivery;
}
