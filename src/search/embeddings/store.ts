import { sql } from 'kysely';
import { prepared, sent } from '../../db/prepared.ts';
import { joinInOrder, rowsOf } from '../../db/sql.ts';
import type { Queryable, Tx } from '../../db/transaction.ts';
import { addPending } from './pending.ts';
import { encodeVector, type UnitVector } from './vectors.ts';

const insertEmbedding = sent(
  (_db, p: { baseId: number; spaceId: number; contentHash: string; vector: Buffer }) => sql`
    INSERT INTO retrieval_embeddings (organization_id, space_id, content_hash, vector)
    SELECT organization_id, ${p.spaceId}, ${p.contentHash}, ${p.vector} FROM retrieval_bases WHERE id = ${p.baseId}
    ON CONFLICT DO NOTHING`,
);

/**
 * Stores embeddings for the organization of a knowledge base; an embedding that exists already is kept. Each organization has embeddings
 * of its own, so that it cannot find out whether another organization has the same text. Nothing is stored for a base that is gone.
 */
export async function storeEmbeddings(
  tx: Tx,
  { baseId, spaceId }: { baseId: number; spaceId: number },
  embeddings: ReadonlyArray<{ contentHash: string; vector: UnitVector }>,
): Promise<void> {
  for (const { contentHash, vector } of embeddings) {
    await insertEmbedding(tx, { baseId, spaceId, contentHash, vector: encodeVector(vector) });
  }
}

const insertVector = sent(
  (_db, p: { baseId: number; id: number; embeddingId: number }) => sql`
    INSERT INTO retrieval_vectors (base_id, passage_id, embedding_id) VALUES (${p.baseId}, ${p.id}, ${p.embeddingId})
    ON CONFLICT (base_id, passage_id) DO UPDATE SET embedding_id = excluded.embedding_id`,
);

type PassageEmbedding = { id: number; baseId: number; organizationId: string; embeddingId: number | null };

const selectEmbeddings = prepared(
  (_db, p: { spaceId: number; ids: readonly number[] }) => sql<PassageEmbedding>`
    SELECT passage.id, passage.base_id AS "baseId", base.organization_id AS "organizationId",
      embedding.id AS "embeddingId"
    FROM ${rowsOf(p.ids, 'integer')} AS wanted ${joinInOrder} retrieval_passages AS passage ON passage.id = wanted.value
    ${joinInOrder} retrieval_bases AS base ON base.id = passage.base_id
    LEFT JOIN retrieval_embeddings AS embedding ON embedding.organization_id = base.organization_id
      AND embedding.space_id = ${p.spaceId} AND embedding.content_hash = passage.content_hash`,
);

/** A knowledge base of passages that were given their vectors, and whether some of them wait for one. */
export type LinkedBase = { baseId: number; organizationId: string; hasPending: boolean };

/** Gives passages the vectors of their content. Passages without one become pending. Returns the bases of all passages. */
export async function linkVectors(tx: Tx, spaceId: number, passageIds: readonly number[]): Promise<LinkedBase[]> {
  const { rows } = await selectEmbeddings(tx, { spaceId, ids: passageIds });
  for (const { id, baseId, embeddingId } of rows) {
    if (embeddingId === null) await addPending(tx, baseId, id);
    else await insertVector(tx, { baseId, id, embeddingId });
  }
  return Array.from(
    Map.groupBy(rows, ({ baseId }) => baseId),
    ([baseId, passages]) => ({
      baseId,
      organizationId: passages[0]!.organizationId,
      hasPending: passages.some(({ embeddingId }) => embeddingId === null),
    }),
  );
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
    DELETE FROM retrieval_vectors WHERE (base_id, passage_id) IN (
      SELECT link.base_id, link.passage_id FROM retrieval_embeddings AS embedding ${joinInOrder} retrieval_vectors AS link
        ON link.embedding_id = embedding.id
      WHERE embedding.space_id NOT IN (SELECT id FROM retrieval_spaces WHERE is_current = 1) LIMIT ${p.limit})`,
);

const deleteUnusedEmbeddings = prepared(
  (_db, p: { limit: number }) => sql`
    DELETE FROM retrieval_embeddings WHERE id IN (
      SELECT id FROM retrieval_embeddings
      WHERE NOT EXISTS (SELECT 1 FROM retrieval_vectors WHERE embedding_id = retrieval_embeddings.id) LIMIT ${p.limit})`,
);

/**
 * Deletes a batch of vectors of earlier models, then of embeddings that no passage uses any more. Returns whether there may be more.
 */
export async function deleteObsolete(tx: Tx, limit: number): Promise<boolean> {
  for (const deleteRows of [deleteVectorsOfOldSpaces, deleteUnusedEmbeddings]) {
    const { numAffectedRows = 0n } = await deleteRows(tx, { limit });
    if (numAffectedRows > 0n) return true;
  }
  return false;
}
