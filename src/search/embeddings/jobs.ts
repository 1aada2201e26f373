import type { Config } from '../../base/config/schema.ts';
import { installation, transact, type Tx } from '../../db/transaction.ts';
import type { App } from '../../kernel/app.ts';
import { nightly } from '../../kernel/nightly.ts';
import { enqueue, externalJob, type Job, type JobDefinition, jobKind, transactionalJob } from '../../kernel/queue.ts';
import { embedBatch, resumeAfterDefect } from './embed-batch.ts';
import { embedBase, queueEmbedding } from './embedding-queue.ts';
import { type EmbeddingsSettings, embeddingsOf } from './settings.ts';
import { deleteObsolete, passageIdsAfter } from './store.ts';
import { activateSpace, findSpace } from './vector-spaces.ts';

/** The endpoint gets at most this many batches at the same time. */
const maxConcurrentBatches = 2;

const backfill = jobKind<{ after: number }>('retrieval.backfill');

/** @throws {ConfigError} when the settings of the endpoint are not complete */
export function embeddingJobs(config: Config): JobDefinition[] {
  const settings = embeddingsOf(config);
  return [
    externalJob(embedBase, {
      pool: { name: 'embeddings', maxRunning: maxConcurrentBatches },
      laneConcurrency: 1,
      leaseMs: config.embeddings.timeout_ms + 60_000,
      // A failed request is a result and sets its own delay. Only a defect or the end of the process makes the job throw.
      retryDelaysMs: [1000, 60_000],
      run: (app, job, signal) => embedBatch(app, settings, job, signal),
      exhausted: (app, tx, job, error) => resumeAfterDefect(app, tx, settings, job, error),
    }),
    transactionalJob(backfill, (app, tx, job) => backfillBatch(app, tx, settings, job)),
    embeddingPruning.job,
  ];
}

/** Passages that one transaction of the backfill visits. */
const backfillBatchSize = 200;

/** Queues the passages that have no vector in a new current vector space, a batch in each transaction. */
async function backfillBatch(
  app: App,
  tx: Tx,
  settings: EmbeddingsSettings | undefined,
  { payload }: Job<{ after: number }>,
): Promise<void> {
  if (!settings || !(await findSpace(tx, settings))) return;
  const ids = await passageIdsAfter(tx, payload.after, backfillBatchSize);
  await queueEmbedding(app, tx, ids);
  const last = ids.at(-1);
  if (last !== undefined) await enqueueBackfill(app, tx, last);
}

const enqueueBackfill = (app: App, tx: Tx, after: number): Promise<void> =>
  enqueue(app, tx, backfill, { key: 'all', dueAt: app.clock.now(), payload: { after }, onConflict: 'replace' });

/** At every start: when the settings name another model than before, embeds all passages again. */
export const embeddingBackfill = {
  schedule: (app: App): Promise<void> =>
    transact(app.db, installation, async (tx) => {
      if (await activateSpace(tx, embeddingsOf(app.config))) await enqueueBackfill(app, tx, 0);
    }),
};

/** Deletes vectors of earlier models and embeddings that no passage uses any more. */
export const embeddingPruning = nightly(jobKind('retrieval.prune'), '41 3 * * *', (_app, tx, rows) =>
  deleteObsolete(tx, rows),
);
