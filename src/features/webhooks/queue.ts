import { sql } from 'kysely';
import { onCommit, scopeOf, type Tx } from '../../db/transaction.ts';
import { listOf, rowsOf } from '../../db/sql.ts';
import type { App } from '../../kernel/app.ts';
import { enqueue, jobKind } from '../../kernel/queue.ts';

/** Sends one delivery; the key is its id, the lane its endpoint, so that an endpoint's events go out in order. */
export const deliver = jobKind<Record<string, never>>('webhook.deliver');

const laneOf = (endpointId: string): string => `webhook:${endpointId}`;

/** A delivery is sent at an instant; a job of it that waits already runs at the earlier one. */
export const sendAt = (app: App, tx: Tx, delivery: { id: string; endpointId: string }, dueAt: number): Promise<void> =>
  enqueue(app, tx, deliver, { key: delivery.id, lane: laneOf(delivery.endpointId), dueAt, payload: {} });

/**
 * Deliveries of one endpoint are sent now, oldest first (ids are in order of creation), however their jobs stood before. In bulk,
 * because an endpoint that heals may have many thousands. One that is being sent just now looks at its delivery when it ends.
 */
export async function sendAllNow(app: App, tx: Tx, endpointId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const now = app.clock.now();
  const scope = scopeOf(tx);
  await sql`
    DELETE FROM outbox WHERE kind = ${deliver.name} AND lease_until IS NULL AND key IN ${listOf(ids)}
  `.execute(tx);
  await sql`
    INSERT INTO outbox (kind, key, scope, lane, due_at, payload)
    SELECT ${deliver.name}, value, ${scope}, ${laneOf(endpointId)}, ${now}, '{}' FROM ${rowsOf(ids)} AS given WHERE true ORDER BY value
    ON CONFLICT (kind, key) DO NOTHING
  `.execute(tx);
  onCommit(tx, () => app.wake(scope, 'external', now));
}

/** Takes back everything that waits to be sent to an endpoint; what is being sent just now finishes. */
export async function dropAll(tx: Tx, endpointId: string): Promise<void> {
  await tx
    .deleteFrom('outbox')
    .where('scope', '=', scopeOf(tx))
    .where('lane', '=', laneOf(endpointId))
    .where('lease_until', 'is', null)
    .execute();
}
