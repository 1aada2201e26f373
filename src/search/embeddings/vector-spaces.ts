import { sql } from 'kysely';
import { prepared } from '../../db/prepared.ts';
import type { Queryable, Tx } from '../../db/transaction.ts';
import type { EmbeddingsSettings } from './settings.ts';

/**
 * Vectors of one model and one `embeddings.dimensions` setting, which can be compared with each other. `dimensions` is null before the
 * first vector is stored.
 */
export type VectorSpace = { id: number; dimensions: number | null };

/** Identifies a vector space; 0 requested dimensions stand for the model's default. */
type SpaceKey = { model: string; requestedDimensions: number };

const keyOf = ({ model, dimensions }: EmbeddingsSettings): SpaceKey => ({
  model,
  requestedDimensions: dimensions ?? 0,
});

const selectSpace = prepared(
  (_db, p: SpaceKey) => sql<VectorSpace & { isCurrent: number }>`
    SELECT id, dimensions, is_current AS "isCurrent" FROM retrieval_spaces
    WHERE model = ${p.model} AND requested_dimensions = ${p.requestedDimensions}`,
);

/** The vector space of the settings; undefined before the first start with them. */
export const findSpace = async (db: Queryable, settings: EmbeddingsSettings): Promise<VectorSpace | undefined> =>
  (await selectSpace(db, keyOf(settings))).rows[0];

/** Makes the vector space of the settings the current one; without settings, none is current. Returns whether a new space became current. */
export async function activateSpace(tx: Tx, settings: EmbeddingsSettings | undefined): Promise<boolean> {
  const existing = settings && (await selectSpace(tx, keyOf(settings))).rows[0];
  if (existing?.isCurrent === 1) return false;
  await tx.updateTable('retrieval_spaces').set({ is_current: 0 }).where('is_current', '=', 1).execute();
  await tx.deleteFrom('retrieval_unembedded').execute();
  if (!settings) return false;
  const { model, requestedDimensions } = keyOf(settings);
  await tx
    .insertInto('retrieval_spaces')
    .values({ model, requested_dimensions: requestedDimensions, is_current: 1 })
    .onConflict((conflict) => conflict.columns(['model', 'requested_dimensions']).doUpdateSet({ is_current: 1 }))
    .execute();
  return true;
}

/** Sets how many dimensions a vector space has. Returns false when its vectors already have another number. */
export async function fixDimensions(tx: Tx, spaceId: number, dimensions: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('retrieval_spaces')
    .set({ dimensions })
    .where('id', '=', spaceId)
    .where((where) => where.or([where('dimensions', 'is', null), where('dimensions', '=', dimensions)]))
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}
