import { sql } from 'kysely';
import { listOf } from '../../db/sql.ts';
import type { Tx } from '../../db/transaction.ts';
import type { App } from '../../kernel/app.ts';
import * as endpoints from '../endpoints/service.ts';
import * as deliveries from './delivery-store.ts';
import { inFlightOf } from './in-flight.ts';
import { resumeEndpoint } from './outcomes.ts';
import { cancelJobs } from './queue.ts';

/**
 * Empties events: their bodies and the attempts of their deliveries go, and what is not delivered is cancelled. Returns the number of
 * deliveries; undefined, and nothing is changed, while one of them is being sent.
 */
export async function eraseEvents(app: App, tx: Tx, eventIds: readonly string[]): Promise<number | undefined> {
  const ids = await deliveriesOf(tx, eventIds);
  const inFlight = inFlightOf(app);
  if (ids.some((id) => inFlight.has(id))) return undefined;
  for (const id of ids) await cancelUndelivered(app, tx, id);
  await cancelJobs(tx, ids);
  await sql`DELETE FROM webhook_attempts WHERE delivery_id IN ${listOf(ids)}`.execute(tx);
  await sql`UPDATE webhook_events SET body = '', subject = NULL WHERE id IN ${listOf(eventIds)}`.execute(tx);
  return ids.length;
}

async function deliveriesOf(tx: Tx, eventIds: readonly string[]): Promise<string[]> {
  const found = tx.selectFrom('webhook_deliveries').select('id').where('event_id', 'in', listOf(eventIds));
  return (await found.execute()).map(({ id }) => id);
}

async function cancelUndelivered(app: App, tx: Tx, id: string): Promise<void> {
  const delivery = await deliveries.deliveryWithEndpoint(tx, id);
  if (!delivery || delivery.status === 'delivered' || delivery.status === 'cancelled') return;
  await deliveries.updateDelivery(tx, id, { status: 'cancelled', nextAttemptAt: null }, app.clock.now());
  if (delivery.isCountedAsHeld) await endpoints.addHeld(tx, delivery.endpointId, -1);
  // The delivery that was to probe a failing endpoint is gone, and without one nothing would ever be sent to it again.
  const wasProbe = delivery.endpointStatus === 'failing' && delivery.status === 'retrying';
  if (wasProbe) await resumeEndpoint(app, tx, delivery.endpointId);
}
