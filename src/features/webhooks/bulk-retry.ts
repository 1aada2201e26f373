import { nextMacrotask } from '../../base/clock.ts';
import { invalidAt } from '../../base/errors.ts';
import { transact, type Tx } from '../../db/transaction.ts';
import type { App } from '../../kernel/app.ts';
import { maxBatchRows } from '../../kernel/batch-size.ts';
import { isEndpointOf } from '../endpoints/service.ts';
import type { DeliveryStatus } from './delivery.ts';
import * as lists from './delivery-list-store.ts';
import * as deliveries from './delivery-store.ts';
import { inFlightOf } from './in-flight.ts';
import { restartNow } from './restart.ts';
import { momentOf, requireOrder } from './service.ts';

/** One request queues at most this many deliveries, which takes a few seconds. */
export const maxRetried = 50_000;

type RetryFilter = { status?: DeliveryStatus; endpointId?: string; since?: number; until?: number };

/** `nextAt` is the creation time of the first delivery left out because of `maxRetried`; null if none was left out. */
type Retried = { queued: number; nextAt: number | null };

/**
 * Retries the deliveries that a filter finds, as retryDelivery() does with one, oldest first and at most `maxRetried`. Finds none with
 * status `pending` or `delivering`. Works in small transactions: if the process dies halfway, some are queued, and the same request does
 * not find those again unless they have failed again.
 * @throws invalid when `since` is after `until`, or when the organization never had the endpoint
 */
export async function retryDeliveries(app: App, orgId: string, filter: RetryFilter): Promise<Retried> {
  const { status, endpointId } = filter;
  requireOrder(filter);
  if (endpointId !== undefined && !(await isEndpointOf(app.db, orgId, endpointId)))
    throw invalidAt('endpoint_id', 'is not a webhook endpoint of this organization');
  let queued = 0;
  if (status === 'pending' || status === 'delivering') return { queued, nextAt: null };
  // Leaves out deliveries that are created meanwhile.
  const before = app.ids.make();
  for (let after = ''; ; await nextMacrotask()) {
    const range = { after, before, limit: maxBatchRows };
    const ids = await lists.deliveryIdsBetween(app.db, orgId, filter, range, momentOf(app));
    const [first, last] = [ids[0], ids.at(-1)];
    if (first === undefined || last === undefined) return { queued, nextAt: null };
    if (queued + ids.length > maxRetried) return { queued, nextAt: timeOf(first) };
    queued += await transact(app.db, orgId, (tx) => retryBatch(app, tx, filter, ids));
    after = last;
  }
}

/** The time in an id (RFC 9562, section 5.7). */
const timeOf = (id: string): number => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);

/** Retries those of the deliveries that still have the status. Returns how many. */
async function retryBatch(app: App, tx: Tx, { status }: RetryFilter, ids: readonly string[]): Promise<number> {
  const inFlight = inFlightOf(app);
  const found = (await deliveries.deliveriesToRetry(tx, ids)).filter(
    (delivery) => delivery.status === status && !(status === 'retrying' && inFlight.has(delivery.id)),
  );
  for (const ofEndpoint of Map.groupBy(found, ({ endpoint }) => endpoint.endpointId).values()) {
    const { endpointId, endpointStatus, sweeps } = ofEndpoint[0]!.endpoint;
    await restartNow(app, tx, { id: endpointId, status: endpointStatus, sweeps }, ofEndpoint);
  }
  return found.length;
}
