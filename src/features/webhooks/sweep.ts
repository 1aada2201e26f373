import type { Tx } from '../../db/transaction.ts';
import type { App } from '../../kernel/app.ts';
import { startBatches } from '../../kernel/batch-job.ts';
import { maxBatchRows } from '../../kernel/batch-size.ts';
import * as endpoints from '../endpoints/service.ts';
import { sweptStatuses } from './delivery.ts';
import * as deliveries from './delivery-store.ts';
import { cancelJobs, sendAllNow, sweepEndpoint } from './queue.ts';

/**
 * Holds, releases or cancels the deliveries that wait for endpoints, whose sweeps have just begun (endpoints/service.ts). Short backlogs are
 * done at once, long ones by a job, batch by batch. Until a sweep has reached a delivery, its status is computed (`statusUnder`), and none
 * of its jobs sends it.
 */
export async function startSweeps(app: App, tx: Tx, endpointIds: readonly string[]): Promise<void> {
  const rows = Math.ceil(maxBatchRows / endpointIds.length);
  for (const id of endpointIds) {
    const next = await sweepBatch(app, tx, { key: id, payload: { after: '' }, rows });
    if (next) await startBatches(app, tx, sweepEndpoint, id, next);
  }
}

/** Does the next batch of an endpoint's sweep, oldest deliveries first. Returns where the next one begins. */
export async function sweepBatch(
  app: App,
  tx: Tx,
  { key: id, payload: { after }, rows }: { key: string; payload: { after: string }; rows: number },
): Promise<{ after: string } | undefined> {
  const endpoint = await endpoints.sweepOf(tx, id);
  if (!endpoint?.sweep) return undefined;
  const { sweep, sweeps } = endpoint;
  const now = app.clock.now();
  const query = { statuses: sweptStatuses[sweep], after, limit: rows, unlessSwept: sweeps };
  const { ids, next } = await deliveries.waitingAfter(tx, endpoint, query);
  if (sweep === 'release') {
    await deliveries.restart(tx, ids, sweeps, now);
    await sendAllNow(app, tx, id, ids);
  } else {
    await cancelJobs(tx, ids);
    if (sweep === 'cancel') await deliveries.cancel(tx, ids, sweeps, now);
    else {
      await deliveries.hold(tx, ids, sweeps);
      await endpoints.addHeld(tx, id, ids.length);
    }
  }
  if (next !== null) return { after: next };
  await endpoints.endSweep(tx, id);
  return undefined;
}
