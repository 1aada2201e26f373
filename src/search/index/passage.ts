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
  /** The distinct terms by their frequency: those that the passage has once, twice, three times, and more often. */
  terms: readonly string[];
  /** Words of headings and text that no earlier passage of the document has, for the vocabulary. */
  newWords: string;
};

const joinTerms = (terms: readonly string[]): string => terms.join(' ');
export const splitTerms = (list: string): string[] => (list === '' ? [] : list.split(' '));

/** How often a term of the title or of the headings counts. */
export const titleWeight = 2;

/** BM25 hardly tells four times from more. */
const maxFrequency = 4;

const byFrequency = (frequencies: ReadonlyMap<string, number>): string[] => {
  const lists: string[][] = Array.from({ length: maxFrequency }, () => []);
  for (const [term, frequency] of frequencies) lists[Math.min(frequency, maxFrequency) - 1]!.push(term);
  return lists.map(joinTerms);
};

/** Analyzes the chunks of one document, from the first on. */
export function* passagesOf(chunks: Iterable<Chunk>): Generator<Passage> {
  const seen = new Set<string>();
  for (const { text, heading, page } of chunks) {
    const headingTerms = termsOf(heading ?? '');
    const textTerms = termsOf(text);
    const frequencies = new Map(headingTerms.map((term) => [term, titleWeight]));
    for (const term of textTerms) frequencies.set(term, (frequencies.get(term) ?? 0) + 1);
    const newWords = [...frequencies.keys()].filter((term) => !seen.has(term) && isSpelled(term));
    for (const word of newWords) seen.add(word);
    yield {
      text,
      heading,
      page,
      length: textTerms.length + titleWeight * headingTerms.length,
      terms: byFrequency(frequencies),
      newWords: joinTerms(newWords),
    };
  }
}

/** The terms of a passage by their frequency, as `terms` has them, with those of its document's title. */
export function termsWithTitle(terms: readonly string[], title: readonly string[]): string[] {
  const frequencies = new Map(
    terms.flatMap((list, index) => splitTerms(list).map((term) => [term, index + 1] as const)),
  );
  for (const term of new Set(title)) frequencies.set(term, (frequencies.get(term) ?? 0) + titleWeight);
  return byFrequency(frequencies);
}

/** A longer title is a text; only its beginning counts as title. */
const maxTitleChars = 300;

/** The index terms of a document's title, in order. Cached, because each batch of the document's passages needs them. */
export const titleTerms: (title: string) => readonly string[] = memoize(100, (title) =>
  termsOf(title.slice(0, maxTitleChars)),
);
