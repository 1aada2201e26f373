import { sql } from 'kysely';
import { prepared } from '../../db/prepared.ts';
import { bytesOf, joinInOrder, jsonListOf, rowsOf } from '../../db/sql.ts';
import type { Queryable } from '../../db/transaction.ts';
import { type Centre, centresOf, newestCentres } from './centres.ts';
import type { VectorSpace } from './vector-spaces.ts';
import { decodeVector, type UnitVector } from './vectors.ts';

/** The mean of a base's vectors; undefined before the first is computed. */
type Mean = Float32Array | undefined;

/** The vectors of some knowledge bases in one vector space. */
export type VectorReader = {
  readonly dimensions: number | null;
  /** The sign bits of all vectors, one group for each centre that they are relative to; concatenated in the order of `ids`. */
  signBits(): Promise<SignBits[]>;
  /** The vectors of passages with the newest centre of their base, without passages that have no vector. */
  vectors(ids: readonly number[]): Promise<Array<{ id: number; vector: UnitVector; mean: Mean }>>;
};

export type SignBits = { mean: Mean; ids: readonly number[]; bits: Uint8Array };

/** All sign bits as one value, because a row for each vector takes longer. */
const selectSignBits = prepared(
  (_db, p: { baseId: number; spaceId: number; centreId: number }) => sql<{ ids: string; bits: Buffer | null }>`
    SELECT ${jsonListOf('passage_id')} AS ids, ${bytesOf('signs')} AS bits FROM retrieval_vectors
    WHERE base_id = ${p.baseId} AND space_id = ${p.spaceId} AND centre_id = ${p.centreId}`,
);

const selectVectors = prepared(
  (_db, p: { bases: readonly number[]; ids: readonly number[]; spaceId: number }) => sql<{
    id: number;
    baseId: number;
    vector: Buffer;
  }>`
    SELECT vector.passage_id AS id, vector.base_id AS "baseId", embedding.vector
    FROM ${rowsOf(p.bases)} AS base ${joinInOrder} ${rowsOf(p.ids)} AS wanted ON true
    ${joinInOrder} retrieval_vectors AS vector
      ON vector.base_id = base.value AND vector.passage_id = wanted.value AND vector.space_id = ${p.spaceId}
    ${joinInOrder} retrieval_embeddings AS embedding ON embedding.id = vector.embedding_id`,
);

export async function openVectors(
  db: Queryable,
  { id: spaceId, dimensions }: VectorSpace,
  baseIds: readonly number[],
): Promise<VectorReader> {
  const centres = await centresOf(db, spaceId, baseIds);
  const newest = newestCentres(centres);
  return {
    dimensions,
    async signBits() {
      const groups: SignBits[] = [];
      for (const { baseId, id, mean } of baseIds.flatMap((base) => centresInUse(centres, base))) {
        const { rows } = await selectSignBits(db, { baseId, spaceId, centreId: id });
        const { ids, bits } = rows[0]!;
        if (bits) groups.push({ mean, ids: JSON.parse(ids) as number[], bits });
      }
      return groups;
    },
    async vectors(ids) {
      const { rows } = await selectVectors(db, { bases: baseIds, ids, spaceId });
      return rows.map(({ id, baseId, vector }) => ({
        id,
        vector: decodeVector(vector),
        mean: newest.get(baseId)?.mean,
      }));
    },
  };
}

/** The centres that a base's sign bits are relative to; id 0 stands for no centre. */
function centresInUse(centres: readonly Centre[], baseId: number): Array<{ baseId: number; id: number; mean: Mean }> {
  const ofBase = centres.filter((centre) => centre.baseId === baseId);
  const newest = ofBase.at(-1);
  return newest?.isComplete ? [newest] : [{ baseId, id: 0, mean: undefined }, ...ofBase];
}
