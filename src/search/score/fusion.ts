import type { CosineDistribution } from '../recall/nearest-passages.ts';

/** The share of what the lexical score leaves open that a vector may add. */
const maxSemanticShare = 0.6;
/** Standard deviations above chance at which a cosine counts fully. */
const fullScoreDeviations = 2.5;
/** Over this many deviations on both sides of chance, a cosine begins to count little by little. */
const onsetDeviations = 0.5;
/** With few passages the measured deviation is unreliable, so it is averaged with this one as if five more passages had it. */
const priorDeviation = 0.1;
const priorPassages = 5;

/**
 * How much a cosine says, from 0 to 1. What a cosine of 0.5 means differs between models, so only its distance from the cosines of all
 * passages counts, and hardly below the largest that chance is expected to give among n passages, √(2 ln n) deviations. A weak model,
 * whose cosines are random, therefore changes next to nothing. Never 0, so that the nearest passages are found where no word matches.
 */
export function semanticScore(value: number, { mean, deviation, passages }: CosineDistribution): number {
  const variance = (passages * deviation ** 2 + priorPassages * priorDeviation ** 2) / (passages + priorPassages);
  const deviations = (value - mean) / Math.sqrt(variance);
  const aboveChance = deviations - Math.sqrt(2 * Math.log(Math.max(2, passages)));
  const softened = onsetDeviations * Math.log1p(Math.exp(aboveChance / onsetDeviations));
  return Math.min(1, (softened / fullScoreDeviations) ** 2);
}

/** Raises the lexical score by the semantic one; it never falls. */
export const fuseScores = (lexical: number, semantic: number): number =>
  lexical + (1 - lexical) * maxSemanticShare * semantic;
