import { cut } from '../analysis/tokenize.ts';
import { fold } from '../analysis/fold.ts';
import { type Language, languages } from '../analysis/languages.ts';
import { acts } from './meanings/acts.ts';
import { devices } from './meanings/devices.ts';
import { english } from './meanings/english.ts';
import { forms } from './meanings/forms.ts';
import { kinds } from './meanings/kinds.ts';
import { matters } from './meanings/matters.ts';
import { money } from './meanings/money.ts';
import { people } from './meanings/people.ts';
import { places } from './meanings/places.ts';
import { situations } from './meanings/situations.ts';
import { thesaurus } from './meanings/thesaurus.ts';
import { trade } from './meanings/trade.ts';
import { stem } from '../analysis/stem.ts';

/** A word of a meaning, or several that have it together, by their roots. */
export type Entry = { language: Language; roots: readonly string[]; meaning: number };

/**
 * What everyday words mean, in nine languages, so that a caller's words find those of a document. Written by hand for what businesses
 * are called about. A line of meanings/ is a meaning: its words by language, between bars, in the order of languages.ts; an underscore
 * joins words that only mean it together. In kinds.ts and situations.ts a colon
 * stands behind a word and before what comes with it; in forms.ts bars are between words.
 */
export type Lexicon = {
  /** By number, all words of a meaning. */
  meanings: ReadonlyArray<readonly Entry[]>;
  /** By language and first root (see keyOf). */
  entries: ReadonlyMap<string, readonly Entry[]>;
  /** By English stem, the stems of its kinds and of what it is a kind of. */
  related: ReadonlyMap<string, ReadonlySet<string>>;
  /** By English stem, those of the same word in another form. */
  forms: ReadonlyMap<string, ReadonlySet<string>>;
};

let read: Lexicon | undefined;

/** Read when the first question needs it: it takes 6 MB, and 0.1 s of an idle processor. */
export const lexicon = (): Lexicon =>
  (read ??= parse([money, trade, places, people, devices, acts, matters, english, thesaurus], [kinds, situations]));

export const keyOf = (language: Language, root: string): string => `${language} ${root}`;

/** Endings of other languages than English, as far as it takes to find a word in its other forms. */
const ending = /(?:[aeo]s|e[nmr]|[ai]r|re|[aeoisnx])$/;
const shortestRoot = 4;

/** What the forms of a word, given as its stem, have in common: in English that stem, else about as much. */
export function rootOf(word: string, language: Language): string {
  if (language === 'en' || word.length <= shortestRoot) return word;
  const root = word.replace(ending, '');
  return root.length < shortestRoot ? word : root;
}

function parse(topics: readonly string[], relations: readonly string[]): Lexicon {
  const meanings = topics.flatMap(linesOf).map(meaningOf);
  const related = pairsOf(
    relations.flatMap(linesOf).flatMap((line) => {
      const [heads = [], members = []] = line.split(':').map((part) => wordsOf(part).map(stem));
      return heads.flatMap((head) => members.map((member) => [head, member] as const));
    }),
  );
  const others = pairsOf(
    linesOf(forms.replaceAll('|', '\n')).flatMap((line) => {
      const [first, ...rest] = wordsOf(line).map(stem);
      return rest.flatMap((form, index) => [first!, ...rest.slice(0, index)].map((other) => [form, other] as const));
    }),
  );
  const entries = Map.groupBy(meanings.flat(), ({ language, roots }) => keyOf(language, roots[0]!));
  return { meanings, entries, related, forms: others };
}

/** Each with all that it is in a pair with. */
function pairsOf(pairs: ReadonlyArray<readonly [string, string]>): Map<string, Set<string>> {
  const all = new Map<string, Set<string>>();
  for (const [one, other] of pairs.flatMap(([a, b]) => [[a, b] as const, [b, a] as const])) {
    if (one !== other) all.set(one, (all.get(one) ?? new Set()).add(other));
  }
  return all;
}

const linesOf = (text: string): string[] =>
  fold(text)
    .split('\n')
    .filter((line) => line.trim() !== '');
const wordsOf = (text: string): string[] => text.split(' ').filter((word) => word !== '');

const meaningOf = (line: string, meaning: number): Entry[] =>
  line.split('|').flatMap((column, index) => {
    const language = languages[index]!;
    const rootsOf = (entry: string): string[] => stemsOf(entry).map((one) => rootOf(one, language));
    return wordsOf(column).map((entry) => ({ language, meaning, roots: rootsOf(entry) }));
  });

/** As a question has them: hyphenated words in parts. Most are plain, and need not be cut as a text is: that takes ten times as long. */
const stemsOf = (entry: string): string[] => {
  const plain = /^[a-z]+(?:[_-][a-z]+)*$/.test(entry);
  const words = plain ? entry.split(/[_-]/) : cut(entry.replaceAll('_', ' ')).filter(({ across }) => across !== true);
  return words.map((word) => stem(typeof word === 'string' ? word : word.word));
};
