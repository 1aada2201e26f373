import type { Candidate } from '../index/search-index.ts';
import type { WeightedTerm } from '../recall/candidates.ts';

export type ScoredPassage = Pick<Candidate, 'id' | 'documentId' | 'contentHash' | 'words'> & {
  /** The share of the query that the passage covers, from 0 to 1. */
  score: number;
};

/** Statistics of the knowledge bases that are searched. */
export type CollectionStats = {
  /** Words in an average passage. */
  meanWordCount: number;
  /** The idf of a word that only one passage contains. */
  rareIdf: number;
};

/** BM25F's parameters (term saturation, length normalization and field weights), tuned on bench/retrieval/tuning. */
const k1 = 0.5;
const b = 0.3;
const titleWeight = 1.5;
const headingWeight = 1.5;
/** The bonus of a passage in which a term closely follows the query's previous term, as a share of the term's idf. */
const proximityBonus = 0.25;
/** Neighbours are this many characters apart at most: about five words. */
const maxProximityChars = 30;
/** The document's share of a passage's score: often only other passages of a document name its subject. */
const documentShare = 0.25;

/** A candidate with the share of each term that it has (0 to 1), and the weight of the terms that are neighbours in it. */
type Match = { candidate: Candidate; termShares: number[]; proximity: number };

/**
 * Scores candidates by BM25F, as a share of what a passage with every term would get. So the score tells how much of the query is
 * covered, weighted by idf, and is comparable between knowledge bases. One rare term that no passage has is added to the total: having
 * one of two terms is worth less than having five of ten.
 */
export function scoreBm25f(
  candidates: readonly Candidate[],
  terms: readonly WeightedTerm[],
  { meanWordCount, rareIdf }: CollectionStats,
): ScoredPassage[] {
  const variants = variantsOf(terms);
  const total = terms.reduce((sum, { idf }) => sum + idf, 0) + rareIdf;
  const weigh = (termShares: readonly number[]): number =>
    termShares.reduce((sum, share, index) => sum + share * terms[index]!.idf, 0);
  const matches = candidates.map((candidate) => matchOf(candidate, terms, variants, meanWordCount));
  const byDocument = Map.groupBy(matches, ({ candidate }) => candidate.documentId);
  const documentScores = new Map(
    Array.from(byDocument, ([id, passages]) => [
      id,
      weigh(terms.map((_, index) => Math.max(...passages.map(({ termShares }) => termShares[index]!)))),
    ]),
  );
  return matches.map(({ candidate: { id, documentId, contentHash, words }, termShares, proximity }) => {
    const own = (weigh(termShares) + proximityBonus * proximity) / (1 + proximityBonus);
    const score = ((1 - documentShare) * own + documentShare * documentScores.get(documentId)!) / total;
    return { id, documentId, contentHash, words, score };
  });
}

/** An occurrence of a term's variant in a passage: its offset in the words, the term's index, and the variant's weight. */
type Occurrence = { offset: number; term: number; weight: number };

function matchOf(
  candidate: Candidate,
  terms: readonly WeightedTerm[],
  variants: Variants,
  meanWordCount: number,
): Match {
  const lengthNorm = 1 - b + (b * candidate.wordCount) / Math.max(1, meanWordCount);
  const { words } = candidate;
  const titleEnd = words.indexOf('\n');
  const headingEnd = words.indexOf('\n', titleEnd + 1);
  const fieldWeightAt = (offset: number): number =>
    offset < titleEnd ? titleWeight : offset < headingEnd ? headingWeight : 1 / lengthNorm;
  const termShares = terms.map(() => 0);
  const occurrences: Occurrence[] = [];
  // Searching for the query's few words is ten times as fast as looking at every word of the passage.
  for (const [word, uses] of variants) {
    let frequency = 0;
    const needle = ` ${word} `;
    for (let offset = words.indexOf(needle); offset !== -1; offset = words.indexOf(needle, offset + word.length + 1)) {
      frequency += fieldWeightAt(offset);
      for (const { term, weight } of uses) occurrences.push({ offset, term, weight });
    }
    const saturated = frequency / (k1 + frequency);
    // However often a synonym occurs, it does not become the word of the query: its weight limits the share.
    for (const { term, weight } of uses) termShares[term] = Math.max(termShares[term]!, weight * saturated);
  }
  return { candidate, termShares, proximity: proximityOf(occurrences, terms) };
}

/** For each word, the query terms that it is a variant of (as indexes). */
type Variants = ReadonlyMap<string, ReadonlyArray<{ term: number; weight: number }>>;

function variantsOf(terms: readonly WeightedTerm[]): Variants {
  const uses = new Map<string, Array<{ term: number; weight: number }>>();
  for (const [term, { variants }] of terms.entries()) {
    for (const { word, weight } of variants) {
      const usesOfWord = uses.get(word);
      if (usesOfWord) usesOfWord.push({ term, weight });
      else uses.set(word, [{ term, weight }]);
    }
  }
  return uses;
}

/** The summed weight of all terms that follow closely after the term before them, as in the query. */
function proximityOf(occurrences: readonly Occurrence[], terms: readonly WeightedTerm[]): number {
  const lastOffsets = terms.map(() => Number.NEGATIVE_INFINITY);
  const bestWeights = terms.map(() => 0);
  for (const { offset, term, weight } of occurrences.toSorted((one, other) => one.offset - other.offset)) {
    if (term > 0 && offset - lastOffsets[term - 1]! <= maxProximityChars) {
      bestWeights[term] = Math.max(bestWeights[term]!, weight);
    }
    lastOffsets[term] = offset;
  }
  return terms.reduce(
    (sum, { idf }, index) => sum + bestWeights[index]! * (index === 0 ? 0 : Math.min(idf, terms[index - 1]!.idf)),
    0,
  );
}
