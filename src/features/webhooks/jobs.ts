import { batchReads } from '../../base/batch-reads.ts';
import { dayMs } from '../../base/clock.ts';
import type { Config } from '../../base/config/schema.ts';
import { messageOf } from '../../base/errors.ts';
import { faultPoint } from '../../base/fault-points.ts';
import { OutboundError } from '../../base/outbound/client.ts';
import { gatheringTicks } from '../../db/dialect.ts';
import { onCommit, type Tx } from '../../db/transaction.ts';
import type { App } from '../../kernel/app.ts';
import { appLocal } from '../../kernel/node.ts';
import { batchJob } from '../../kernel/batch-job.ts';
import { nightly } from '../../kernel/nightly.ts';
import { batched, type Completion, externalJob, type Job, type JobDefinition, jobKind } from '../../kernel/queue.ts';
import { deleteEndpoints } from '../endpoints/service.ts';
import { sendAttempt } from './attempt.ts';
import { maySend } from './delivery.ts';
import { deleteSettled, endpointsWithoutDeliveries, outgoingDeliveries } from './delivery-store.ts';
import { deleteForFollowers } from './followed-store.ts';
import { followedMs } from './followers.ts';
import { deleteHoursBefore } from './hours-store.ts';
import { inFlightOf } from './in-flight.ts';
import { attemptLabel, deliveryAttempts, eventDelays } from './meters.ts';
import { recordOutcome, recordSuccesses, requeueIfScheduled, type SuccessfulAttempt } from './outcomes.ts';
import { deliver, sweepEndpoint } from './queue.ts';
import { deleteUnusedSecrets } from './secret-store.ts';
import { sweepBatch } from './sweep.ts';

/** Delay before a delivery whose job threw runs again, so that a bug does not retry in a tight loop. */
const errorDelayMs = 60_000;

export type WebhookJobOptions = {
  /** Draws the share of the maximum jitter for a retry, from 0 to 1; always 0 under the test clock. */
  jitter: (deliveryId: string) => number;
};

export const webhookJobs = (config: Config, { jitter }: WebhookJobOptions): JobDefinition[] => [
  externalJob(deliver, {
    pool: { name: 'deliveries', maxRunning: config.webhooks.max_in_flight },
    laneConcurrency: config.webhooks.max_in_flight_per_endpoint,
    leaseMs: config.webhooks.timeout_ms + 60_000,
    // A failed attempt completes the job and schedules the next attempt. Only a bug or the end of the process makes the job throw.
    retryDelaysMs: [],
    run: (app, job) => runDelivery(app, job.key, jitter),
    exhausted: onDeliveryError,
  }),
  batchJob(sweepEndpoint, sweepBatch),
  webhookPruning.job,
];

/** Loads all deliveries that start in the same tick of the event loop with one query, because reading is a large part of their cost. */
const loadOutgoing = appLocal(({ db }) =>
  batchReads((ids) => outgoingDeliveries(db, ids), { ticks: gatheringTicks(db) }),
);

/**
 * At least once: after a crash the attempt is repeated with the same `webhook-id` and the same bytes. Sends nothing if the delivery is
 * no longer scheduled (held, cancelled, delivered).
 */
async function runDelivery(app: App, id: string, jitter: WebhookJobOptions['jitter']): Promise<Completion> {
  const delivery = await loadOutgoing(app)(id);
  if (!delivery || !maySend(delivery)) {
    return { write: (tx) => requeueIfScheduled(app, tx, id, app.clock.now()) };
  }
  inFlightOf(app).add(id);
  if (delivery.attemptCount === 0) eventDelays(app).observe((app.clock.now() - delivery.createdAt) / 1000);
  const outcome = await sendAttempt(app, delivery);
  faultPoint('delivery.unrecorded');
  deliveryAttempts(app).add({ outcome: attemptLabel(outcome) });
  if (outcome.result.ok) return batched(recordSuccessBatch, { id, attempt: outcome.attempt });
  return {
    async write(tx) {
      await recordOutcome(app, tx, id, outcome, jitter(id));
      clearInFlight(app, tx, [id]);
    },
    // The failure may pause the endpoint, so send nothing else to it until that is committed.
    barrier: true,
  };
}

async function recordSuccessBatch(app: App, tx: Tx, successes: readonly SuccessfulAttempt[]): Promise<void> {
  await recordSuccesses(app, tx, successes);
  clearInFlight(
    app,
    tx,
    successes.map(({ id }) => id),
  );
}

/** Deliveries stay in flight until their outcome is committed. */
function clearInFlight(app: App, tx: Tx, ids: readonly string[]): void {
  const inFlight = inFlightOf(app);
  onCommit(tx, () => ids.forEach((id) => inFlight.delete(id)));
}

async function onDeliveryError(app: App, tx: Tx, job: Job<unknown>, error: unknown): Promise<void> {
  const stopping = error instanceof OutboundError && error.reason === 'aborted';
  if (!stopping) app.log.error({ err: error, delivery: job.key }, `a webhook delivery failed: ${messageOf(error)}`);
  await requeueIfScheduled(app, tx, job.key, app.clock.now() + (stopping ? 0 : errorDelayMs));
  clearInFlight(app, tx, [job.key]);
}

/**
 * Deletes deliveries after their retention, with the counts of their hours, and events that were only followed after a day, then removed
 * endpoints and secrets that nothing refers to any more.
 */
export const webhookPruning = nightly(jobKind('webhooks.prune'), '17 3 * * *', async (app, tx, rows) => {
  const before = app.clock.now() - app.config.webhooks.retention_days * dayMs;
  if ((await deleteSettled(tx, before, rows)) === rows) return true;
  if ((await deleteForFollowers(tx, app.clock.now() - followedMs, rows)) === rows) return true;
  if ((await deleteHoursBefore(tx, before, rows)) === rows) return true;
  const endpoints = await endpointsWithoutDeliveries(tx, before, rows);
  await deleteEndpoints(tx, endpoints);
  if (endpoints.length === rows) return true;
  await deleteUnusedSecrets(tx);
  return false;
});
