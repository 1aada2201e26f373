import type { Tx } from '../../db/transaction.ts';
import type { BackgroundApp } from '../../kernel/app.ts';
import { enqueue, jobKind } from '../../kernel/queue.ts';
import { type EmbeddingsSettings, embeddingsOf } from './settings.ts';
import { linkVectors } from './store.ts';
import { findSpace } from './vector-spaces.ts';

/** The payload of a job that embeds pending passages of one knowledge base. Field names are stored, so they stay. */
export type EmbeddingWork = {
  baseId: number;
  /** Failed requests in a row. */
  failures: number;
  /** Passages per request: fewer than `embeddings.batch_size` after the endpoint refused a batch. */
  atOnce: number;
};

export const embedBase = jobKind<EmbeddingWork>('retrieval.embed');

/** All requests to one endpoint share a lane. */
const laneOf = ({ url }: EmbeddingsSettings): string => `embeddings ${URL.parse(url)!.host}`;

/** Gives passages the vectors that are known for their content, and has the endpoint embed the rest. */
export async function queueEmbedding(app: BackgroundApp, tx: Tx, passageIds: readonly number[]): Promise<void> {
  const settings = embeddingsOf(app.config);
  const space = settings && (await findSpace(tx, settings));
  if (!settings || !space) return;
  for (const baseId of await linkVectors(tx, space.id, passageIds)) {
    await enqueueEmbedding(app, tx, settings, { baseId, failures: 0 });
  }
}

/** Enqueues the next batch of a knowledge base, now or later. Bases take turns, because each batch goes to the end of the queue. */
export async function enqueueEmbedding(
  app: BackgroundApp,
  tx: Tx,
  settings: EmbeddingsSettings,
  {
    baseId,
    failures,
    atOnce = settings.batchSize,
    delayMs = 0,
  }: { baseId: number; failures: number; atOnce?: number; delayMs?: number },
): Promise<void> {
  await enqueue(app, tx, embedBase, {
    key: String(baseId),
    lane: laneOf(settings),
    dueAt: app.clock.now() + delayMs,
    payload: { baseId, failures, atOnce },
  });
}
