import { jobKind, enqueue } from '../../kernel/queue.ts';
import type { Tx } from '../../db/transaction.ts';
import type { BackgroundApp } from '../../kernel/background.ts';
import { type EmbeddingsSettings, embeddingsOf } from './settings.ts';
import { keepVector, letWait, type Space, spaceOf, withKnownVectors } from './store.ts';
import { signsOf, vectorOf } from './vectors.ts';

export type EmbeddingWork = {
  baseId: number;
  /** How often in a row the endpoint failed. */
  failures: number;
  /** Passages per request; fewer after it refused some. */
  atOnce: number;
};

export const embedBase = jobKind<EmbeddingWork>('retrieval.embed');

/** Work for one endpoint is one lane. */
const laneOf = ({ url }: EmbeddingsSettings): string => `embeddings ${URL.parse(url)!.host}`;

/** Passages get their vectors: those of known texts at once, the others when the endpoint has been asked. */
export async function place(app: BackgroundApp, tx: Tx, ids: readonly number[]): Promise<void> {
  const settings = embeddingsOf(app.config);
  const space = settings && (await spaceOf(tx, settings));
  if (!settings || !space) return;
  for (const baseId of await link(tx, space, ids)) await goOn(app, tx, settings, { baseId, failures: 0 });
}

/** Answers the bases of those whose text is not known; they wait. */
export async function link(tx: Tx, space: Space, ids: readonly number[]): Promise<Set<number>> {
  const waiting = new Set<number>();
  for (const { id, baseId, embeddingId, vector } of await withKnownVectors(tx, space.id, ids)) {
    if (embeddingId !== null && vector !== null) {
      await keepVector(tx, { baseId, spaceId: space.id, id, embeddingId, signs: signsOf(vectorOf(vector)) });
    } else {
      await letWait(tx, { baseId, id });
      waiting.add(baseId);
    }
  }
  return waiting;
}

/** Has the endpoint asked for what waits in a base, now or later. Bases take turns: each batch goes behind the others'. */
export async function goOn(
  app: BackgroundApp,
  tx: Tx,
  settings: EmbeddingsSettings,
  {
    baseId,
    failures,
    atOnce = settings.batchSize,
    delayMs = 0,
  }: Partial<EmbeddingWork> & { baseId: number; failures: number; delayMs?: number },
): Promise<void> {
  await enqueue(app, tx, embedBase, {
    key: String(baseId),
    lane: laneOf(settings),
    dueAt: app.clock.now() + delayMs,
    payload: { baseId, failures, atOnce },
  });
}
