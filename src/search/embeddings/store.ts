import { sql } from 'kysely';
import { prepared } from '../../db/prepared.ts';
import type { Queryable, Tx } from '../../db/transaction.ts';
import { bytesOf, joinInOrder, jsonListOf, listOf, rowsOf } from '../../db/sql.ts';
import type { EmbeddingsSettings } from './settings.ts';

/** Where vectors can be compared. `dimensions` is null before the first vector. */
export type Space = { id: number; dimensions: number | null };

type Named = { model: string; asked: number };

const named = ({ model, dimensions }: EmbeddingsSettings): Named => ({ model, asked: dimensions ?? 0 });

const spaceByName = prepared(
  (_db, p: Named) => sql<Space & { isCurrent: number }>`
    SELECT id, dimensions, is_current AS "isCurrent" FROM retrieval_spaces
    WHERE model = ${p.model} AND asked_dimensions = ${p.asked}`,
);

/** The space that the settings name; undefined before the first start with them. */
export const spaceOf = async (db: Queryable, settings: EmbeddingsSettings): Promise<Space | undefined> =>
  (await spaceByName(db, named(settings))).rows[0];

/** Makes the space that the settings name (none without settings) the current one. Whether it was not. */
export async function makeCurrent(tx: Tx, settings: EmbeddingsSettings | undefined): Promise<boolean> {
  const before = settings && (await spaceByName(tx, named(settings))).rows[0];
  if (before?.isCurrent === 1) return false;
  await tx.updateTable('retrieval_spaces').set({ is_current: 0 }).where('is_current', '=', 1).execute();
  await tx.deleteFrom('retrieval_unembedded').execute();
  if (!settings) return false;
  const { model, asked } = named(settings);
  await tx
    .insertInto('retrieval_spaces')
    .values({ model, asked_dimensions: asked, is_current: 1 })
    .onConflict((conflict) => conflict.columns(['model', 'asked_dimensions']).doUpdateSet({ is_current: 1 }))
    .execute();
  return true;
}

/** Notes how long the vectors of a space are. False when they are known to have another length. */
export async function settleDimensions(tx: Tx, spaceId: number, dimensions: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('retrieval_spaces')
    .set({ dimensions })
    .where('id', '=', spaceId)
    .where((where) => where.or([where('dimensions', 'is', null), where('dimensions', '=', dimensions)]))
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

const putEmbedding = prepared(
  (_db, p: { organizationId: string; spaceId: number; hash: string; vector: Buffer }) => sql`
    INSERT INTO retrieval_embeddings (organization_id, space_id, content_hash, vector)
    VALUES (${p.organizationId}, ${p.spaceId}, ${p.hash}, ${p.vector}) ON CONFLICT DO NOTHING`,
);

export async function keepEmbedding(
  tx: Tx,
  embedding: { organizationId: string; spaceId: number; hash: string; vector: Buffer },
): Promise<void> {
  await putEmbedding(tx, embedding);
}

export type Waiting = { id: number; title: string; heading: string | null; text: string; hash: string };

const headOfWaiting = prepared(
  (_db, p: { baseId: number; limit: number }) => sql<Waiting>`
    SELECT passage.id, passage.title, passage.heading, passage.text, passage.content_hash AS hash
    FROM retrieval_unembedded AS waiting ${joinInOrder} retrieval_passages AS passage
      ON passage.id = waiting.passage_id
    WHERE waiting.base_id = ${p.baseId} ORDER BY waiting.passage_id LIMIT ${p.limit}`,
);

/** Passages of a base that wait for their vectors. */
export const waitingOf = async (db: Queryable, baseId: number, limit: number): Promise<Waiting[]> =>
  (await headOfWaiting(db, { baseId, limit })).rows;

export async function isAnythingWaiting(db: Queryable, baseId: number): Promise<boolean> {
  return (await headOfWaiting(db, { baseId, limit: 1 })).rows.length > 0;
}

const deleteWaiting = prepared(
  (_db, p: { baseId: number; ids: readonly number[] }) => sql`
    DELETE FROM retrieval_unembedded
    WHERE base_id = ${p.baseId} AND passage_id IN ${listOf(p.ids)}`,
);

export async function noLongerWaiting(tx: Tx, baseId: number, ids: readonly number[]): Promise<void> {
  await deleteWaiting(tx, { baseId, ids });
}

type Unlinked = { id: number; baseId: number; embeddingId: number | null; vector: Buffer | null };

const embeddingsOfPassages = prepared(
  (_db, p: { spaceId: number; ids: readonly number[] }) => sql<Unlinked>`
    SELECT passage.id, passage.base_id AS "baseId", embedding.id AS "embeddingId", embedding.vector
    FROM ${rowsOf(p.ids)} AS wanted ${joinInOrder} retrieval_passages AS passage ON passage.id = wanted.value
    ${joinInOrder} retrieval_bases AS base ON base.id = passage.base_id
    LEFT JOIN retrieval_embeddings AS embedding ON embedding.organization_id = base.organization_id
      AND embedding.space_id = ${p.spaceId} AND embedding.content_hash = passage.content_hash`,
);

/** Passages with the vectors that their organization has for their text already. */
export const withKnownVectors = async (db: Queryable, spaceId: number, ids: readonly number[]): Promise<Unlinked[]> =>
  (await embeddingsOfPassages(db, { spaceId, ids })).rows;

const putVector = prepared(
  (_db, p: { baseId: number; spaceId: number; id: number; embeddingId: number; signs: Buffer }) => sql`
    INSERT INTO retrieval_vectors (base_id, space_id, passage_id, embedding_id, signs)
    VALUES (${p.baseId}, ${p.spaceId}, ${p.id}, ${p.embeddingId}, ${p.signs}) ON CONFLICT DO NOTHING`,
);

export async function keepVector(
  tx: Tx,
  vector: { baseId: number; spaceId: number; id: number; embeddingId: number; signs: Buffer },
): Promise<void> {
  await putVector(tx, vector);
}

const putWaiting = prepared(
  (_db, p: { baseId: number; id: number }) => sql`
    INSERT INTO retrieval_unembedded (base_id, passage_id) VALUES (${p.baseId}, ${p.id}) ON CONFLICT DO NOTHING`,
);

export async function letWait(tx: Tx, passage: { baseId: number; id: number }): Promise<void> {
  await putWaiting(tx, passage);
}

const passagesAfter = prepared(
  (_db, p: { after: number; limit: number }) => sql<{ id: number }>`
    SELECT id FROM retrieval_passages WHERE id > ${p.after} ORDER BY id LIMIT ${p.limit}`,
);

export const idsAfter = async (db: Queryable, after: number, limit: number): Promise<number[]> =>
  (await passagesAfter(db, { after, limit })).rows.map(({ id }) => id);

const signsInBases = prepared(
  (_db, p: { bases: readonly number[]; spaceId: number }) => sql<{ ids: string; signs: Buffer | null }>`
    SELECT ${jsonListOf('vector.passage_id')} AS ids, ${bytesOf('vector.signs')} AS signs
    FROM ${rowsOf(p.bases)} AS base ${joinInOrder} retrieval_vectors AS vector
    ON vector.base_id = base.value AND vector.space_id = ${p.spaceId}`,
);

/** The signs of all vectors of some bases, one behind the other, in the order of `ids`: as one value, because rows cost more. */
export async function signsIn(
  db: Queryable,
  spaceId: number,
  baseIds: readonly number[],
): Promise<{ ids: number[]; signs: Uint8Array }> {
  const { rows } = await signsInBases(db, { bases: baseIds, spaceId });
  return { ids: JSON.parse(rows[0]!.ids) as number[], signs: rows[0]!.signs ?? new Uint8Array() };
}

const vectorsById = prepared(
  (_db, p: { ids: readonly number[]; spaceId: number }) => sql<{ id: number; vector: Buffer }>`
    SELECT passage.id, embedding.vector
    FROM ${rowsOf(p.ids)} AS wanted ${joinInOrder} retrieval_passages AS passage ON passage.id = wanted.value
    ${joinInOrder} retrieval_vectors AS vector
      ON vector.base_id = passage.base_id AND vector.passage_id = passage.id AND vector.space_id = ${p.spaceId}
    ${joinInOrder} retrieval_embeddings AS embedding ON embedding.id = vector.embedding_id`,
);

export const vectorsOf = async (
  db: Queryable,
  spaceId: number,
  ids: readonly number[],
): Promise<Array<{ id: number; vector: Buffer }>> => (await vectorsById(db, { ids, spaceId })).rows;

const deleteOldVectors = prepared(
  (_db, p: { limit: number }) => sql`
    DELETE FROM retrieval_vectors WHERE (base_id, passage_id, space_id) IN (
      SELECT base_id, passage_id, space_id FROM retrieval_vectors
      WHERE space_id NOT IN (SELECT id FROM retrieval_spaces WHERE is_current = 1) LIMIT ${p.limit})`,
);

const deleteUnused = prepared(
  (_db, p: { limit: number }) => sql`
    DELETE FROM retrieval_embeddings WHERE id IN (
      SELECT id FROM retrieval_embeddings
      WHERE NOT EXISTS (SELECT 1 FROM retrieval_vectors WHERE embedding_id = retrieval_embeddings.id) LIMIT ${p.limit})`,
);

/** Deletes a batch of vectors of other models than the current one, and of texts that are no more. How many. */
export async function deleteObsolete(tx: Tx, limit: number): Promise<number> {
  const old = await deleteOldVectors(tx, { limit });
  if (Number(old.numAffectedRows ?? 0) > 0) return Number(old.numAffectedRows);
  return Number((await deleteUnused(tx, { limit })).numAffectedRows ?? 0);
}
