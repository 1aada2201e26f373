import type { VectorReader } from '../embeddings/vector-reader.ts';
import { cosine, hammingDistances, signBitsOf, type UnitVector } from '../embeddings/vectors.ts';

/** The passages nearest to a query, and how the cosines of all passages with it are distributed. */
export type Nearest = {
  passageIds: number[];
  /** The cosines that were computed, by passage. */
  cosines: ReadonlyMap<number, number>;
  distribution: CosineDistribution;
};
export type CosineDistribution = { mean: number; deviation: number; passages: number };

/** Passages with the fewest differing sign bits, for which the exact cosine is computed. */
const maxExact = 200;
/** Passages from which the distribution of all cosines is estimated: its deviation is then off by six percent. */
const maxSample = 128;
const maxNearest = 40;

/**
 * Finds the passages nearest to a query vector: compares the sign bits of all of them, then the vectors of the best. Undefined where
 * there are no vectors of that length.
 */
export async function nearestPassages(vectors: VectorReader, query: UnitVector): Promise<Nearest | undefined> {
  if (vectors.dimensions !== query.length) return undefined;
  const groups = await vectors.signBits();
  const ids = groups.flatMap((group) => group.ids);
  if (ids.length === 0) return undefined;
  const distances = groups.flatMap(({ mean, bits }) => [...hammingDistances(signBitsOf(query, mean), bits)]);
  const sample = evenlySpaced(ids, maxSample);
  const cosines = await cosinesWith(vectors, [...new Set([...sample, ...closestBySigns(ids, distances)])], query);
  const nearest = [...cosines].toSorted((a, b) => b[1] - a[1]).slice(0, maxNearest);
  const distribution = distributionOf(
    sample.flatMap((id) => cosines.get(id) ?? []),
    ids.length,
  );
  return { passageIds: nearest.map(([id]) => id), cosines, distribution };
}

/** The cosines of passages with a query vector, seen from the centre of their base; without passages that have no vector yet. */
export async function cosinesWith(
  vectors: VectorReader,
  ids: readonly number[],
  query: UnitVector,
): Promise<Map<number, number>> {
  return new Map((await vectors.vectors(ids)).map(({ id, vector, mean }) => [id, cosine(query, vector, mean)]));
}

function evenlySpaced(ids: readonly number[], atMost: number): number[] {
  const step = Math.max(1, ids.length / atMost);
  return Array.from({ length: Math.min(atMost, ids.length) }, (_, index) => ids[Math.floor(index * step)]!);
}

/** Selects by counting passages at each distance: sorting all would take longer than comparing them. */
function closestBySigns(ids: readonly number[], distances: readonly number[]): number[] {
  const counts: number[] = [];
  for (const distance of distances) counts[distance] = (counts[distance] ?? 0) + 1;
  let radius = 0;
  for (let found = counts[0] ?? 0; found < maxExact && radius < counts.length;) {
    radius += 1;
    found += counts[radius] ?? 0;
  }
  const within = ids.filter((_, index) => distances[index]! < radius);
  const ties = ids.filter((_, index) => distances[index] === radius);
  return [...within, ...ties].slice(0, 2 * maxExact);
}

/** Sign bits would not do for this estimate: they make the deviation up to 1.6 times as large. */
function distributionOf(cosines: readonly number[], passages: number): CosineDistribution {
  const mean = cosines.reduce((sum, value) => sum + value, 0) / cosines.length;
  const variance = cosines.reduce((sum, value) => sum + (value - mean) ** 2, 0) / cosines.length;
  return { mean, deviation: Math.sqrt(variance), passages };
}
