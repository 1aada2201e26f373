import type { Weighed } from './gather.ts';
import type { Candidate } from './passage-store.ts';

export type Ranked = {
  id: number;
  documentId: string;
  /** From 0 (nothing of what was asked for) to 1. */
  score: number;
  /** Its words, to see which results say the same. */
  words: ReadonlySet<string>;
};

/** BM25F's parameters: how fast more of the same word stops to count, how much length counts, and what fields are worth. */
const k1 = 0.6;
const b = 0.5;
const titleWeight = 1.2;
const headingWeight = 1.2;
/** How much more it is worth that neighbours in the question are neighbours in the passage. */
const nearness = 0.25;
const nearWithin = 3;

/**
 * BM25F of a candidate, as a share of what a passage full of everything asked for would have: so it tells how much of the question is
 * covered, by how telling words, whatever is in other bases.
 */
export function rank(candidate: Candidate, concepts: readonly Weighed[], meanLength: number): Ranked {
  const [title = [], heading = [], text = []] = candidate.words.split('\n').map((line) => line.split(' '));
  const norm = 1 - b + (b * candidate.length) / Math.max(1, meanLength);
  const weights = weightsOf(concepts);
  const amounts = concepts.map(() => 0);
  const count = (words: readonly string[], worth: number): void => {
    for (const word of words)
      for (const { concept, weight } of weights.get(word) ?? []) amounts[concept]! += weight * worth;
  };
  count(title, titleWeight);
  count(heading, headingWeight);
  count(text, 1 / norm);
  const total = concepts.reduce((sum, { idf }) => sum + idf, 0);
  const covered = concepts.reduce((sum, { idf }, index) => sum + (idf * amounts[index]!) / (k1 + amounts[index]!), 0);
  const near = nearnessOf([...title, ...heading, ...text], weights, concepts);
  const score = total === 0 ? 0 : (covered + nearness * near) / (total * (1 + nearness));
  return { id: candidate.id, documentId: candidate.documentId, score, words: new Set([...title, ...text]) };
}

type Weights = ReadonlyMap<string, ReadonlyArray<{ concept: number; weight: number }>>;

/** By word, what concepts it stands for. */
function weightsOf(concepts: readonly Weighed[]): Weights {
  const weights = new Map<string, Array<{ concept: number; weight: number }>>();
  for (const [concept, { alternatives }] of concepts.entries()) {
    for (const { word, weight } of alternatives) {
      const known = weights.get(word);
      if (known) known.push({ concept, weight });
      else weights.set(word, [{ concept, weight }]);
    }
  }
  return weights;
}

/** The weight of all concepts that stand close after the one before them, as in the question. */
function nearnessOf(words: readonly string[], weights: Weights, concepts: readonly Weighed[]): number {
  const lastAt = concepts.map(() => Number.NEGATIVE_INFINITY);
  const closest = concepts.map(() => 0);
  for (const [at, word] of words.entries()) {
    for (const { concept, weight } of weights.get(word) ?? []) {
      if (concept > 0 && at - lastAt[concept - 1]! <= nearWithin)
        closest[concept] = Math.max(closest[concept]!, weight);
      lastAt[concept] = at;
    }
  }
  return concepts.reduce(
    (sum, { idf }, index) => sum + closest[index]! * (index === 0 ? 0 : Math.min(idf, concepts[index - 1]!.idf)),
    0,
  );
}
