import { memoize } from '../../base/memoize.ts';
import { termsOf } from '../analysis/terms.ts';

/** A piece of a document to be indexed. `heading`: the headings it stands under, from the highest; `page`: where it begins. */
export type Chunk = { text: string; heading: string | null; page: number | null };

/**
 * A chunk, and the words by which it is found but for those of its document's title, which may be decided later. Lists of words are
 * texts with blanks between: a thread hands a thousand of them over in the time of a few arrays.
 */
export type Passage = Chunk & {
  /** Words of the text alone. */
  length: number;
  /** A line for the headings, one for the text: all words in order. */
  lines: string;
  /** Words of headings, and those that the text has often; each once. */
  salient: string;
  /** All words, each once. */
  all: string;
  /** Those that no earlier passage of the document has. */
  fresh: string;
};

/** A text that has a word so often is about it. */
const repeatedOften = 3;

const listOf = (words: Iterable<string>): string => [...words].join(' ');
export const wordsIn = (list: string): string[] => (list === '' ? [] : list.split(' '));

/** Passages of the chunks of a document, from its first on. */
export function* passagesOf(chunks: Iterable<Chunk>): Generator<Passage> {
  const known = new Set<string>();
  for (const { text, heading, page } of chunks) {
    const headingWords = termsOf(heading ?? '');
    const textWords = termsOf(text);
    const counts = new Map<string, number>();
    for (const word of textWords) counts.set(word, (counts.get(word) ?? 0) + 1);
    const repeated = [...counts].filter(([, count]) => count >= repeatedOften).map(([word]) => word);
    const all = new Set([...headingWords, ...counts.keys()]);
    const fresh = all.difference(known);
    for (const word of fresh) known.add(word);
    yield {
      text,
      heading,
      page,
      length: textWords.length,
      lines: `${headingWords.join(' ')} \n ${textWords.join(' ')}`,
      salient: listOf(new Set([...headingWords, ...repeated])),
      all: listOf(all),
      fresh: listOf(fresh),
    };
  }
}

/** A title that is longer is a text. */
const longestTitle = 300;

/** The words of a document's title, in order; asked for with each few of its passages. */
export const titleWords: (title: string) => readonly string[] = memoize(100, (title) =>
  termsOf(title.slice(0, longestTitle)),
);
