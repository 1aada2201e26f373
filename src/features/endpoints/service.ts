import { notFound } from '../../base/errors.ts';
import type { Queryable, Tx } from '../../db/transaction.ts';
import type { App } from '../../kernel/app.ts';
import type { Page, Paged } from '../../kernel/paging.ts';
import { changesOf, type Endpoint } from './endpoint.ts';
import { endpointsSaved } from './events.ts';
import * as store from './store.ts';

export type { EndpointFilter, EndpointSweep } from './store.ts';

/**
 * Saves an agent's webhook URLs in their order; an empty list removes them all. Saving the URL of a failing endpoint again, even
 * unchanged, resumes the endpoint (docs/api/webhooks.md, "Failing endpoints").
 */
export async function saveUrls(
  app: App,
  tx: Tx,
  { orgId, agentId }: { orgId: string; agentId: string },
  urls: readonly string[],
): Promise<void> {
  const { added, moved, removed, resumed } = changesOf(await store.endpointsOfAgent(tx, agentId), urls);
  const now = app.clock.now();
  const newEndpoints = added.map((one) => ({ ...one, id: app.ids.make(), orgId, agentId, createdAt: now }));
  for (const endpoint of newEndpoints) await store.insertEndpoint(tx, endpoint);
  for (const { endpoint, position } of moved) await store.setPosition(tx, endpoint.id, position);
  for (const { id } of removed) await store.setRemoved(tx, id, now);
  if (newEndpoints.length + removed.length + resumed.length === 0) return;
  await app.events.emit(app, tx, endpointsSaved, {
    orgId,
    agentId,
    added: newEndpoints.map(({ id }) => id),
    removed: removed.map(({ id }) => id),
    resumed: resumed.map(({ id }) => id),
  });
}

/** The URLs of agents in their order, by agent id. Agents without URLs are missing. */
export async function urlsByAgent(db: Queryable, agentIds: readonly string[]): Promise<Map<string, string[]>> {
  const byAgent = Map.groupBy(await store.urlsOfAgents(db, agentIds), ({ agentId }) => agentId);
  return new Map([...byAgent].map(([agentId, rows]) => [agentId, rows.map(({ url }) => url)]));
}

/** Whether the organization has an endpoint with this id, or had one that was removed. */
export const isEndpointOf = (db: Queryable, orgId: string, id: string): Promise<boolean> =>
  store.isEndpointOf(db, orgId, id);

/** An agent's endpoints in the order of its URLs. */
export const endpointsOfAgent = (db: Queryable, agentId: string): Promise<Endpoint[]> =>
  store.endpointsOfAgent(db, agentId);

/** @throws notFound when the organization has no such endpoint, or the endpoint was removed */
export async function endpointOf(db: Queryable, orgId: string, id: string): Promise<Endpoint> {
  const endpoint = await store.endpointById(db, orgId, id);
  if (!endpoint) throw notFound('webhook endpoint');
  return endpoint;
}

/** The organization's endpoints that were not removed, newest first. */
export const listEndpoints = (
  app: App,
  orgId: string,
  filter: store.EndpointFilter,
  page: Page,
): Promise<Paged<Endpoint>> => store.endpointPage(app.db, orgId, filter, page);

/** Pauses an endpoint. The caller holds its deliveries. */
export const markFailing = (app: App, tx: Tx, id: string): Promise<void> => store.setFailing(tx, id, app.clock.now());

/** Pauses an endpoint by hand. The caller holds its deliveries. */
export const markPaused = (app: App, tx: Tx, id: string, reason: string | null): Promise<void> =>
  store.setPaused(tx, id, { at: app.clock.now(), reason });

/** Ends a pause, and clears the last error and the count of held deliveries. The caller sends the held deliveries. */
export const markDelivering = (tx: Tx, id: string): Promise<void> => store.setDelivering(tx, id);

/** The sweep of an endpoint, even of a removed one; undefined if there is no such endpoint. */
export const sweepOf = (tx: Tx, id: string): Promise<store.EndpointSweep | undefined> => store.sweepOf(tx, id);

export const endSweep = (tx: Tx, id: string): Promise<void> => store.endSweep(tx, id);

/** Whether a sweep of any endpoint of the organization is under way. */
export const isSweeping = (db: Queryable, orgId: string): Promise<boolean> => store.isSweeping(db, orgId);

/** Records that an attempt failed, and why. */
export const countFailure = (tx: Tx, id: string, error: string): Promise<void> => store.countFailure(tx, id, error);

/** Sets the count of failures to 0 and clears the last error, after a success. */
export const clearFailures = (tx: Tx, id: string): Promise<void> => store.clearFailures(tx, id);

/** Changes the count of held deliveries. */
export const addHeld = (tx: Tx, id: string, change: number): Promise<void> => store.addHeld(tx, id, change);

/** Deletes removed endpoints that no delivery refers to any more. */
export const deleteEndpoints = (tx: Tx, ids: readonly string[]): Promise<void> => store.deleteEndpoints(tx, ids);
