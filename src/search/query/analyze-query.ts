import { stem } from '../analysis/stem.ts';
import { type Token, tokenize } from '../analysis/tokenize.ts';
import type { IndexReader } from '../index/search-index.ts';
import { detectQueryLanguages, stopWordFilter } from '../lexicon/stop-words.ts';
import { corrections, indexedForms, type WeightedWord } from './spelling.ts';
import { indexedSynonyms } from './synonyms.ts';

/** A word of the query, and the words that may stand for it in a passage. */
export type QueryTerm = {
  /** The word itself with weight 1, then its synonyms, other forms and corrections. */
  variants: readonly WeightedWord[];
  /** False for stop words, unless the query has nothing else: they only decide between passages that are otherwise equal. */
  isContentWord: boolean;
};

/** A longer query is reduced to the words that it repeats most, then to its longest. */
const maxTerms = 24;
/** Further unknown words are not corrected. */
const maxCorrectedWords = 6;

/**
 * Turns a query into weighted terms. Words missing from the index are split or joined where that gives indexed words ("re fund",
 * "databse"), expanded by synonyms, and otherwise taken as misspellings of the most similar indexed words.
 */
export async function analyzeQuery(index: IndexReader, query: string): Promise<QueryTerm[]> {
  const tokens = tokenize(query).filter(({ isBoundaryBigram }) => isBoundaryBigram !== true);
  const known = await index.knownWords(possibleStems(tokens));
  const words = joinCompounds(
    tokens.flatMap((token) => splitUnlessKnown(token, known)),
    known,
  );
  const isStopWord = stopWordFilter(words);
  const hasContentWord = words.some((word) => !isStopWord(word));
  const synonymsOf = await indexedSynonyms(index, { words, isStopWord, languages: detectQueryLanguages(words) });
  let correctedWords = 0;
  const spellingsOf = (word: string): Promise<WeightedWord[]> | WeightedWord[] => {
    if (known.has(word)) return indexedForms(index, word);
    // A word that the lexicon has is not misspelled.
    return synonymsOf.has(word) || ++correctedWords > maxCorrectedWords ? [] : corrections(index, word);
  };
  const terms: QueryTerm[] = [];
  for (const word of mostImportant([...words, ...[...synonymsOf.keys()].filter((one) => !words.includes(one))])) {
    const isContentWord = !hasContentWord || !isStopWord(word);
    const others = isContentWord
      ? strongest(word, [...(synonymsOf.get(word) ?? []), ...(await spellingsOf(word))])
      : [];
    terms.push({ variants: [{ word, weight: 1 }, ...others], isContentWord });
  }
  return terms;
}

/** Variants of one word besides itself. Each makes the lookup slower. */
const maxVariants = 24;

/** The variants of a word without the word itself, each once, by descending weight. */
function strongest(word: string, variants: readonly WeightedWord[]): WeightedWord[] {
  const weights = new Map<string, number>();
  for (const variant of variants) {
    weights.set(variant.word, Math.max(variant.weight, weights.get(variant.word) ?? 0));
  }
  weights.delete(word);
  return [...weights]
    .map(([other, weight]) => ({ word: other, weight }))
    .toSorted((a, b) => b.weight - a.weight)
    .slice(0, maxVariants);
}

/** The stems of the words, of their parts, and of each two neighbours written as one. */
function possibleStems(tokens: readonly Token[]): string[] {
  const words = tokens.map(({ word }) => word);
  const pairs = words.slice(1).map((word, index) => words[index]! + word);
  return [...new Set([...words, ...tokens.flatMap(({ parts }) => parts), ...pairs].map(stem))];
}

/** A hyphenated word that the index has stays whole; any other is replaced by its parts. */
const splitUnlessKnown = ({ word, parts }: Token, known: ReadonlySet<string>): string[] => {
  if (parts.length === 0 || known.has(stem(word))) return [word];
  return [...parts];
};

/** Stems the words, and joins two neighbours that the index has only as one word. */
function joinCompounds(words: readonly string[], known: ReadonlySet<string>): string[] {
  const stems: string[] = [];
  for (let index = 0; index < words.length; index++) {
    const [word, next] = [words[index]!, words[index + 1]];
    const compound = next === undefined ? undefined : stem(word + next);
    const areKnownApart = known.has(stem(word)) && next !== undefined && known.has(stem(next));
    if (compound !== undefined && known.has(compound) && !areKnownApart) {
      stems.push(compound);
      index += 1;
    } else stems.push(stem(word));
  }
  return stems;
}

function mostImportant(words: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  if (counts.size <= maxTerms) return [...counts.keys()];
  return [...counts]
    .toSorted(([a, n], [b, m]) => m - n || b.length - a.length)
    .slice(0, maxTerms)
    .map(([word]) => word);
}
