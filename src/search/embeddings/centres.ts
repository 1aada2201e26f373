import { sql } from 'kysely';
import { prepared } from '../../db/prepared.ts';
import { joinInOrder, rowsOf } from '../../db/sql.ts';
import type { Queryable, Tx } from '../../db/transaction.ts';
import { decodeVector, encodeVector, type UnitVector } from './vectors.ts';

/**
 * The mean of a knowledge base's vectors. The vectors of a model share a common part, up to 0.95 of their length, which makes all texts
 * look alike. What remains after subtracting the centre tells them apart.
 */
export type Centre = {
  id: number;
  baseId: number;
  mean: Float32Array;
  /** Vectors of the base when the mean was computed. */
  vectors: number;
  /** Whether the sign bits of all vectors of the base are relative to this centre. */
  isComplete: boolean;
};

type CentreRow = Omit<Centre, 'mean' | 'isComplete'> & { mean: Buffer; isComplete: number };

const selectCentres = prepared(
  (_db, p: { bases: readonly number[]; spaceId: number }) => sql<CentreRow>`
    SELECT centre.id, centre.base_id AS "baseId", centre.mean, centre.vectors,
      centre.is_complete AS "isComplete"
    FROM ${rowsOf(p.bases)} AS base ${joinInOrder} retrieval_centres AS centre
      ON centre.base_id = base.value AND centre.space_id = ${p.spaceId}
    ORDER BY centre.id`,
);

/** The centres of knowledge bases, oldest first. A base has more than one while its sign bits are recomputed. */
export const centresOf = async (db: Queryable, spaceId: number, bases: Iterable<number>): Promise<Centre[]> =>
  (await selectCentres(db, { bases: [...bases], spaceId })).rows.map((row) => ({
    ...row,
    mean: decodeVector(row.mean),
    isComplete: row.isComplete === 1,
  }));

/** The newest centre of each knowledge base that has one. */
export const newestCentres = (centres: readonly Centre[]): Map<number, Centre> =>
  new Map(centres.map((centre) => [centre.baseId, centre]));

const selectBase = prepared(
  (_db, p: { baseId: number }) => sql<{ vectors: number; added: number }>`
    SELECT passages - pending AS vectors, vectors_added AS added FROM retrieval_bases WHERE id = ${p.baseId}`,
);

const countAdded = prepared(
  (_db, p: { baseId: number; added: number }) => sql`
    UPDATE retrieval_bases SET vectors_added = vectors_added + ${p.added} WHERE id = ${p.baseId}`,
);

/** Counts vectors that a base gained since its centre was computed. */
export async function countAddedVectors(tx: Tx, baseId: number, added: number): Promise<void> {
  await countAdded(tx, { baseId, added });
}

/** Up to this number of vectors each one affects the centre noticeably, so it is recomputed once their number has grown by an eighth. */
const maxSmallBase = 256;

/** Whether enough vectors were added for a new centre. In a growing base a vector's sign bits are computed three times on average. */
export async function isCentreDue(db: Queryable, spaceId: number, baseId: number): Promise<boolean> {
  const centre = newestCentres(await centresOf(db, spaceId, [baseId])).get(baseId);
  if (!centre) return true;
  const added = (await selectBase(db, { baseId })).rows[0]?.added ?? 0;
  return added > 0 && added >= centre.vectors / (centre.vectors <= maxSmallBase ? 8 : 2);
}

/** A mean is computed from up to this many vectors. Its error is then a sixteenth of the vectors' typical distance from it. */
const maxSample = 256;

const selectRange = prepared(
  (_db, p: { baseId: number; spaceId: number }) => sql<{ first: number | null; last: number | null }>`
    SELECT
      (SELECT passage_id FROM retrieval_vectors WHERE base_id = ${p.baseId} AND space_id = ${p.spaceId}
        ORDER BY passage_id LIMIT 1) AS first,
      (SELECT passage_id FROM retrieval_vectors WHERE base_id = ${p.baseId} AND space_id = ${p.spaceId}
        ORDER BY passage_id DESC LIMIT 1) AS last`,
);

/** The first vector at or after each passage id. */
const selectSample = prepared(
  (_db, p: { baseId: number; spaceId: number; from: readonly number[] }) => sql<{ vector: Buffer }>`
    SELECT embedding.vector FROM (
      SELECT DISTINCT (
        SELECT min(passage_id) FROM retrieval_vectors
        WHERE base_id = ${p.baseId} AND passage_id >= wanted.value AND space_id = ${p.spaceId}
      ) AS id FROM ${rowsOf(p.from)} AS wanted
    ) AS sampled
    ${joinInOrder} retrieval_vectors AS vector
      ON vector.base_id = ${p.baseId} AND vector.passage_id = sampled.id AND vector.space_id = ${p.spaceId}
    ${joinInOrder} retrieval_embeddings AS embedding ON embedding.id = vector.embedding_id`,
);

const selectSome = prepared(
  (_db, p: { baseId: number; spaceId: number; limit: number }) => sql<{ vector: Buffer }>`
    SELECT embedding.vector FROM retrieval_vectors AS vector
    ${joinInOrder} retrieval_embeddings AS embedding ON embedding.id = vector.embedding_id
    WHERE vector.base_id = ${p.baseId} AND vector.space_id = ${p.spaceId} ORDER BY vector.passage_id LIMIT ${p.limit}`,
);

/** All vectors of a small base, or some of a large one, evenly spaced. */
async function sampleVectors(db: Queryable, spaceId: number, baseId: number, vectors: number): Promise<UnitVector[]> {
  const key = { baseId, spaceId };
  if (vectors <= maxSample) {
    return (await selectSome(db, { ...key, limit: maxSample })).rows.map(({ vector }) => decodeVector(vector));
  }
  const { first, last } = (await selectRange(db, key)).rows[0]!;
  if (first === null || last === null) return [];
  const step = (last - first + 1) / maxSample;
  const from = Array.from({ length: maxSample }, (_, index) => Math.floor(first + index * step));
  return (await selectSample(db, { ...key, from })).rows.map(({ vector }) => decodeVector(vector));
}

const insertCentre = prepared(
  (_db, p: { baseId: number; spaceId: number; mean: Buffer; vectors: number }) => sql<{ id: number }>`
    INSERT INTO retrieval_centres (base_id, space_id, mean, vectors)
    VALUES (${p.baseId}, ${p.spaceId}, ${p.mean}, ${p.vectors}) RETURNING id`,
);

const resetAdded = prepared(
  (_db, p: { baseId: number }) => sql`UPDATE retrieval_bases SET vectors_added = 0 WHERE id = ${p.baseId}`,
);

/** Computes the centre of a base and returns its id; undefined for a base without vectors. */
export async function addCentre(tx: Tx, spaceId: number, baseId: number): Promise<number | undefined> {
  const vectors = (await selectBase(tx, { baseId })).rows[0]?.vectors ?? 0;
  const sample = await sampleVectors(tx, spaceId, baseId, vectors);
  if (sample.length === 0) return undefined;
  const mean = encodeVector(meanOf(sample));
  const { id } = (await insertCentre(tx, { baseId, spaceId, mean, vectors })).rows[0]!;
  await resetAdded(tx, { baseId });
  return id;
}

function meanOf(vectors: readonly UnitVector[]): Float32Array {
  const mean = new Float32Array(vectors[0]!.length);
  for (const vector of vectors) for (let index = 0; index < mean.length; index++) mean[index]! += vector[index]!;
  return mean.map((sum) => sum / vectors.length);
}

const markComplete = prepared(
  (_db, p: { id: number }) => sql`UPDATE retrieval_centres SET is_complete = 1 WHERE id = ${p.id}`,
);

const deleteOlder = prepared(
  (_db, p: { baseId: number; spaceId: number; id: number }) => sql`
    DELETE FROM retrieval_centres WHERE base_id = ${p.baseId} AND space_id = ${p.spaceId} AND id < ${p.id}`,
);

/** Records that the sign bits of all vectors of a base are relative to this centre, and deletes the base's older centres. */
export async function completeCentre(tx: Tx, spaceId: number, { baseId, id }: Centre): Promise<void> {
  await markComplete(tx, { id });
  await deleteOlder(tx, { baseId, spaceId, id });
}
