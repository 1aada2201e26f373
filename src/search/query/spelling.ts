import { isSpelled } from '../analysis/tokenize.ts';
import type { IndexReader } from '../index/search-index.ts';
import { commonPrefixShare, spellingSimilarity } from './similarity.ts';

/** A term of the index that may stand for a term of the query. A match counts `weight` (0 to 1) times as much as the term itself. */
export type WeightedTerm = { term: string; weight: number };

/** Forms share at least this many letters at the beginning, and at least this share of the longer word. */
const minPrefix = 4;
const minPrefixShare = 0.4;
const formWeight = 0.7;
/** Each variant makes the question slower. */
const maxForms = 5;

/**
 * Words of the vocabulary that begin like a word of the query: its forms in languages that Porter's rules do not cover, and compounds
 * with it. They find as much as an index of all trigrams of the passages, which would take most of a question's time.
 */
export async function formsOf(index: IndexReader, terms: readonly string[]): Promise<Map<string, WeightedTerm[]>> {
  const prefixes = new Map(terms.filter(isSpelled).map((term) => [term, prefixOf(term)] as const));
  const wanted = [...new Set(prefixes.values())].filter((prefix) => prefix !== '');
  const words = await index.wordsWithPrefixes(wanted);
  return new Map(
    Array.from(prefixes, ([term, prefix]) => [
      term,
      nearest(words.get(prefix) ?? [], maxForms, (word) => {
        const share = word === term ? 0 : commonPrefixShare(term, word);
        return share < minPrefixShare ? 0 : formWeight * share;
      }),
    ]),
  );
}

function prefixOf(term: string): string {
  const letters = Array.from(term);
  const length = Math.max(minPrefix, Math.ceil(minPrefixShare * letters.length));
  return letters.length < minPrefix ? '' : letters.slice(0, length).join('');
}

/** Words of the vocabulary that are compared with a misspelt word letter by letter. */
const maxCompared = 100;
const maxCorrections = 3;
const minSimilarity = 0.5;
const compoundWeight = 0.5;

/** The words of the vocabulary that are spelled most like a word that no passage has, or that are compounds ending with it. */
export async function correctionsOf(index: IndexReader, term: string): Promise<WeightedTerm[]> {
  const words = await index.wordsSharingTrigrams(term, maxCompared);
  return nearest(words, maxCorrections, (word) => {
    if (term.length >= minPrefix && word.endsWith(term)) return compoundWeight;
    const similarity = spellingSimilarity(term, word);
    return similarity < minSimilarity ? 0 : similarity;
  });
}

const nearest = (words: readonly string[], limit: number, weightOf: (word: string) => number): WeightedTerm[] =>
  words
    .map((term) => ({ term, weight: weightOf(term) }))
    .filter(({ weight }) => weight > 0)
    .toSorted((a, b) => b.weight - a.weight)
    .slice(0, limit);
