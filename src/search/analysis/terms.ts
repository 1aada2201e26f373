import { tokenize } from './tokenize.ts';
import { stem } from './stem.ts';

/** The index terms of a text, in order: the stem of each word, and of a hyphenated word both its parts and the whole. */
export const termsOf = (text: string): string[] =>
  tokenize(text).flatMap(({ word, parts }) => [...parts.map(stem), stem(word)]);
