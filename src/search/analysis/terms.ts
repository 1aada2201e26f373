import { cut } from './tokenize.ts';
import { stem } from './stem.ts';

/** The words by which a text is found, in order: each by its stem, and what is hyphenated both in parts and as one. */
export const termsOf = (text: string): string[] =>
  cut(text).flatMap(({ word, parts }) => [...parts.map(stem), stem(word)]);
