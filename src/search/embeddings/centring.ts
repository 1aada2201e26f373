import type { Tx } from '../../db/transaction.ts';
import type { App } from '../../kernel/app.ts';
import { addCentre, centresOf, completeCentre, isCentreDue } from './centres.ts';
import { type CentringWork, enqueueCentring } from './embedding-queue.ts';
import { linkedVectors, recentreVectors } from './links.ts';
import type { EmbeddingsSettings } from './settings.ts';
import { findSpace } from './vector-spaces.ts';

/** Vectors whose sign bits one transaction recomputes; with 1,536 dimensions that takes some milliseconds. */
const batchSize = 200;

/**
 * One step of centring a knowledge base: computes the centre, or recomputes the sign bits of a batch of vectors relative to it. Meanwhile
 * queries compare each vector's bits with the query's bits relative to the same centre.
 */
export async function centringStep(
  app: App,
  tx: Tx,
  settings: EmbeddingsSettings | undefined,
  { baseId, centreId, after }: CentringWork,
): Promise<void> {
  const space = settings && (await findSpace(tx, settings));
  if (!space) return;
  if (centreId === 0) {
    const added = await addCentre(tx, space.id, baseId);
    if (added !== undefined) await enqueueCentring(app, tx, { baseId, centreId: added, after: 0 });
    return;
  }
  const centre = (await centresOf(tx, space.id, [baseId])).find(({ id }) => id === centreId);
  if (!centre) return; // the base or the model is gone
  const vectors = await linkedVectors(tx, { baseId, spaceId: space.id, after, limit: batchSize });
  await recentreVectors(tx, { baseId, spaceId: space.id, centre }, vectors);
  if (vectors.length === batchSize) {
    return enqueueCentring(app, tx, { baseId, centreId, after: vectors.at(-1)!.id });
  }
  await completeCentre(tx, space.id, centre);
  if (await isCentreDue(tx, space.id, baseId)) await enqueueCentring(app, tx, { baseId, centreId: 0, after: 0 });
}
