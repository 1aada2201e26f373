import type { VectorReader } from '../embeddings/vector-reader.ts';
import { cosine, hammingDistances, signBitsOf, type UnitVector } from '../embeddings/vectors.ts';

/** The passages nearest to a query, and how the cosines of all passages with it are distributed. */
export type Nearest = { passageIds: number[]; distribution: CosineDistribution };
export type CosineDistribution = { mean: number; deviation: number; passages: number };

/** Passages with the fewest differing sign bits, for which the exact cosine is computed. */
const maxExact = 200;
const maxNearest = 40;

/**
 * Finds the passages nearest to a query vector: compares the sign bits of all of them, then the vectors of the best. Undefined where
 * there are no vectors of that length.
 */
export async function nearestPassages(vectors: VectorReader, query: UnitVector): Promise<Nearest | undefined> {
  if (vectors.dimensions !== query.length) return undefined;
  const { ids, signBits } = await vectors.signBits();
  if (ids.length === 0) return undefined;
  const distances = hammingDistances(signBitsOf(query), signBits);
  const cosines = await cosinesWith(vectors, closestBySigns(ids, distances), query);
  const nearest = cosines.toSorted((a, b) => b[1] - a[1]).slice(0, maxNearest);
  return { passageIds: nearest.map(([id]) => id), distribution: distributionOf(distances, query.length) };
}

/** The cosines of passages with a query vector, without passages that have no vector yet. */
export async function cosinesWith(
  vectors: VectorReader,
  ids: readonly number[],
  query: UnitVector,
): Promise<Array<[id: number, cosine: number]>> {
  return (await vectors.vectors(ids)).map(({ id, vector }) => [id, cosine(query, vector)]);
}

/** Selects by counting passages at each distance: sorting all would take longer than comparing them. */
function closestBySigns(ids: readonly number[], distances: Uint16Array): number[] {
  const counts: number[] = [];
  for (const distance of distances) counts[distance] = (counts[distance] ?? 0) + 1;
  let radius = 0;
  for (let within = counts[0] ?? 0; within < maxExact && radius < counts.length;) {
    radius += 1;
    within += counts[radius] ?? 0;
  }
  return ids.filter((_, index) => distances[index]! <= radius).slice(0, 2 * maxExact);
}

/** Estimates the cosines from the sign bits: the share of differing bits is the angle's share of 180°. */
function distributionOf(distances: Uint16Array, dimensions: number): CosineDistribution {
  let total = 0;
  let squares = 0;
  for (const distance of distances) {
    const value = Math.cos((Math.PI * distance) / dimensions);
    total += value;
    squares += value * value;
  }
  const passages = distances.length;
  const mean = total / passages;
  return { mean, deviation: Math.sqrt(Math.max(0, squares / passages - mean * mean)), passages };
}
