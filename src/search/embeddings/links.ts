import { sql } from 'kysely';
import { prepared } from '../../db/prepared.ts';
import { joinInOrder, rowsOf } from '../../db/sql.ts';
import type { Queryable, Tx } from '../../db/transaction.ts';
import { centresOf, countAddedVectors, newestCentres } from './centres.ts';
import { addPending } from './pending.ts';
import { decodeVector, signBitsOf, type UnitVector } from './vectors.ts';

const insertVector = prepared(
  (
    _db,
    p: { baseId: number; spaceId: number; id: number; embeddingId: number; centreId: number; signBits: Buffer },
  ) => sql`
    INSERT INTO retrieval_vectors (base_id, space_id, passage_id, embedding_id, centre_id, signs)
    VALUES (${p.baseId}, ${p.spaceId}, ${p.id}, ${p.embeddingId}, ${p.centreId}, ${p.signBits}) ON CONFLICT DO NOTHING`,
);

type PassageEmbedding = {
  id: number;
  baseId: number;
  organizationId: string;
  embeddingId: number | null;
  vector: Buffer | null;
};

const selectEmbeddings = prepared(
  (_db, p: { spaceId: number; ids: readonly number[] }) => sql<PassageEmbedding>`
    SELECT passage.id, passage.base_id AS "baseId", base.organization_id AS "organizationId",
      embedding.id AS "embeddingId", embedding.vector
    FROM ${rowsOf(p.ids)} AS wanted ${joinInOrder} retrieval_passages AS passage ON passage.id = wanted.value
    ${joinInOrder} retrieval_bases AS base ON base.id = passage.base_id
    LEFT JOIN retrieval_embeddings AS embedding ON embedding.organization_id = base.organization_id
      AND embedding.space_id = ${p.spaceId} AND embedding.content_hash = passage.content_hash`,
);

/** A knowledge base with new links: whether passages of it have a vector, and whether some wait for one. */
export type LinkedBase = { baseId: number; organizationId: string; hasVectors: boolean; hasPending: boolean };

/** Links passages to the embeddings of their content. Passages without an embedding become pending. Returns the bases of all passages. */
export async function linkVectors(tx: Tx, spaceId: number, passageIds: readonly number[]): Promise<LinkedBase[]> {
  const { rows } = await selectEmbeddings(tx, { spaceId, ids: passageIds });
  const byBase = Map.groupBy(rows, ({ baseId }) => baseId);
  const centres = newestCentres(await centresOf(tx, spaceId, byBase.keys()));
  const linked: LinkedBase[] = [];
  for (const [baseId, passages] of byBase) {
    const centre = centres.get(baseId);
    let added = 0;
    let hasVectors = false;
    for (const { id, embeddingId, vector } of passages) {
      if (embeddingId === null || vector === null) {
        await addPending(tx, baseId, id);
        continue;
      }
      hasVectors = true;
      const signBits = signBitsOf(decodeVector(vector), centre?.mean);
      const row = { baseId, spaceId, id, embeddingId, centreId: centre?.id ?? 0, signBits };
      added += Number((await insertVector(tx, row)).numAffectedRows ?? 0n);
    }
    if (added > 0) await countAddedVectors(tx, baseId, added);
    const hasPending = passages.some(({ embeddingId }) => embeddingId === null);
    linked.push({ baseId, organizationId: passages[0]!.organizationId, hasVectors, hasPending });
  }
  return linked;
}

type LinkedVector = { id: number; vector: UnitVector };

const selectLinked = prepared(
  (_db, p: { baseId: number; spaceId: number; after: number; limit: number }) => sql<{ id: number; vector: Buffer }>`
    SELECT vector.passage_id AS id, embedding.vector FROM retrieval_vectors AS vector
    ${joinInOrder} retrieval_embeddings AS embedding ON embedding.id = vector.embedding_id
    WHERE vector.base_id = ${p.baseId} AND vector.passage_id > ${p.after} AND vector.space_id = ${p.spaceId}
    ORDER BY vector.passage_id LIMIT ${p.limit}`,
);

/** A batch of a base's vectors, in the order of their passages. */
export const linkedVectors = async (
  db: Queryable,
  range: { baseId: number; spaceId: number; after: number; limit: number },
): Promise<LinkedVector[]> =>
  (await selectLinked(db, range)).rows.map(({ id, vector }) => ({ id, vector: decodeVector(vector) }));

const updateSignBits = prepared(
  (_db, p: { baseId: number; spaceId: number; id: number; centreId: number; signBits: Buffer }) => sql`
    UPDATE retrieval_vectors SET centre_id = ${p.centreId}, signs = ${p.signBits}
    WHERE base_id = ${p.baseId} AND passage_id = ${p.id} AND space_id = ${p.spaceId}`,
);

/** Recomputes the sign bits of vectors relative to another centre. */
export async function recentreVectors(
  tx: Tx,
  { baseId, spaceId, centre }: { baseId: number; spaceId: number; centre: { id: number; mean: Float32Array } },
  vectors: readonly LinkedVector[],
): Promise<void> {
  for (const { id, vector } of vectors) {
    const signBits = signBitsOf(vector, centre.mean);
    await updateSignBits(tx, { baseId, spaceId, id, centreId: centre.id, signBits });
  }
}
