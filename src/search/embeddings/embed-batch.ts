import { messageOf } from '../../base/errors.ts';
import type { Tx } from '../../db/transaction.ts';
import type { App } from '../../kernel/app.ts';
import type { Completion, Job } from '../../kernel/queue.ts';
import { contentOf } from '../index/content.ts';
import { embed, EmbeddingsFailure } from './client.ts';
import { type EmbeddingWork, enqueueEmbedding } from './embedding-queue.ts';
import { nextPending, type PendingPassage, pendingPassages, postponeRefused, removePending } from './pending.ts';
import type { EmbeddingsSettings } from './settings.ts';
import { linkVectors, storeEmbeddings } from './store.ts';
import { findSpace, fixDimensions, type VectorSpace } from './vector-spaces.ts';
import type { UnitVector } from './vectors.ts';

/** Delays after the 1st, 2nd, … failure in a row; the last one repeats until the endpoint works again. */
const retryDelaysMs = [1000, 5000, 30_000, 120_000, 600_000] as const;
const retryDelayMs = (failures: number): number => retryDelaysMs[Math.min(failures, retryDelaysMs.length - 1)]!;

type Batch = readonly PendingPassage[];

/** Runs at least once: a batch whose result was lost is requested again, and storing its vectors twice changes nothing. */
export async function embedBatch(
  app: App,
  settings: EmbeddingsSettings | undefined,
  { payload }: Job<EmbeddingWork>,
  signal: AbortSignal,
): Promise<Completion> {
  const space = settings && (await findSpace(app.db, settings));
  if (!settings || !space) return { write: () => Promise.resolve() }; // switched off: pending passages are found by words
  const batch = await pendingPassages(app.db, payload.baseId, { now: app.clock.now(), limit: payload.atOnce });
  if (batch.length === 0) return { write: (tx) => continueIfPending(app, tx, settings, payload) };
  try {
    const vectors = await embed(app, settings, batch.map(contentOf), { timeoutMs: settings.timeoutMs });
    return { write: (tx) => storeVectors(app, tx, { settings, space, work: payload }, batch, vectors) };
  } catch (error) {
    if (!(error instanceof EmbeddingsFailure) || signal.aborted) throw error;
    return { write: (tx) => retryLater(app, tx, settings, payload, batch, error) };
  }
}

async function storeVectors(
  app: App,
  tx: Tx,
  { settings, space, work }: { settings: EmbeddingsSettings; space: VectorSpace; work: EmbeddingWork },
  batch: Batch,
  vectors: readonly UnitVector[],
): Promise<void> {
  const { baseId } = work;
  const dimensions = vectors[0]!.length;
  if (!(await fixDimensions(tx, space.id, dimensions))) {
    const error = new EmbeddingsFailure(
      `The embeddings endpoint returned vectors of ${dimensions} dimensions for ${settings.model}, and of other dimensions before.`,
    );
    const failures = retryDelaysMs.length;
    return retryLater(app, tx, settings, { ...work, failures }, batch, error);
  }
  const embeddings = batch.map(({ contentHash }, index) => ({ contentHash, vector: vectors[index]! }));
  await storeEmbeddings(tx, { baseId, spaceId: space.id }, embeddings);
  const ids = batch.map(({ id }) => id);
  await removePending(tx, baseId, ids);
  await linkVectors(tx, space.id, ids);
  await continueIfPending(app, tx, settings, { baseId, failures: 0, atOnce: 2 * work.atOnce });
}

/** Enqueues the job again if passages are pending: those added while it ran could not enqueue it, and refused ones are due later. */
async function continueIfPending(
  app: App,
  tx: Tx,
  settings: EmbeddingsSettings,
  { baseId, failures, atOnce }: EmbeddingWork,
): Promise<void> {
  const next = await nextPending(tx, baseId);
  if (!next) return;
  await enqueueEmbedding(app, tx, settings, {
    baseId,
    failures,
    atOnce: Math.min(atOnce, settings.batchSize),
    delayMs: Math.max(0, next.dueAt - app.clock.now()),
    scope: next.organizationId,
  });
}

async function retryLater(
  app: App,
  tx: Tx,
  settings: EmbeddingsSettings,
  work: EmbeddingWork,
  batch: Batch,
  error: EmbeddingsFailure,
): Promise<void> {
  if (error.refusesTexts) return narrowDown(app, tx, settings, work, batch, error);
  const { baseId, failures, atOnce } = work;
  const waitMs = Math.max(retryDelayMs(failures), error.retryAfterMs);
  app.log.warn({ error: error.message, waitMs }, 'embedding failed; the passages are found by words until a retry');
  return enqueueEmbedding(app, tx, settings, { baseId, failures: failures + 1, atOnce, delayMs: waitMs });
}

/** Passages refused in a row before the endpoint counts as failing: it may refuse everything for a while. */
const maxRefusals = 3;

/**
 * Halves a batch that the endpoint refused, so that one text that it does not accept keeps no other from being embedded. That text is
 * tried again much later.
 */
async function narrowDown(
  app: App,
  tx: Tx,
  settings: EmbeddingsSettings,
  { baseId, failures }: EmbeddingWork,
  batch: Batch,
  error: EmbeddingsFailure,
): Promise<void> {
  if (batch.length > 1) {
    return enqueueEmbedding(app, tx, settings, { baseId, failures, atOnce: Math.ceil(batch.length / 2) });
  }
  const [passage] = batch as [PendingPassage];
  const postponedMs = await postponeRefused(tx, baseId, passage, app.clock.now());
  app.log.warn(
    { passage: passage.id, error: error.message, waitMs: postponedMs },
    'embeddings endpoint refused a passage; it is found by words until a retry',
  );
  const refusals = failures + 1;
  if (refusals < maxRefusals) return continueIfPending(app, tx, settings, { baseId, failures: refusals, atOnce: 1 });
  const delayMs = retryDelayMs(refusals - maxRefusals);
  return enqueueEmbedding(app, tx, settings, { baseId, failures: refusals, atOnce: 1, delayMs });
}

export async function resumeAfterDefect(
  app: App,
  tx: Tx,
  settings: EmbeddingsSettings | undefined,
  job: Job<EmbeddingWork>,
  error: unknown,
): Promise<void> {
  app.log.error({ err: error, base: job.key }, `embedding a knowledge base failed: ${messageOf(error)}`);
  if (settings)
    await enqueueEmbedding(app, tx, settings, { ...job.payload, delayMs: retryDelayMs(retryDelaysMs.length) });
}
