import type { Tx } from '../../db/transaction.ts';
import type { App } from '../../kernel/app.ts';
import { agentOf } from '../agents/service.ts';
import type { Call } from '../calls/call.ts';
import { changesOf } from './endpoint.ts';
import * as deliveries from './delivery-store.ts';
import * as endpoints from './endpoint-store.ts';
import { revive } from './outcomes.ts';
import { callCompleted, callCompletedBody } from './payload.ts';
import { dropAll } from './queue.ts';
import { ensureSecret } from './secrets.ts';
import { createDelivery } from './service.ts';

/** Writes the event of an ended call and its deliveries, in the transaction that ends the call. */
export async function onCallEnded(app: App, tx: Tx, { call }: { call: Call }): Promise<void> {
  const targets = await endpoints.endpointsOfAgent(tx, call.agentId);
  if (targets.length === 0) return;
  const agent = await agentOf(tx, call.orgId, call.agentId);
  if (!agent.webhookEvents.includes(callCompleted)) return;
  const event = {
    id: app.ids.make(),
    orgId: call.orgId,
    agentId: call.agentId,
    event: callCompleted,
    body: callCompletedBody(call),
    createdAt: app.clock.now(),
  };
  await deliveries.insertEvent(tx, event);
  for (const endpoint of targets) await createDelivery(app, tx, event, endpoint);
}

/** Makes endpoints of the agent's saved URLs; a failing one that is saved again sends what waits (contract, section 11). */
export async function onAgentWebhooksSaved(
  app: App,
  tx: Tx,
  { orgId, agentId, urls }: { orgId: string; agentId: string; urls: readonly string[] },
): Promise<void> {
  const { added, removed, revived } = changesOf(await endpoints.endpointsOfAgent(tx, agentId), urls);
  const now = app.clock.now();
  if (added.length > 0) await ensureSecret(app, tx, agentId);
  for (const url of added) {
    await endpoints.insertEndpoint(tx, { id: app.ids.make(), orgId, agentId, url, createdAt: now });
  }
  for (const { id } of removed) {
    await endpoints.setRemoved(tx, id, now);
    await deliveries.cancelWaiting(tx, id, now);
    await dropAll(tx, id);
  }
  for (const { id } of revived) await revive(app, tx, id);
}

/** A deleted agent has no URLs any more. */
export const onAgentDeleting = (
  app: App,
  tx: Tx,
  { orgId, agentId }: { orgId: string; agentId: string },
): Promise<void> => onAgentWebhooksSaved(app, tx, { orgId, agentId, urls: [] });
