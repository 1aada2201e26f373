import type { Config } from '../../base/config/schema.ts';
import { messageOf } from '../../base/errors.ts';
import { faultPoint } from '../../base/fault-points.ts';
import { OutboundError } from '../../base/outbound/client.ts';
import { batchReads } from '../../base/batch-reads.ts';
import { onCommit, type Tx } from '../../db/transaction.ts';
import type { App } from '../../kernel/app.ts';
import { nightly } from '../../kernel/nightly.ts';
import { appLocal } from '../../kernel/node.ts';
import { type Completion, externalJob, batched, type Job, type JobDefinition, jobKind } from '../../kernel/queue.ts';
import { attempt } from './attempt.ts';
import { isDue } from './delivery.ts';
import { deleteSettled, shipmentsByIds } from './delivery-store.ts';
import { deleteRemovedEndpoints } from './endpoint-store.ts';
import { inFlightOf } from './in-flight.ts';
import { type Arrival, recordOutcome, recordSuccesses, resendIfDue } from './outcomes.ts';
import { deliver } from './queue.ts';

/** After a defect a delivery rests, so that it does not spin. */
const afterDefectMs = 60_000;

export type WebhookJobOptions = {
  /** Draws from 0 to 1 how much of the permitted jitter a retry gets; always 0 under the test clock. */
  jitter: () => number;
};

export const webhookJobs = (config: Config, { jitter }: WebhookJobOptions): JobDefinition[] => [
  externalJob(deliver, {
    laneConcurrency: config.webhooks.max_in_flight_per_endpoint,
    leaseMs: config.webhooks.timeout_ms + 60_000,
    // A failed attempt is a result with a schedule of its own; what throws is a defect, or the end of the process.
    retryDelaysMs: [],
    run: (app, job) => runDelivery(app, job.key, jitter),
    exhausted: brokeOff,
  }),
  webhookPruning.job,
];

/** Many deliveries start in one turn of the event loop, and reading what each sends is a good part of what it costs. */
const shipmentIn = appLocal(({ db }) => batchReads((ids) => shipmentsByIds(db, ids)));

/**
 * At least once: a run whose fate is unknown is repeated with the same `webhook-id` and the same bytes. A delivery that is not due
 * any more (held, cancelled, delivered) is left alone.
 */
async function runDelivery(app: App, id: string, jitter: () => number): Promise<Completion> {
  const shipment = await shipmentIn(app)(id);
  if (!shipment || !isDue(shipment.status)) return { write: (tx) => resendIfDue(app, tx, id, app.clock.now()) };
  inFlightOf(app).add(id);
  const outcome = await attempt(app, shipment);
  faultPoint('delivery.unrecorded');
  if (outcome.result.ok) return batched(recordArrivals, { id, attempt: outcome.attempt });
  return {
    async write(tx) {
      await recordOutcome(app, tx, id, outcome, jitter());
      landed(app, tx, [id]);
    },
    // It may pause the endpoint: nothing more may go there before that is known.
    barrier: true,
  };
}

async function recordArrivals(app: App, tx: Tx, arrivals: readonly Arrival[]): Promise<void> {
  await recordSuccesses(app, tx, arrivals);
  landed(
    app,
    tx,
    arrivals.map(({ id }) => id),
  );
}

/** They count as in flight until what came of them is committed. */
function landed(app: App, tx: Tx, ids: readonly string[]): void {
  const inFlight = inFlightOf(app);
  onCommit(tx, () => ids.forEach((id) => inFlight.delete(id)));
}

async function brokeOff(app: App, tx: Tx, job: Job<unknown>, error: unknown): Promise<void> {
  const stopping = error instanceof OutboundError && error.reason === 'aborted';
  if (!stopping) app.log.error({ err: error, delivery: job.key }, `a delivery broke off: ${messageOf(error)}`);
  await resendIfDue(app, tx, job.key, app.clock.now() + (stopping ? 0 : afterDefectMs));
  landed(app, tx, [job.key]);
}

/** Few enough that a batch holds up nobody. */
const pruneBatch = 500;
const dayMs = 86_400_000;

/** Deletes what retention no longer covers. */
export const webhookPruning = nightly(jobKind('webhooks.prune'), '17 3 * * *', async (app, tx) => {
  const before = app.clock.now() - app.config.webhooks.retention_days * dayMs;
  const mayBeMore = (await deleteSettled(tx, before, pruneBatch)) === pruneBatch;
  if (!mayBeMore) await deleteRemovedEndpoints(tx, before);
  return mayBeMore;
});
