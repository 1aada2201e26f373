import { sql } from 'kysely';
import { prepared } from '../../db/prepared.ts';
import type { Queryable, Tx } from '../../db/transaction.ts';
import { encodeVector, type UnitVector } from './vectors.ts';

const insertEmbedding = prepared(
  (_db, p: { organizationId: string; spaceId: number; contentHash: string; vector: Buffer }) => sql`
    INSERT INTO retrieval_embeddings (organization_id, space_id, content_hash, vector)
    VALUES (${p.organizationId}, ${p.spaceId}, ${p.contentHash}, ${p.vector}) ON CONFLICT DO NOTHING`,
);

/**
 * Stores embeddings for the organization of a knowledge base; an embedding that exists already is kept. Each organization has embeddings
 * of its own, so that it cannot find out whether another organization has the same text. Returns false when the base is gone.
 */
export async function storeEmbeddings(
  tx: Tx,
  { baseId, spaceId }: { baseId: number; spaceId: number },
  embeddings: ReadonlyArray<{ contentHash: string; vector: UnitVector }>,
): Promise<boolean> {
  const base = await tx
    .selectFrom('retrieval_bases')
    .select('organization_id')
    .where('id', '=', baseId)
    .executeTakeFirst();
  if (!base) return false;
  for (const { contentHash, vector } of embeddings) {
    const row = { organizationId: base.organization_id, spaceId, contentHash, vector: encodeVector(vector) };
    await insertEmbedding(tx, row);
  }
  return true;
}

const selectPassageIds = prepared(
  (_db, p: { after: number; limit: number }) => sql<{ id: number }>`
    SELECT id FROM retrieval_passages WHERE id > ${p.after} ORDER BY id LIMIT ${p.limit}`,
);

/** Ids of passages of all knowledge bases, ascending. */
export const passageIdsAfter = async (db: Queryable, after: number, limit: number): Promise<number[]> =>
  (await selectPassageIds(db, { after, limit })).rows.map(({ id }) => id);

const deleteVectorsOfOldSpaces = prepared(
  (_db, p: { limit: number }) => sql`
    DELETE FROM retrieval_vectors WHERE (base_id, passage_id, space_id) IN (
      SELECT base_id, passage_id, space_id FROM retrieval_vectors
      WHERE space_id NOT IN (SELECT id FROM retrieval_spaces WHERE is_current = 1) LIMIT ${p.limit})`,
);

const deleteCentresOfOldSpaces = prepared(
  (_db, p: { limit: number }) => sql`
    DELETE FROM retrieval_centres WHERE id IN (
      SELECT id FROM retrieval_centres
      WHERE space_id NOT IN (SELECT id FROM retrieval_spaces WHERE is_current = 1) LIMIT ${p.limit})`,
);

const deleteUnusedEmbeddings = prepared(
  (_db, p: { limit: number }) => sql`
    DELETE FROM retrieval_embeddings WHERE id IN (
      SELECT id FROM retrieval_embeddings
      WHERE NOT EXISTS (SELECT 1 FROM retrieval_vectors WHERE embedding_id = retrieval_embeddings.id) LIMIT ${p.limit})`,
);

/**
 * Deletes a batch of vectors of former models, then of their centres, which the vectors' sign bits refer to, then of embeddings that no
 * passage uses any more. Returns whether there may be more.
 */
export async function deleteObsolete(tx: Tx, limit: number): Promise<boolean> {
  for (const deleteRows of [deleteVectorsOfOldSpaces, deleteCentresOfOldSpaces, deleteUnusedEmbeddings]) {
    const { numAffectedRows = 0n } = await deleteRows(tx, { limit });
    if (numAffectedRows > 0n) return true;
  }
  return false;
}
