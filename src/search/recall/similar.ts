import type { Queryable } from '../../db/transaction.ts';
import { signsIn, type Space, vectorsOf } from '../embeddings/store.ts';
import { cosine, differences, signsOf, type Unit, vectorOf } from '../embeddings/vectors.ts';

/** How near passages are to a question, and how near passages of the bases are to it in general. */
export type Similar = {
  /** Ids of the nearest passages. */
  nearest: number[];
  mean: number;
  deviation: number;
  passages: number;
};

/** Passages that the signs choose, to be compared by their numbers. */
const mostCompared = 200;
const mostNearest = 40;

/**
 * The passages nearest to a vector: all are compared by the signs of their dimensions, the best of them by their numbers. Undefined
 * when the bases have no vectors of that length.
 */
export async function similarTo(
  db: Queryable,
  space: Space,
  baseIds: readonly number[],
  vector: Unit,
): Promise<Similar | undefined> {
  if (space.dimensions !== vector.length) return undefined;
  const { ids, signs } = await signsIn(db, space.id, baseIds);
  if (ids.length === 0) return undefined;
  const apart = differences(signsOf(vector), signs);
  const rough = nearestBySigns(ids, apart);
  const nearest = (await cosinesOf(db, space, rough, vector)).toSorted((a, b) => b[1] - a[1]).slice(0, mostNearest);
  return { nearest: nearest.map(([id]) => id), passages: ids.length, ...spread(apart, vector.length) };
}

/** The cosines of passages with a vector; those that have no vector yet are left out. */
export async function cosinesOf(
  db: Queryable,
  space: Space,
  ids: readonly number[],
  vector: Unit,
): Promise<Array<[id: number, cosine: number]>> {
  const vectors = await vectorsOf(db, space.id, ids);
  return vectors.map(({ id, vector: bytes }) => [id, cosine(vector, vectorOf(bytes))]);
}

/** By counting how many passages are how far apart: sorting them all would take longer than comparing them. */
function nearestBySigns(ids: readonly number[], apart: Uint16Array): number[] {
  const counts: number[] = [];
  for (const far of apart) counts[far] = (counts[far] ?? 0) + 1;
  let farthest = 0;
  for (let within = counts[0] ?? 0; within < mostCompared && farthest < counts.length;) {
    farthest += 1;
    within += counts[farthest] ?? 0;
  }
  return ids.filter((_, index) => apart[index]! <= farthest).slice(0, 2 * mostCompared);
}

/** Mean and deviation of all cosines, as far as signs tell: a share of differing signs is an angle's share of half a turn. */
function spread(apart: Uint16Array, dimensions: number): { mean: number; deviation: number } {
  let sum = 0;
  let squares = 0;
  for (const far of apart) {
    const value = Math.cos((Math.PI * far) / dimensions);
    sum += value;
    squares += value * value;
  }
  const mean = sum / apart.length;
  return { mean, deviation: Math.sqrt(Math.max(0, squares / apart.length - mean * mean)) };
}
