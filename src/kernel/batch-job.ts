import { faultPoint } from '../base/fault-points.ts';
import { onCommit, type Tx } from '../db/transaction.ts';
import type { App } from './app.ts';
import { runBatch } from './batch-size.ts';
import { enqueue, type JobKind, type TransactionalJob, transactionalJob } from './queue.ts';

/**
 * Does one batch of the work named by `key`, which may change `rows` rows. Returns the payload of the next batch, or undefined when all is
 * done.
 */
type Batch<P> = (app: App, tx: Tx, work: { key: string; payload: P; rows: number }) => Promise<P | undefined>;

/**
 * Long work in batches of at most `maxBatchRows` rows (batch-size.ts), each in a transaction that also enqueues the next one. So a crash
 * repeats nothing and skips nothing, and other transactions run between two batches. What the work changes must look changed to every
 * reader as soon as the job is enqueued, because the last batch may come minutes later.
 */
export const batchJob = <P>(kind: JobKind<P>, batch: Batch<P>): TransactionalJob =>
  transactionalJob(kind, async (app, tx, { key, payload }) => {
    const next = await runBatch(app, kind.name, (rows) => batch(app, tx, { key, payload, rows }));
    if (next !== undefined) await startBatches(app, tx, kind, key, next);
    faultPoint('batch.uncommitted');
    onCommit(tx, () => faultPoint('batch.committed'));
  });

/** Enqueues the work; `key` names what it works on. */
export const startBatches = <P>(app: App, tx: Tx, kind: JobKind<P>, key: string, payload: P): Promise<void> =>
  enqueue(app, tx, kind, { key, dueAt: app.clock.now(), payload, onConflict: 'replace' });
