import type { EmbeddingModel } from './fake-embeddings.ts';

/** Properties of the vectors of a constructed embeddings model. */
export type ModelShape = {
  dimensions: number;
  /** The share of its length that each vector has in common with all others. */
  common: number;
  /** Whether only a few dimensions hold the common part, as in most models, instead of all. */
  outliers: boolean;
  /** Whether the values are rounded as if stored in a byte each. */
  int8: boolean;
};

/** A generator of normally distributed numbers; the same seed gives the same numbers. */
function normalNumbers(seed: string): () => number {
  let state = 2166136261;
  for (const character of seed) state = Math.imul(state ^ character.codePointAt(0)!, 16777619);
  const uniform = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
}

const unit = (values: readonly number[]): number[] => {
  const length = Math.hypot(...values);
  return values.map((value) => value / length);
};

/** A random direction for a seed. The directions of two seeds have a cosine of about 0. */
function randomDirection(seed: string, dimensions: number): number[] {
  const key = `${dimensions} ${seed}`;
  const direction = directions.get(key) ?? unit(Array.from({ length: dimensions }, normalNumbers(seed)));
  directions.set(key, direction);
  return direction;
}
const directions = new Map<string, number[]>();

const outlierDimensions = 4;

/** Adds the common part to a direction and, if the shape requires it, rounds the values. */
function shaped(direction: readonly number[], { dimensions, common, outliers, int8 }: ModelShape): number[] {
  const random = randomDirection('common', dimensions);
  const commonPart = outliers ? unit(random.map((value, at) => (at < outlierDimensions ? value : 0))) : random;
  const own = Math.sqrt(1 - common ** 2);
  const vector = direction.map((value, at) => own * value + common * commonPart[at]!);
  const step = Math.max(...vector.map(Math.abs)) / 127;
  return int8 ? vector.map((value) => Math.round(value / step)) : vector;
}

/** A model for which the words of a group mean the same; apart from its common part, a text is the sum of its words. */
export function shapedBagOfWords(shape: ModelShape, synonyms: ReadonlyArray<readonly string[]>): EmbeddingModel {
  const groupOf = new Map(synonyms.flatMap((group) => group.map((word) => [word, group[0]!])));
  return (text) => {
    const words = new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu));
    const sum = Array.from({ length: shape.dimensions }, () => 0);
    for (const word of words) {
      for (const [at, value] of randomDirection(groupOf.get(word) ?? word, shape.dimensions).entries())
        sum[at]! += value;
    }
    return shaped(unit(sum), shape);
  };
}
