import { contentHashOf } from './embeddings/text.ts';
import { termsOf } from './words/terms.ts';
import type { Chunk } from '../text/model.ts';

/** What a document gives to the index. */
export type Searchable = { title: string; chunks: readonly Chunk[] };

/** A chunk, and the words by which it is found. */
export type Passage = {
  title: string;
  text: string;
  heading: string | null;
  page: number | null;
  /** Words of the text alone. */
  length: number;
  /** Of what is embedded. */
  hash: string;
  /** A line for the title, one for the headings, one for the text; each word with a blank on both sides. */
  words: string;
  /** Words of title and headings, and those that the text has often; each once. */
  salient: string[];
  /** All words, each once. */
  all: string[];
};

/** A text that has a word so often is about it. */
const repeatedOften = 3;
/** A title that is longer is a text. */
const longestTitle = 300;

export function passageOf(title: string, chunk: Chunk): Passage {
  const titleWords = termsOf(title.slice(0, longestTitle));
  const headingWords = termsOf(chunk.heading ?? '');
  const textWords = termsOf(chunk.text);
  const counts = new Map<string, number>();
  for (const word of textWords) counts.set(word, (counts.get(word) ?? 0) + 1);
  const repeated = [...counts].filter(([, count]) => count >= repeatedOften).map(([word]) => word);
  return {
    title,
    text: chunk.text,
    heading: chunk.heading,
    page: chunk.page,
    length: textWords.length,
    hash: contentHashOf({ title, heading: chunk.heading, text: chunk.text }),
    words: ` ${[titleWords, headingWords, textWords].map((words) => words.join(' ')).join(' \n ')} `,
    salient: [...new Set([...titleWords, ...headingWords, ...repeated])],
    all: [...new Set([...titleWords, ...headingWords, ...counts.keys()])],
  };
}
