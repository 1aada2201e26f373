import type { Tx } from '../../db/transaction.ts';
import type { BackgroundApp } from '../../kernel/app.ts';
import { enqueue, jobKind } from '../../kernel/queue.ts';
import { type EmbeddingsSettings, embeddingsOf } from './settings.ts';
import { linkVectors } from './store.ts';
import { findSpace } from './vector-spaces.ts';

/** The payload of a job that embeds pending passages of one knowledge base. Field names are stored, so they stay. */
export type EmbeddingWork = {
  baseId: number;
  /** Requests in a row that failed, or were refused with a single passage. */
  failures: number;
  /** Passages per request: fewer than `embeddings.batch_size` after the endpoint refused a batch. */
  atOnce: number;
};

export const embedBase = jobKind<EmbeddingWork>('retrieval.embed');

/** One lane for each knowledge base, so that they take turns. The pool limits how many requests the endpoint gets at a time. */
const laneOf = (baseId: number): string => `embeddings:${baseId}`;

/** Gives passages the vectors that are stored for their content, and enqueues the job that has the endpoint embed the rest. */
export async function queueEmbedding(app: BackgroundApp, tx: Tx, passageIds: readonly number[]): Promise<void> {
  const settings = embeddingsOf(app.config);
  const space = settings && (await findSpace(tx, settings));
  if (!settings || !space) return;
  for (const { baseId, organizationId, hasPending } of await linkVectors(tx, space.id, passageIds)) {
    if (hasPending) await enqueueEmbedding(app, tx, settings, { baseId, failures: 0, scope: organizationId });
  }
}

type Batch = Pick<EmbeddingWork, 'baseId' | 'failures'> & { atOnce?: number; delayMs?: number; scope?: string };

/**
 * Enqueues the next batch of a knowledge base, now or later. `scope` is the base's organization; a transaction of that organization may
 * leave it out.
 */
export async function enqueueEmbedding(
  app: BackgroundApp,
  tx: Tx,
  settings: EmbeddingsSettings,
  { baseId, failures, atOnce = settings.batchSize, delayMs = 0, scope }: Batch,
): Promise<void> {
  await enqueue(app, tx, embedBase, {
    key: String(baseId),
    lane: laneOf(baseId),
    dueAt: app.clock.now() + delayMs,
    payload: { baseId, failures, atOnce },
    ...(scope === undefined ? {} : { scope }),
  });
}
