import type { Tx } from '../../db/transaction.ts';
import type { App } from '../../kernel/app.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import * as endpoints from '../endpoints/service.ts';
import * as deliveries from './delivery-store.ts';
import { sendAllNow } from './queue.ts';

/** Restarts the schedule of deliveries. A failing endpoint's probe stays the probe, which alone can resume the endpoint, and runs now. */
export async function restartNow(
  app: App,
  tx: Tx,
  { id: endpointId, status: endpointStatus, sweeps }: Pick<Endpoint, 'id' | 'status' | 'sweeps'>,
  rows: readonly deliveries.FailedDelivery[],
): Promise<void> {
  const now = app.clock.now();
  const ids = rows.map(({ id }) => id);
  const probe = rows.find(({ status }) => endpointStatus === 'failing' && status === 'retrying');
  const held = rows.filter(({ isCountedAsHeld }) => isCountedAsHeld).length;
  await deliveries.restart(tx, ids, sweeps, now);
  if (probe) await deliveries.updateDelivery(tx, probe.id, { status: 'retrying', nextAttemptAt: now }, now);
  if (held > 0) await endpoints.addHeld(tx, endpointId, -held);
  await sendAllNow(app, tx, endpointId, ids);
}
