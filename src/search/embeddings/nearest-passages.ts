import { sql } from 'kysely';
import { prepared } from '../../db/prepared.ts';
import { bytesOf, joinInOrder, jsonListOf } from '../../db/sql.ts';
import type { Queryable } from '../../db/transaction.ts';
import type { CosineDistribution } from '../score/fusion.ts';
import type { QueryVector } from './query-vector.ts';
import { cosinesWith } from './vectors.ts';

/** The cosine of a query with each passage that has a vector, and how these are distributed. */
export type Comparison = {
  cosines: ReadonlyMap<number, number>;
  distribution: CosineDistribution;
};

/** Vectors that are read at a time: some megabytes. */
const batchSize = 4096;

/** The vectors of a batch as one value, because a row for each vector takes twice as long. */
const selectVectors = prepared(
  (_db, p: { baseId: number; spaceId: number; after: number; limit: number }) => sql<{
    ids: string;
    vectors: Buffer | null;
  }>`
    SELECT ${jsonListOf('passage_id')} AS ids, ${bytesOf('vector')} AS vectors FROM (
      SELECT link.passage_id, embedding.vector FROM retrieval_vectors AS link
        ${joinInOrder} retrieval_embeddings AS embedding ON embedding.id = link.embedding_id
      WHERE link.base_id = ${p.baseId} AND link.passage_id > ${p.after} AND embedding.space_id = ${p.spaceId}
      ORDER BY link.passage_id LIMIT ${p.limit}
    ) AS batch`,
);

/**
 * Compares a query vector with every vector of the knowledge bases: 100,000 of 768 dimensions take some 0.2 s. An index would be worth its
 * errors beyond some 200,000 passages of a base. Undefined where there are no vectors of that length.
 */
export async function compareWithAll(
  db: Queryable,
  baseIds: readonly number[],
  { space, vector: query }: QueryVector,
): Promise<Comparison | undefined> {
  if (space.dimensions !== query.length) return undefined;
  const cosines = new Map<number, number>();
  for (const baseId of baseIds) {
    for (let after = 0, count = batchSize; count === batchSize;) {
      const { rows } = await selectVectors(db, { baseId, spaceId: space.id, after, limit: batchSize });
      const ids = JSON.parse(rows[0]!.ids) as number[];
      const ofBatch = cosinesWith(query, rows[0]!.vectors ?? Buffer.alloc(0));
      for (const [index, id] of ids.entries()) cosines.set(id, ofBatch[index]!);
      after = ids.at(-1) ?? 0;
      count = ids.length;
    }
  }
  return cosines.size === 0 ? undefined : { cosines, distribution: distributionOf(cosines) };
}

function distributionOf(cosines: ReadonlyMap<number, number>): CosineDistribution {
  let [sum, squares] = [0, 0];
  for (const value of cosines.values()) {
    sum += value;
    squares += value * value;
  }
  const mean = sum / cosines.size;
  const variance = Math.max(0, squares / cosines.size - mean * mean);
  return { mean, deviation: Math.sqrt(variance), passages: cosines.size };
}
