import { sql } from 'kysely';
import { prepared } from '../../db/prepared.ts';
import { joinInOrder, listOf, rowsOf } from '../../db/sql.ts';
import type { Queryable, Tx } from '../../db/transaction.ts';
import type { PassageContent } from '../index/content.ts';
import { decodeVector, encodeVector, signBitsOf, type UnitVector } from './vectors.ts';

const insertEmbedding = prepared(
  (_db, p: { organizationId: string; spaceId: number; contentHash: string; vector: Buffer }) => sql`
    INSERT INTO retrieval_embeddings (organization_id, space_id, content_hash, vector)
    VALUES (${p.organizationId}, ${p.spaceId}, ${p.contentHash}, ${p.vector}) ON CONFLICT DO NOTHING`,
);

/**
 * Stores embeddings for the organization of a knowledge base; one that exists stays. They belong to the organization, so that none can
 * tell whether another one has the same text. Returns false when the base is gone.
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

/** A passage that has no vector in the current vector space yet. */
export type PendingPassage = PassageContent & { id: number; contentHash: string };

const selectPending = prepared(
  (_db, p: { baseId: number; limit: number }) => sql<PendingPassage>`
    SELECT passage.id, passage.title, passage.heading, passage.text, passage.content_hash AS "contentHash"
    FROM retrieval_unembedded AS pending ${joinInOrder} retrieval_passages AS passage
      ON passage.id = pending.passage_id
    WHERE pending.base_id = ${p.baseId} ORDER BY pending.passage_id LIMIT ${p.limit}`,
);

export const pendingPassages = async (db: Queryable, baseId: number, limit: number): Promise<PendingPassage[]> =>
  (await selectPending(db, { baseId, limit })).rows;

export async function hasPending(db: Queryable, baseId: number): Promise<boolean> {
  return (await selectPending(db, { baseId, limit: 1 })).rows.length > 0;
}

const deletePending = prepared(
  (_db, p: { baseId: number; ids: readonly number[] }) => sql`
    DELETE FROM retrieval_unembedded
    WHERE base_id = ${p.baseId} AND passage_id IN ${listOf(p.ids)}`,
);

export async function removePending(tx: Tx, baseId: number, passageIds: readonly number[]): Promise<void> {
  await deletePending(tx, { baseId, ids: passageIds });
}

const insertPending = prepared(
  (_db, p: { baseId: number; id: number }) => sql`
    INSERT INTO retrieval_unembedded (base_id, passage_id) VALUES (${p.baseId}, ${p.id}) ON CONFLICT DO NOTHING`,
);

const insertVector = prepared(
  (_db, p: { baseId: number; spaceId: number; id: number; embeddingId: number; signBits: Buffer }) => sql`
    INSERT INTO retrieval_vectors (base_id, space_id, passage_id, embedding_id, signs)
    VALUES (${p.baseId}, ${p.spaceId}, ${p.id}, ${p.embeddingId}, ${p.signBits}) ON CONFLICT DO NOTHING`,
);

type PassageEmbedding = { id: number; baseId: number; embeddingId: number | null; vector: Buffer | null };

const selectEmbeddings = prepared(
  (_db, p: { spaceId: number; ids: readonly number[] }) => sql<PassageEmbedding>`
    SELECT passage.id, passage.base_id AS "baseId", embedding.id AS "embeddingId", embedding.vector
    FROM ${rowsOf(p.ids)} AS wanted ${joinInOrder} retrieval_passages AS passage ON passage.id = wanted.value
    ${joinInOrder} retrieval_bases AS base ON base.id = passage.base_id
    LEFT JOIN retrieval_embeddings AS embedding ON embedding.organization_id = base.organization_id
      AND embedding.space_id = ${p.spaceId} AND embedding.content_hash = passage.content_hash`,
);

/** Links passages to the embeddings of their content; the others become pending. Returns the knowledge bases of those. */
export async function linkVectors(tx: Tx, spaceId: number, passageIds: readonly number[]): Promise<Set<number>> {
  const basesWithPending = new Set<number>();
  const { rows } = await selectEmbeddings(tx, { spaceId, ids: passageIds });
  for (const { id, baseId, embeddingId, vector } of rows) {
    if (embeddingId !== null && vector !== null) {
      await insertVector(tx, { baseId, spaceId, id, embeddingId, signBits: signBitsOf(decodeVector(vector)) });
    } else {
      await insertPending(tx, { baseId, id });
      basesWithPending.add(baseId);
    }
  }
  return basesWithPending;
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

const deleteUnusedEmbeddings = prepared(
  (_db, p: { limit: number }) => sql`
    DELETE FROM retrieval_embeddings WHERE id IN (
      SELECT id FROM retrieval_embeddings
      WHERE NOT EXISTS (SELECT 1 FROM retrieval_vectors WHERE embedding_id = retrieval_embeddings.id) LIMIT ${p.limit})`,
);

/** Deletes a batch of vectors of former models, or of embeddings that no passage uses any more. Returns how many. */
export async function deleteObsolete(tx: Tx, limit: number): Promise<number> {
  const { numAffectedRows: vectors = 0n } = await deleteVectorsOfOldSpaces(tx, { limit });
  if (vectors > 0n) return Number(vectors);
  return Number((await deleteUnusedEmbeddings(tx, { limit })).numAffectedRows ?? 0);
}
