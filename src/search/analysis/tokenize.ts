import { fold } from './fold.ts';
import { stem } from './stem.ts';

/** A term of the index, and where it stands in the folded text. */
export type Token = { term: string; start: number; end: number };

/** Scripts without blanks between words; Hangul has blanks only between phrases. */
const unspaced = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー々\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}`;
const tokenPattern = new RegExp(
  String.raw`([${unspaced}][${unspaced}\p{M}]*)` +
    String.raw`|[[\p{L}\p{N}\p{M}]--[${unspaced}]]+` +
    String.raw`|\p{Extended_Pictographic}|\p{Regional_Indicator}{2}`,
  'gv',
);

/** Anything longer is not a word but an address, a hash or a line without blanks; only its beginning is indexed. */
const maxWordChars = 40;

/** Splits a folded text into terms, in order: the stems of words, and overlapping pairs of characters where a script has no blanks. */
export function tokensOf(folded: string): Token[] {
  const tokens: Token[] = [];
  // Not matchAll(): it copies the pattern, which takes longer than to match a word.
  for (let match = tokenPattern.exec(folded); match; match = tokenPattern.exec(folded)) {
    const { 0: run, 1: unspacedRun, index: start } = match;
    if (unspacedRun !== undefined) tokens.push(...pairsOf(run, start));
    else tokens.push({ term: stem(run.slice(0, maxWordChars)), start, end: start + run.length });
  }
  return tokens;
}

/** A dictionary would cut a word of the question differently than in the document, because its cuts depend on the text around. */
function pairsOf(run: string, start: number): Token[] {
  const characters = Array.from(run);
  if (characters.length === 1) return [{ term: run, start, end: start + run.length }];
  const pairs: Token[] = [];
  let offset = start;
  for (const [index, character] of characters.slice(1).entries()) {
    const previous = characters[index]!;
    pairs.push({ term: previous + character, start: offset, end: offset + previous.length + character.length });
    offset += previous.length;
  }
  return pairs;
}

/** The index terms of a text, in order. */
export const termsOf = (text: string): string[] => tokensOf(fold(text)).map(({ term }) => term);

/** Whether a term is a word with a spelling, not a pair of characters, a number or an emoji. */
export const isSpelled = (term: string): boolean => /\p{L}{3}/u.test(term);
