import { memoize } from '../../base/memoize.ts';
import { termsOf } from '../analysis/terms.ts';

/** A piece of a document to index: its text, the headings above it from the highest down, and the page on which it begins. */
export type Chunk = { text: string; heading: string | null; page: number | null };

/**
 * A chunk with its index terms, without those of the document's title, which may change later. Lists of words are strings with blanks
 * between the words: passing a thousand of them to another thread takes as long as passing a few arrays.
 */
export type Passage = Chunk & {
  /** Number of words in the text, without the headings. */
  wordCount: number;
  /** The words of the headings on one line and those of the text on the next, in order. */
  orderedWords: string;
  /** The distinct words of the headings, and those that the text repeats. */
  salientWords: string;
  distinctWords: string;
  /** Distinct words that no earlier passage of the document has. */
  newWords: string;
};

/** A word that a text uses this often is salient. */
const minRepetitions = 3;

const joinWords = (words: Iterable<string>): string => [...words].join(' ');
export const splitWords = (list: string): string[] => (list === '' ? [] : list.split(' '));

/** Analyzes the chunks of one document, from the first on. */
export function* passagesOf(chunks: Iterable<Chunk>): Generator<Passage> {
  const seen = new Set<string>();
  for (const { text, heading, page } of chunks) {
    const headingWords = termsOf(heading ?? '');
    const textWords = termsOf(text);
    const counts = new Map<string, number>();
    for (const word of textWords) counts.set(word, (counts.get(word) ?? 0) + 1);
    const repeated = [...counts].filter(([, count]) => count >= minRepetitions).map(([word]) => word);
    const distinct = new Set([...headingWords, ...counts.keys()]);
    const unseen = distinct.difference(seen);
    for (const word of unseen) seen.add(word);
    yield {
      text,
      heading,
      page,
      wordCount: textWords.length,
      orderedWords: `${headingWords.join(' ')} \n ${textWords.join(' ')}`,
      salientWords: joinWords(new Set([...headingWords, ...repeated])),
      distinctWords: joinWords(distinct),
      newWords: joinWords(unseen),
    };
  }
}

/** A longer title is a text; only its beginning counts as title. */
const maxTitleChars = 300;

/** The index terms of a document's title, in order. Cached, because each batch of the document's passages needs them. */
export const titleWords: (title: string) => readonly string[] = memoize(100, (title) =>
  termsOf(title.slice(0, maxTitleChars)),
);
