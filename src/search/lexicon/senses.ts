import { type Language, languages } from './languages.ts';
import { type Entry, entryKey, lexicon, rootOf } from './lexicon.ts';

/** The root of a word that a text may use instead of a word of the query. A match counts `weight` (0 to 1) times an exact match. */
export type Synonym = { root: string; language: Language; weight: number };

/** Synonyms of one word of a query, or of several that form a phrase, by their positions in the query. */
export type Sense = { positions: readonly number[]; synonyms: readonly Synonym[] };

/** The weight of a synonym. Each further synset that both words share raises it, up to a limit. */
const synonymWeight = 0.55;
const maxSynonymWeight = 0.75;
const wordFormWeight = 0.85;
/** The weight of a kind of the word, or of what the word is a kind of. */
const relationWeight = 0.3;
/** Words that may stand between those of a phrase ("pick it up"). */
const maxGap = 2;

/**
 * Looks up the synonyms of a query's words (stems, in order). `queryLanguages` are those the query may be in, `textLanguages` those of
 * the texts. Where words form a phrase, the phrase replaces the senses of its words.
 */
export function findSenses(
  words: readonly string[],
  queryLanguages: readonly Language[],
  textLanguages: readonly Language[],
): Sense[] {
  const senses: Sense[] = [];
  const isUsed = new Set<number>();
  for (const [start, word] of words.entries()) {
    if (isUsed.has(start)) continue;
    const matches = entriesAt(words, start, queryLanguages);
    const longest = Math.max(1, ...matches.map(({ positions }) => positions.length));
    const best = matches.filter(({ positions }) => positions.length === longest);
    const positions = best[0]?.positions ?? [start];
    for (const position of positions) isUsed.add(position);
    const mayBeEnglish = queryLanguages.length === 0 || queryLanguages.includes('en');
    const relatives = positions.length === 1 && mayBeEnglish ? englishRelatives(word) : [];
    const synonyms = [...synonymsIn(best, textLanguages), ...relatives];
    if (best.length > 0 || relatives.length > 0) senses.push({ positions, synonyms });
  }
  return senses;
}

function synonymsIn(matches: readonly EntryMatch[], textLanguages: readonly Language[]): Synonym[] {
  const synonyms = new Map<string, Synonym>();
  for (const synset of new Set(matches.map(({ entry }) => entry.synset))) {
    for (const { language, roots } of lexicon().synsets[synset]!) {
      const [root] = roots;
      if (roots.length > 1 || !textLanguages.includes(language)) continue;
      const key = entryKey(language, root!);
      const weight = 1 - (1 - (synonyms.get(key)?.weight ?? 0)) * (1 - synonymWeight);
      synonyms.set(key, { root: root!, language, weight: Math.min(maxSynonymWeight, weight) });
    }
  }
  return [...synonyms.values()];
}

/** Other forms of an English word, and words for its kinds and for what it is a kind of. */
function englishRelatives(word: string): Synonym[] {
  const weighted = (roots: Iterable<string> | undefined, weight: number): Synonym[] =>
    [...(roots ?? [])].map((root) => ({ root, language: 'en', weight }));
  return [
    ...weighted(lexicon().wordForms.get(word), wordFormWeight),
    ...weighted(lexicon().related.get(word), relationWeight),
  ];
}

type EntryMatch = { entry: Entry; positions: number[] };

/** Where the language of the query is unknown, English is tried first, then all languages. */
function entriesAt(words: readonly string[], start: number, queryLanguages: readonly Language[]): EntryMatch[] {
  if (queryLanguages.length > 0) return queryLanguages.flatMap((language) => entriesIn(words, start, language));
  const inEnglish = entriesIn(words, start, 'en');
  return inEnglish.length > 0 ? inEnglish : languages.flatMap((language) => entriesIn(words, start, language));
}

const entriesIn = (words: readonly string[], start: number, language: Language): EntryMatch[] =>
  (lexicon().entries.get(entryKey(language, rootOf(words[start]!, language))) ?? []).flatMap((entry) => {
    const positions = positionsOf(entry, words, start);
    return positions ? [{ entry, positions }] : [];
  });

/** The positions of an entry's words in the query, or undefined unless all are there, in order and close together. */
function positionsOf({ language, roots }: Entry, words: readonly string[], start: number): number[] | undefined {
  const positions = [start];
  for (const root of roots.slice(1)) {
    const from = positions.at(-1)! + 1;
    const gap = words.slice(from, from + 1 + maxGap).findIndex((word) => rootOf(word, language) === root);
    if (gap === -1) return undefined;
    positions.push(from + gap);
  }
  return positions;
}
