/*
 * Estimates how many tokens a language model makes of a text, without its vocabulary. Common tokenizers (o200k, cl100k)
 * make one token of four letters of English, of two or three letters of other alphabets, and of about one character of
 * Chinese, Japanese, Korean or Thai. An error of a fifth is good enough for chunk sizes.
 */

const tokensPerAsciiChar = 0.25;
const tokensPerAlphabetChar = 0.4;
const tokensPerDenseChar = 0.9;

const thaiToMyanmar = [0x0e00, 0x109f] as const;
const hangulJamo = [0x1100, 0x11ff] as const;
const cjkFrom = 0x2e80;

function tokensPerChar(code: number): number {
  if (code < 0x80) return tokensPerAsciiChar;
  if (code >= cjkFrom) return tokensPerDenseChar;
  const isDense =
    (code >= thaiToMyanmar[0] && code <= thaiToMyanmar[1]) || (code >= hangulJamo[0] && code <= hangulJamo[1]);
  return isDense ? tokensPerDenseChar : tokensPerAlphabetChar;
}

/** Size of a text, or a limit on it. Characters are UTF-16 code units. */
export type Size = { tokens: number; chars: number };

export function sizeOf(text: string): Size {
  let tokens = 0;
  for (let index = 0; index < text.length; index += 1) tokens += tokensPerChar(text.charCodeAt(index));
  return { tokens, chars: text.length };
}

export const fits = (size: Size, limit: Size): boolean => size.tokens <= limit.tokens && size.chars <= limit.chars;

/**
 * End of the longest part of `text` that starts at `start` and fits into `limit`. Always after `start`, so that callers
 * make progress, and never inside a surrogate pair.
 */
export function lastFittingEnd(text: string, start: number, limit: Size): number {
  let tokens = 0;
  let end = start;
  while (end < text.length && end - start < limit.chars) {
    tokens += tokensPerChar(text.charCodeAt(end));
    if (tokens > limit.tokens) break;
    end += 1;
  }
  const isInsidePair = isHighSurrogate(text, end - 1) && end < text.length;
  if (isInsidePair && end - 1 > start) return end - 1;
  return Math.max(end, start + (isHighSurrogate(text, start) ? 2 : 1));
}

const isHighSurrogate = (text: string, index: number): boolean => (text.charCodeAt(index) & 0xfc00) === 0xd800;
