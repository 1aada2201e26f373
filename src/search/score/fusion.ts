/** How the cosines of a query with all passages are distributed. */
export type CosineDistribution = { mean: number; deviation: number; passages: number };

/** A vector may add at most this share of what the lexical score lacks to 1. */
const maxSemanticShare = 0.6;
/** Standard deviations above chance at which a cosine counts fully. */
const fullScoreDeviations = 2.5;
/** A cosine begins to count gradually, from about this many deviations below what chance may give to as many above it. */
const onsetDeviations = 0.5;
/** With few passages the measured deviation is unreliable, so it is averaged with this one as if five more passages had it. */
const priorDeviation = 0.1;
const priorPassages = 5;

/**
 * How much a cosine says, from 0 to 1. What a cosine of 0.5 means differs between models, so only its distance from the mean of all
 * passages' cosines counts, and it hardly counts below √(2 ln n) deviations, the largest distance that chance is expected to give among n
 * passages. A weak model, whose cosines are random, therefore changes next to nothing. Never 0, so that the nearest passages are found
 * where no word matches.
 */
export function semanticScore(value: number, { mean, deviation, passages }: CosineDistribution): number {
  const variance = (passages * deviation ** 2 + priorPassages * priorDeviation ** 2) / (passages + priorPassages);
  const deviations = (value - mean) / Math.sqrt(variance);
  const aboveChance = deviations - Math.sqrt(2 * Math.log(Math.max(2, passages)));
  const softened = onsetDeviations * Math.log1p(Math.exp(aboveChance / onsetDeviations));
  return Math.min(1, (softened / fullScoreDeviations) ** 2);
}

/** Raises the lexical score by the semantic one, and never lowers it. */
export const fuseScores = (lexical: number, semantic: number): number =>
  lexical + (1 - lexical) * maxSemanticShare * semantic;
