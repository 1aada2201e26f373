import { memoize } from '../../base/memoize.ts';
import { isSpelled, termsOf } from '../analysis/tokenize.ts';

/** A piece of a document to index: its text, the headings above it from the highest down, and the page on which it begins. */
export type Chunk = { text: string; heading: string | null; page: number | null };

/**
 * A chunk with its index terms, without those of the document's title, which may change later. Lists of terms are strings with blanks
 * between the terms: passing a thousand of them to another thread takes as long as passing a few arrays.
 */
export type Passage = Chunk & {
  /** Number of terms; those of the headings count twice. */
  length: number;
  headingTerms: string;
  /** The distinct terms of the text, by how often it has them. */
  once: string;
  twice: string;
  often: string;
  /** Words of headings and text that no earlier passage of the document has, for the vocabulary. */
  newWords: string;
};

const joinTerms = (terms: Iterable<string>): string => [...terms].join(' ');
export const splitTerms = (list: string): string[] => (list === '' ? [] : list.split(' '));

/** How often a term of the title or of the headings counts. */
export const titleWeight = 2;

/** Analyzes the chunks of one document, from the first on. */
export function* passagesOf(chunks: Iterable<Chunk>): Generator<Passage> {
  const seen = new Set<string>();
  for (const { text, heading, page } of chunks) {
    const headingTerms = termsOf(heading ?? '');
    const textTerms = termsOf(text);
    const counts = new Map<string, number>();
    for (const term of textTerms) counts.set(term, (counts.get(term) ?? 0) + 1);
    const termsWith = (has: (count: number) => boolean): string =>
      joinTerms([...counts].flatMap(([term, count]) => (has(count) ? [term] : [])));
    const newWords = [...new Set([...headingTerms, ...counts.keys()])].filter(
      (one) => !seen.has(one) && isSpelled(one),
    );
    for (const word of newWords) seen.add(word);
    yield {
      text,
      heading,
      page,
      length: textTerms.length + titleWeight * headingTerms.length,
      headingTerms: joinTerms(new Set(headingTerms)),
      once: termsWith((count) => count === 1),
      twice: termsWith((count) => count === 2),
      often: termsWith((count) => count > 2),
      newWords: joinTerms(newWords),
    };
  }
}

/** A longer title is a text; only its beginning counts as title. */
const maxTitleChars = 300;

/** The index terms of a document's title, in order. Cached, because each batch of the document's passages needs them. */
export const titleTerms: (title: string) => readonly string[] = memoize(100, (title) =>
  termsOf(title.slice(0, maxTitleChars)),
);
