import { fits, lastFittingEnd, type Size, sizeOf } from './tokens.ts';

/**
 * A trimmed part of a text. The separator joins it to the part before it: a line break if it starts a line, a space for
 * other white space.
 */
export type TextSpan = { text: string; separator: '' | ' ' | '\n' };

const sentences = new Intl.Segmenter('en', { granularity: 'sentence' });

/**
 * When a long sentence is divided, each part may be up to this share shorter than possible to end between two words.
 */
const maxShareGivenUp = 0.3;

/** Characters after which a sentence may be divided, preferred ones first. */
const breaks = [/[\s、。！？，；：]/u, /[,;:|]/u];

/**
 * Where Intl.Segmenter reports the end of a sentence, we accept it after white space, or after CJK punctuation, which
 * is written without. Otherwise `example.com/?q=1` and ` .NET` would be divided.
 */
const sentenceEnd = /(?:\s|[。．！？｡][\p{Pe}\p{Pf}"']*)$/u;

/** Splits a text into sentences, and a sentence larger than `limit` into parts, between words if possible. */
export function* splitSentences(text: string, limit: Size): Generator<TextSpan> {
  let start = 0;
  for (const { segment, index } of sentences.segment(text)) {
    const end = index + segment.length;
    if (end < text.length && !sentenceEnd.test(segment)) continue;
    const sentence = spanOf(text, start, end);
    if (sentence.text !== '')
      yield* fits(sizeOf(sentence.text), limit) ? [sentence] : splitLongSentence(sentence, limit);
    start = end;
  }
}

function spanOf(text: string, start: number, end: number): TextSpan {
  const part = text.slice(start, end);
  const hasSpaceBefore = /^\s/.test(part) || /\s/.test(text.charAt(start - 1));
  return { text: part.trim(), separator: hasSpaceBefore ? ' ' : '' };
}

function* splitLongSentence({ text, separator }: TextSpan, limit: Size): Generator<TextSpan> {
  for (let start = 0; start < text.length;) {
    const end = lastBreakBefore(text, start, lastFittingEnd(text, start, limit));
    const part = spanOf(text, start, end);
    if (part.text !== '') yield start === 0 ? { ...part, separator } : part;
    start = end;
  }
}

/** The last position before `end` that follows a space or punctuation mark and is not too far away; else `end`. */
function lastBreakBefore(text: string, start: number, end: number): number {
  if (end === text.length) return end;
  const earliest = end - Math.floor((end - start) * maxShareGivenUp);
  for (const mark of breaks) {
    for (let position = end; position > earliest; position -= 1) {
      if (mark.test(text.charAt(position - 1))) return position;
    }
  }
  return end;
}

/** Splits a text into its lines, without blank ones, and a line larger than `limit` into sentences. */
export function* splitLines(text: string, limit: Size): Generator<TextSpan> {
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue;
    if (fits(sizeOf(line), limit)) yield { text: line.trimEnd(), separator: '\n' };
    else yield* startingLine(splitSentences(line, limit));
  }
}

function* startingLine(spans: Iterable<TextSpan>): Generator<TextSpan> {
  let separator: '\n' | undefined = '\n';
  for (const span of spans) {
    yield separator ? { ...span, separator } : span;
    separator = undefined;
  }
}
