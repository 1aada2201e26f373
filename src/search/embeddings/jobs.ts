import type { Config } from '../../base/config/schema.ts';
import { messageOf } from '../../base/errors.ts';
import { installation, transact, type Tx } from '../../db/transaction.ts';
import type { App } from '../../kernel/app.ts';
import { nightly } from '../../kernel/nightly.ts';
import {
  type Completion,
  enqueue,
  externalJob,
  type Job,
  type JobDefinition,
  jobKind,
  transactionalJob,
} from '../../kernel/queue.ts';
import { contentOf } from '../index/content.ts';
import { embed, EmbeddingsFailure } from './client.ts';
import { embedBase, type EmbeddingWork, enqueueEmbedding, queueEmbedding } from './embedding-queue.ts';
import { type EmbeddingsSettings, embeddingsOf } from './settings.ts';
import {
  deleteObsolete,
  hasPending,
  linkVectors,
  passageIdsAfter,
  type PendingPassage,
  pendingPassages,
  removePending,
  storeEmbeddings,
} from './store.ts';
import { activateSpace, findSpace, fixDimensions, type VectorSpace } from './vector-spaces.ts';
import type { UnitVector } from './vectors.ts';

/** Batches that the endpoint gets at the same time. */
const maxConcurrentBatches = 2;
/** Delays after the 1st, 2nd, … failure in a row; the last one repeats until the endpoint works again. */
const retryDelaysMs = [1000, 5000, 30_000, 120_000, 600_000] as const;

const backfill = jobKind<{ after: number }>('retrieval.look_through');

/** @throws {ConfigError} when the settings of the endpoint are not complete */
export function embeddingJobs(config: Config): JobDefinition[] {
  const settings = embeddingsOf(config);
  return [
    externalJob(embedBase, {
      laneConcurrency: maxConcurrentBatches,
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

type Batch = readonly PendingPassage[];

/** Runs at least once: a batch whose result was lost is requested again, and storing its vectors twice changes nothing. */
async function embedBatch(
  app: App,
  settings: EmbeddingsSettings | undefined,
  { payload }: Job<EmbeddingWork>,
  signal: AbortSignal,
): Promise<Completion> {
  const space = settings && (await findSpace(app.db, settings));
  if (!settings || !space) return { write: () => Promise.resolve() }; // switched off: pending passages are found by words
  const batch = await pendingPassages(app.db, payload.baseId, payload.atOnce);
  if (batch.length === 0) return { write: (tx) => continueIfPending(app, tx, settings, payload.baseId) };
  try {
    const vectors = await embed(app, settings, batch.map(contentOf), { timeoutMs: settings.timeoutMs });
    return { write: (tx) => storeVectors(app, tx, { settings, space, baseId: payload.baseId }, batch, vectors) };
  } catch (error) {
    if (!(error instanceof EmbeddingsFailure) || signal.aborted) throw error;
    return { write: (tx) => retryLater(app, tx, settings, payload, batch, error) };
  }
}

async function storeVectors(
  app: App,
  tx: Tx,
  { settings, space, baseId }: { settings: EmbeddingsSettings; space: VectorSpace; baseId: number },
  batch: Batch,
  vectors: readonly UnitVector[],
): Promise<void> {
  const dimensions = vectors[0]!.length;
  if (!(await fixDimensions(tx, space.id, dimensions))) {
    const error = new EmbeddingsFailure(
      `The embeddings endpoint returned vectors of ${dimensions} dimensions for ${settings.model}, and of other dimensions before.`,
    );
    const failures = retryDelaysMs.length;
    return retryLater(app, tx, settings, { baseId, failures, atOnce: settings.batchSize }, batch, error);
  }
  const embeddings = batch.map(({ contentHash }, index) => ({ contentHash, vector: vectors[index]! }));
  if (!(await storeEmbeddings(tx, { baseId, spaceId: space.id }, embeddings))) return;
  const ids = batch.map(({ id }) => id);
  await removePending(tx, baseId, ids);
  await linkVectors(tx, space.id, ids);
  await continueIfPending(app, tx, settings, baseId);
}

/** Passages that were added while the job ran could not enqueue it again. */
async function continueIfPending(app: App, tx: Tx, settings: EmbeddingsSettings, baseId: number): Promise<void> {
  if (await hasPending(tx, baseId)) await enqueueEmbedding(app, tx, settings, { baseId, failures: 0 });
}

/** Halves a batch that the endpoint refused, so that one text that it does not accept keeps no other from being embedded. */
async function retryLater(
  app: App,
  tx: Tx,
  settings: EmbeddingsSettings,
  { baseId, failures }: EmbeddingWork,
  batch: Batch,
  error: EmbeddingsFailure,
): Promise<void> {
  if (error.refusesTexts && batch.length > 1) {
    return enqueueEmbedding(app, tx, settings, { baseId, failures, atOnce: Math.ceil(batch.length / 2) });
  }
  if (error.refusesTexts) {
    const [{ id }] = batch as [PendingPassage];
    app.log.warn({ passage: id, error: error.message }, 'embeddings endpoint refused a passage; it is found by words');
    await removePending(tx, baseId, [id]);
    return enqueueEmbedding(app, tx, settings, { baseId, failures: 0 });
  }
  const lastDelay = retryDelaysMs.length - 1;
  const waitMs = Math.max(retryDelaysMs[Math.min(failures, lastDelay)]!, error.retryAfterMs);
  app.log.warn({ error: error.message, waitMs }, 'embedding failed; the passages are found by words until a retry');
  return enqueueEmbedding(app, tx, settings, { baseId, failures: failures + 1, delayMs: waitMs });
}

async function resumeAfterDefect(
  app: App,
  tx: Tx,
  settings: EmbeddingsSettings | undefined,
  job: Job<EmbeddingWork>,
  error: unknown,
): Promise<void> {
  app.log.error({ err: error, base: job.key }, `embedding a knowledge base failed: ${messageOf(error)}`);
  if (settings) await enqueueEmbedding(app, tx, settings, { ...job.payload, delayMs: retryDelaysMs.at(-1)! });
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

/** Rows that one transaction deletes: few enough not to delay other writers. */
const pruningBatchSize = 500;

/** Deletes vectors of former models and embeddings that no passage uses any more. */
export const embeddingPruning = nightly(
  jobKind('retrieval.prune'),
  '41 3 * * *',
  async (_app, tx) => (await deleteObsolete(tx, pruningBatchSize)) === pruningBatchSize,
);
