/*
 * How many tokens a language model makes of a text, roughly and without its vocabulary. Common ones (o200k, cl100k) make a
 * token of four letters of English, of two or three of other alphabets, and of about one character of Chinese, Japanese,
 * Korean or Thai. Chunks need it to a fifth, not exactly.
 */

const ascii = 0.25;
const alphabet = 0.4;
const ideograph = 0.9;

const thaiToMyanmar = [0x0e00, 0x109f] as const;
const hangulJamo = [0x1100, 0x11ff] as const;
const cjkFrom = 0x2e80;

function weightOf(code: number): number {
  if (code < 0x80) return ascii;
  if (code >= cjkFrom) return ideograph;
  const dense =
    (code >= thaiToMyanmar[0] && code <= thaiToMyanmar[1]) || (code >= hangulJamo[0] && code <= hangulJamo[1]);
  return dense ? ideograph : alphabet;
}

/** What a piece of text may have; characters are UTF-16 code units. */
export type Size = { tokens: number; chars: number };

export function sizeOf(text: string): Size {
  let tokens = 0;
  for (let index = 0; index < text.length; index += 1) tokens += weightOf(text.charCodeAt(index));
  return { tokens, chars: text.length };
}

export const fits = (size: Size, limit: Size): boolean => size.tokens <= limit.tokens && size.chars <= limit.chars;

/** The end of the longest part of `text` from `start` on that has the size; behind `start` always, never inside of a character. */
export function endWithin(text: string, start: number, limit: Size): number {
  let tokens = 0;
  let end = start;
  while (end < text.length && end - start < limit.chars) {
    tokens += weightOf(text.charCodeAt(end));
    if (tokens > limit.tokens) break;
    end += 1;
  }
  const insidePair = isHighSurrogate(text, end - 1) && end < text.length;
  if (insidePair && end - 1 > start) return end - 1;
  return Math.max(end, start + (isHighSurrogate(text, start) ? 2 : 1));
}

const isHighSurrogate = (text: string, index: number): boolean => (text.charCodeAt(index) & 0xfc00) === 0xd800;
