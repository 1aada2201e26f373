import type { Tx } from '../../db/transaction.ts';
import type { App, ReadingSubscriber } from '../../kernel/app.ts';
import type { WebhookEventName } from '../agents/agent.ts';
import type { Call } from '../calls/call.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { endpointsOfAgent } from '../endpoints/service.ts';
import * as deliveries from './delivery-store.ts';
import { isFollowed, writeEvent } from './followers.ts';
import { resumeEndpoint } from './outcomes.ts';
import { callCompleted, callCompletedBody } from './payload.ts';
import { ensureSecret } from './secrets.ts';
import { createDelivery } from './service.ts';
import { startSweeps } from './sweep.ts';

type EndedCall = { call: Call };

/**
 * Writes the event of an ended call and one delivery per endpoint, in the transaction that ends the call. Without an endpoint there is an
 * event only if somebody follows events.
 */
async function writeCallEnded(app: App, tx: Tx, { call }: EndedCall, receivers: Receivers | undefined): Promise<void> {
  if (receivers === undefined) return;
  const { endpoints, events } = receivers;
  if (endpoints.length === 0 && !(await isFollowed(app, tx, call.orgId))) return;
  if (!events.includes(callCompleted)) return;
  const event = {
    // The event has the id of the call, which is unique because a call ends once. So the filter `event_id` finds the deliveries of a call.
    id: call.id,
    orgId: call.orgId,
    agentId: call.agentId,
    event: callCompleted,
    subject: subjectOf(call),
    body: callCompletedBody(call),
    createdAt: app.clock.now(),
    forFollowers: endpoints.length === 0,
  };
  await writeEvent(app, tx, event);
  for (const endpoint of endpoints) await createDelivery(app, tx, event, endpoint);
}

/** Who receives the agent's events. */
type Receivers = { endpoints: Endpoint[]; events: WebhookEventName[] };

async function receiversOf(_app: App, tx: Tx, { call }: EndedCall): Promise<Receivers | undefined> {
  if (!call.sendsEvent) return undefined;
  const [endpoints, events] = await Promise.all([
    endpointsOfAgent(tx, call.agentId),
    deliveries.eventNamesOf(tx, call.agentId),
  ]);
  return { endpoints, events };
}

export const onCallEnded: ReadingSubscriber<EndedCall, Receivers | undefined> = {
  read: receiversOf,
  act: writeCallEnded,
};

/** The contact or, where there is none, the phone number that the event is about. */
const subjectOf = (call: Call): string => call.contactId ?? (call.to === '' ? call.id : call.to);

type SavedEndpoints = {
  agentId: string;
  added: readonly string[];
  removed: readonly string[];
  resumed: readonly string[];
};

/**
 * Creates the agent's secret with its first URL, cancels the waiting deliveries of removed URLs, and sends everything undelivered to
 * resumed ones.
 */
export async function onEndpointsSaved(
  app: App,
  tx: Tx,
  { agentId, added, removed, resumed }: SavedEndpoints,
): Promise<void> {
  if (added.length > 0) await ensureSecret(app, tx, agentId);
  if (removed.length > 0) await startSweeps(app, tx, removed);
  for (const id of resumed) await resumeEndpoint(app, tx, id);
}
