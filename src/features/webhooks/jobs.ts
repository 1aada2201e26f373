import { Cron } from 'croner';
import { dateOf } from '../../base/clock.ts';
import type { Config } from '../../base/config/schema.ts';
import { messageOf } from '../../base/errors.ts';
import { passing } from '../../base/fault-points.ts';
import { OutboundError } from '../../base/outbound/client.ts';
import { onCommit, transact, type Tx } from '../../db/transaction.ts';
import type { App } from '../../kernel/app.ts';
import {
  type Completion,
  enqueue,
  externalJob,
  isQueued,
  type Job,
  type JobDefinition,
  jobKind,
  transactionalJob,
} from '../../kernel/queue.ts';
import { attempt } from './attempt.ts';
import { isDue } from './delivery.ts';
import { deleteSettled, shipmentById } from './delivery-store.ts';
import { deleteRemovedEndpoints } from './endpoint-store.ts';
import { inFlightOf } from './in-flight.ts';
import { recordOutcome, resendIfDue } from './outcomes.ts';
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
    run: (app, job, signal) => runDelivery(app, job.key, signal, jitter),
    exhausted: brokeOff,
  }),
  transactionalJob(prune, runPrune),
];

/**
 * At least once: a run whose fate is unknown is repeated with the same `webhook-id` and the same bytes. A delivery that is not due
 * any more (held, cancelled, delivered) is left alone.
 */
async function runDelivery(app: App, id: string, signal: AbortSignal, jitter: () => number): Promise<Completion> {
  const shipment = await shipmentById(app.db, id);
  if (!shipment || !isDue(shipment.status)) return { write: (tx) => resendIfDue(app, tx, id, app.clock.now()) };
  inFlightOf(app).add(id);
  const outcome = await attempt(app, shipment, signal);
  passing('delivery.unrecorded');
  return {
    async write(tx) {
      await recordOutcome(app, tx, id, outcome, jitter());
      landed(app, tx, id);
    },
    // A failure may pause the endpoint: nothing more may go there before that is known.
    barrier: !outcome.result.ok,
  };
}

/** It counts as in flight until what came of it is committed. */
const landed = (app: App, tx: Tx, id: string): void => onCommit(tx, () => inFlightOf(app).delete(id));

async function brokeOff(app: App, tx: Tx, job: Job<unknown>, error: unknown): Promise<void> {
  const stopping = error instanceof OutboundError && error.reason === 'aborted';
  if (!stopping) app.log.error({ err: error, delivery: job.key }, `a delivery broke off: ${messageOf(error)}`);
  await resendIfDue(app, tx, job.key, app.clock.now() + (stopping ? 0 : afterDefectMs));
  landed(app, tx, job.key);
}

/** Deletes what retention no longer covers. One job: it enqueues itself for the next night. */
const prune = jobKind<Record<string, never>>('webhooks.prune');
const pruneKey = 'all';
/** Few enough that a batch holds up nobody. */
const pruneBatch = 500;
const nightly = new Cron('17 3 * * *', { timezone: 'UTC' });
const dayMs = 86_400_000;

function nextNight(nowMs: number): number {
  const next = nightly.nextRun(dateOf(nowMs));
  if (!next) throw new Error('the nightly schedule has no next run');
  return next.getTime();
}

async function runPrune(app: App, tx: Tx): Promise<void> {
  const now = app.clock.now();
  const before = now - app.config.webhooks.retention_days * dayMs;
  const deleted = await deleteSettled(tx, before, pruneBatch);
  const isDone = deleted < pruneBatch;
  if (isDone) await deleteRemovedEndpoints(tx, before);
  await enqueue(app, tx, prune, { key: pruneKey, dueAt: isDone ? nextNight(now) : now, payload: {} });
}

/** Sees to it that pruning is scheduled; called at every start, before the runner works. */
export async function schedulePruning(app: App): Promise<void> {
  if (await isQueued(app.db, prune, pruneKey)) return;
  await transact(app.db, (tx) =>
    enqueue(app, tx, prune, { key: pruneKey, dueAt: nextNight(app.clock.now()), payload: {} }),
  );
}
