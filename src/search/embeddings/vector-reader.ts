import { sql } from 'kysely';
import { prepared } from '../../db/prepared.ts';
import { bytesOf, joinInOrder, jsonListOf, rowsOf } from '../../db/sql.ts';
import type { Queryable } from '../../db/transaction.ts';
import type { VectorSpace } from './vector-spaces.ts';
import { decodeVector, type UnitVector } from './vectors.ts';

/** The vectors of some knowledge bases in one vector space. */
export type VectorReader = {
  readonly dimensions: number | null;
  /** The sign bits of all vectors, concatenated in the order of `ids`. */
  signBits(): Promise<{ ids: number[]; signBits: Uint8Array }>;
  /** The vectors of passages, without those that have none. */
  vectors(ids: readonly number[]): Promise<Array<{ id: number; vector: UnitVector }>>;
};

/** All sign bits as one value, because a row for each vector takes longer. */
const selectSignBits = prepared(
  (_db, p: { bases: readonly number[]; spaceId: number }) => sql<{ ids: string; signBits: Buffer | null }>`
    SELECT ${jsonListOf('vector.passage_id')} AS ids, ${bytesOf('vector.signs')} AS "signBits"
    FROM ${rowsOf(p.bases)} AS base ${joinInOrder} retrieval_vectors AS vector
    ON vector.base_id = base.value AND vector.space_id = ${p.spaceId}`,
);

const selectVectors = prepared(
  (_db, p: { ids: readonly number[]; spaceId: number }) => sql<{ id: number; vector: Buffer }>`
    SELECT passage.id, embedding.vector
    FROM ${rowsOf(p.ids)} AS wanted ${joinInOrder} retrieval_passages AS passage ON passage.id = wanted.value
    ${joinInOrder} retrieval_vectors AS vector
      ON vector.base_id = passage.base_id AND vector.passage_id = passage.id AND vector.space_id = ${p.spaceId}
    ${joinInOrder} retrieval_embeddings AS embedding ON embedding.id = vector.embedding_id`,
);

export function openVectors(
  db: Queryable,
  { id: spaceId, dimensions }: VectorSpace,
  baseIds: readonly number[],
): VectorReader {
  return {
    dimensions,
    async signBits() {
      const { rows } = await selectSignBits(db, { bases: baseIds, spaceId });
      return { ids: JSON.parse(rows[0]!.ids) as number[], signBits: rows[0]!.signBits ?? new Uint8Array() };
    },
    async vectors(ids) {
      const { rows } = await selectVectors(db, { ids, spaceId });
      return rows.map(({ id, vector }) => ({ id, vector: decodeVector(vector) }));
    },
  };
}
