import { sql } from 'kysely';
import { onCommit, scopeOf, type Tx } from '../../db/transaction.ts';
import { joinInOrder, listOf, rowsOf } from '../../db/sql.ts';
import type { App } from '../../kernel/app.ts';
import { enqueue, jobKind } from '../../kernel/queue.ts';

/** Sends one delivery. The key is the delivery's id; each endpoint has its own lane, which starts its events in order. */
export const deliver = jobKind<Record<string, never>>('webhook.deliver');

/** Continues the sweep of an endpoint after the delivery with the id `after`. The key is the endpoint's id. */
export const sweepEndpoint = jobKind<{ after: string }>('webhook.sweep');

export const laneOf = (endpointId: string): string => `webhook:${endpointId}`;

/** `subject`: the contact or phone number that the event is about. An endpoint gets events about one subject one at a time. */
export type QueuedDelivery = { id: string; endpointId: string; subject: string | null };

/** Schedules a delivery. If its job is already waiting, the earlier of the two times counts. */
export const sendAt = (app: App, tx: Tx, delivery: QueuedDelivery, dueAt: number): Promise<void> =>
  enqueue(app, tx, deliver, {
    key: delivery.id,
    lane: laneOf(delivery.endpointId),
    exclusive: delivery.subject,
    dueAt,
    payload: {},
  });

/**
 * Schedules deliveries of one endpoint for now, oldest first (ids ascend with creation), replacing their waiting jobs. Two bulk
 * statements, because an endpoint that recovers may have many thousands of deliveries. A running job stays: when it ends, it reads its
 * delivery again.
 */
export async function sendAllNow(app: App, tx: Tx, endpointId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const now = app.clock.now();
  const scope = scopeOf(tx);
  await cancelJobs(tx, ids);
  await sql`
    INSERT INTO outbox (kind, key, scope, lane, exclusive, due_at, payload)
    SELECT ${deliver.name}, d.id, ${scope}, ${laneOf(endpointId)}, e.subject, ${now}, '{}'
    FROM ${rowsOf(ids)} AS ids
    ${joinInOrder} webhook_deliveries d ON d.id = ids.value
    ${joinInOrder} webhook_events e ON e.id = d.event_id
    WHERE true ORDER BY d.id
    ON CONFLICT (kind, key) DO NOTHING
  `.execute(tx);
  onCommit(tx, () => app.wake({ kind: deliver.name, scope, lane: laneOf(endpointId), dueAt: now }));
}

/** Deletes the waiting jobs of deliveries; running ones finish. */
export async function cancelJobs(tx: Tx, ids: readonly string[]): Promise<void> {
  await sql`
    DELETE FROM outbox WHERE kind = ${deliver.name} AND lease_until IS NULL AND key IN ${listOf(ids)}
  `.execute(tx);
}
