import type { IndexReader } from '../index/search-index.ts';
import { allMarkerWords, detectTextLanguages, hasExactRoots, type Language } from '../lexicon/languages.ts';
import { rootOf } from '../lexicon/lexicon.ts';
import { findSenses, type Synonym } from '../lexicon/senses.ts';
import type { WeightedWord } from './spelling.ts';

/** The stems of a query, in order, and the languages that it may be in. */
export type QueryWords = {
  words: readonly string[];
  isStopWord: (word: string) => boolean;
  languages: readonly Language[];
};

/**
 * Maps words of a query to their synonyms in the index. The synonyms of a phrase are assigned to its last word that is not a stop word, or,
 * if all are stop words, to the phrase written as one word.
 */
export async function indexedSynonyms(
  index: IndexReader,
  { words, isStopWord, languages }: QueryWords,
): Promise<Map<string, WeightedWord[]>> {
  const textLanguages = detectTextLanguages(await index.knownWords(allMarkerWords));
  const senses = findSenses(words, languages, textLanguages)
    .map(({ positions, synonyms }) => ({ words: positions.map((position) => words[position]!), synonyms }))
    .filter((sense) => sense.words.length > 1 || !isStopWord(sense.words[0]!));
  const indexed = await inIndex(
    index,
    senses.map(({ synonyms }) => synonyms),
  );
  const synonymsOf = new Map<string, WeightedWord[]>();
  for (const [position, sense] of senses.entries()) {
    const word = sense.words.findLast((one) => !isStopWord(one)) ?? sense.words.join('');
    synonymsOf.set(word, [...(synonymsOf.get(word) ?? []), ...indexed[position]!]);
  }
  return synonymsOf;
}

/**
 * An indexed word that begins with a synonym's root but has another root counts as a form of it, with less weight, if the root has at least
 * this many letters and is at least this share of the word.
 */
const minFormRoot = 6;
const minRootShare = 0.7;
const guessedFormFactor = 0.75;

/** For each list of synonyms, the words of the index that match any of them. */
async function inIndex(index: IndexReader, lists: ReadonlyArray<readonly Synonym[]>): Promise<WeightedWord[][]> {
  const rootsWhere = (exact: boolean): string[] => [
    ...new Set(lists.flat().flatMap(({ root, language }) => (hasExactRoots(language) === exact ? [root] : []))),
  ];
  const known = await index.knownWords(rootsWhere(true));
  const byPrefix = Map.groupBy(await index.wordsWithPrefixes(rootsWhere(false)), ({ prefix }) => prefix);
  const matchesOf = ({ root, language, weight }: Synonym): WeightedWord[] => {
    if (hasExactRoots(language)) return known.has(root) ? [{ word: root, weight }] : [];
    return (byPrefix.get(root) ?? []).flatMap(({ word }) => {
      if (rootOf(word, language) === root) return [{ word, weight }];
      const isForm = root.length >= minFormRoot && root.length / word.length >= minRootShare;
      return isForm ? [{ word, weight: guessedFormFactor * weight }] : [];
    });
  };
  return lists.map((synonyms) => synonyms.flatMap(matchesOf));
}
