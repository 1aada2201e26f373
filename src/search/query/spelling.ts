import type { IndexReader } from '../index/search-index.ts';
import { commonPrefixShare, compoundShare, spellingSimilarity } from './word-similarity.ts';

/** A word in passages that may mean a word of the query. A match counts `weight` (0 to 1) times as much as the exact word. */
export type WeightedWord = { word: string; weight: number };

/** Words of the vocabulary that are compared with the query's word letter by letter. */
const maxCompared = 48;
const maxVariants = 5;

/** Other forms of a word in the index, and compounds that begin with it. */
export async function indexedForms(index: IndexReader, word: string): Promise<WeightedWord[]> {
  const prefix = Array.from(word).slice(0, Math.max(4, Math.ceil(word.length * minFormPrefix)));
  if (prefix.length < 4) return [];
  return best(word, await index.wordsWithPrefix(prefix.join(''), maxCompared), formWeight);
}

/** Words of the index that a word missing from it may be a misspelling of. */
export async function corrections(index: IndexReader, word: string): Promise<WeightedWord[]> {
  return best(word, await index.wordsSharingTrigrams(word, maxCompared), correctionWeight);
}

const best = (
  word: string,
  others: readonly string[],
  weightOf: (word: string, other: string) => number,
): WeightedWord[] =>
  others
    .filter((other) => other !== word)
    .map((other) => ({ word: other, weight: weightOf(word, other) }))
    .filter(({ weight }) => weight > 0)
    .toSorted((a, b) => b.weight - a.weight)
    .slice(0, maxVariants);

/** The share of the longer word that two forms of a word have in common as prefix. */
const minFormPrefix = 0.75;

const formWeight = (word: string, other: string): number => {
  const prefixShare = commonPrefixShare(word, other);
  return prefixShare >= minFormPrefix ? 0.8 * prefixShare : 0.6 * compoundShare(word, other);
};

const correctionWeight = (word: string, other: string): number => {
  const similarity = spellingSimilarity(word, other);
  const share = Math.max(compoundShare(word, other), compoundShare(other, word));
  return Math.max(similarity * similarity, formWeight(word, other), 0.8 * share);
};
