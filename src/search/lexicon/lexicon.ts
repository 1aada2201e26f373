import { fold } from '../analysis/fold.ts';
import { stem } from '../analysis/stem.ts';
import { tokenize } from '../analysis/tokenize.ts';
import { wordLists } from './data.generated.ts';
import { type Language, languages } from './languages.ts';

/** A word of a synset, or a phrase of several words, by their roots. */
export type Entry = { language: Language; roots: readonly string[]; synset: number };

/**
 * Everyday words and their synonyms in nine languages, written by hand for the subjects that people call businesses about, so that a
 * caller's words find those of a document. The comments in data/ describe the format.
 */
export type Lexicon = {
  /** Sets of synonyms, by number. */
  synsets: ReadonlyArray<readonly Entry[]>;
  /** Entries by the `entryKey` of their first root. */
  entries: ReadonlyMap<string, readonly Entry[]>;
  /** For each English stem, the stems of related words: kinds of it, what it is a kind of, and words for the same situation. */
  related: ReadonlyMap<string, ReadonlySet<string>>;
  /** For each English stem, the stems of its irregular forms and derivations ("arise": "arose", "arisen"). */
  wordForms: ReadonlyMap<string, ReadonlySet<string>>;
};

/** The order decides between synonyms of equal weight where a term has too many of them. */
const synsetLists = [
  wordLists['synsets/money'],
  wordLists['synsets/trade'],
  wordLists['synsets/places'],
  wordLists['synsets/people'],
  wordLists['synsets/devices'],
  wordLists['synsets/acts'],
  wordLists['synsets/matters'],
  wordLists['synsets/english'],
  wordLists['synsets/thesaurus'],
];
const relationLists = [wordLists['relations/kinds'], wordLists['relations/situations']];

let parsed: Lexicon | undefined;

/** Parsed for the first query, because it takes 0.1 s of an idle processor and 6 MB. */
export const lexicon = (): Lexicon => (parsed ??= parseLexicon());

export const entryKey = (language: Language, root: string): string => `${language} ${root}`;

/** Inflectional endings of languages other than English, enough to recognize a word in its other forms. */
const inflection = /(?:[aeo]s|e[nmr]|[ai]r|re|[aeoisnx])$/;
const minRootChars = 4;

/** The part of a stem that the inflected forms of a word share. In English that is the stem itself. */
export function rootOf(wordStem: string, language: Language): string {
  if (language === 'en' || wordStem.length <= minRootChars) return wordStem;
  const root = wordStem.replace(inflection, '');
  return root.length < minRootChars ? wordStem : root;
}

function parseLexicon(): Lexicon {
  const synsets = synsetLists.flatMap(linesOf).map(parseSynset);
  const related = symmetric(relationLists.flatMap(linesOf).flatMap(parseRelation));
  const wordForms = symmetric(linesOf(wordLists['word-forms']).flatMap(parseWordForms));
  const entries = Map.groupBy(synsets.flat(), ({ language, roots }) => entryKey(language, roots[0]!));
  return { synsets, entries, related, wordForms };
}

type StemPair = readonly [string, string];

/** Parses `general words: special words` into pairs of each general word with each special word. */
function parseRelation(line: string): StemPair[] {
  const [general = [], special = []] = line.split(':').map((side) => wordsOf(side).map(stem));
  return general.flatMap((one) => special.map((other): StemPair => [one, other]));
}

/** All pairs of the words in a line. */
function parseWordForms(line: string): StemPair[] {
  const stems = wordsOf(line).map(stem);
  return stems.flatMap((form, index) => stems.slice(0, index).map((other): StemPair => [form, other]));
}

/** Maps each word to all words that it is in a pair with. */
function symmetric(pairs: readonly StemPair[]): Map<string, Set<string>> {
  const partners = new Map<string, Set<string>>();
  for (const [one, other] of pairs.flatMap(([a, b]) => [[a, b] as const, [b, a] as const])) {
    if (one !== other) partners.set(one, (partners.get(one) ?? new Set()).add(other));
  }
  return partners;
}

const linesOf = (list: string): string[] => fold(list).split('\n');
const wordsOf = (text: string): string[] => text.split(' ').filter((word) => word !== '');

const parseSynset = (line: string, synset: number): Entry[] =>
  line.split('|').flatMap((column, index) => {
    const language = languages[index]!;
    const rootsOf = (entry: string): string[] => stemsOf(entry).map((wordStem) => rootOf(wordStem, language));
    return wordsOf(column).map((entry) => ({ language, synset, roots: rootsOf(entry) }));
  });

/** The stems of an entry as a query has them. Plain words, most of them, skip the tokenizer, which takes ten times as long. */
const stemsOf = (entry: string): string[] => {
  const isPlain = /^[a-z]+(?:[_-][a-z]+)*$/.test(entry);
  if (isPlain) return entry.split(/[_-]/).map(stem);
  const tokens = tokenize(entry.replaceAll('_', ' ')).filter(({ isBoundaryBigram }) => isBoundaryBigram !== true);
  return tokens.map(({ word }) => stem(word));
};
