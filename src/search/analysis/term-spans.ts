import { fold } from './fold.ts';
import { tokensOf } from './tokenize.ts';

/** A range of UTF-16 code units, without its end. */
export type Span = readonly [start: number, end: number];

/** Where a text has any of these index terms. Spans are in order and do not touch. */
export function spansOfTerms(text: string, terms: ReadonlySet<string>): Span[] {
  const found: Array<[number, number]> = [];
  for (const { 0: piece, index } of text.matchAll(/\S+/g)) {
    const folded = foldWithOffsets(piece);
    for (const { term, start, end } of tokensOf(folded.text)) {
      if (!terms.has(term)) continue;
      const last = found.at(-1);
      const [from, to] = [index + folded.startOf(start), index + folded.endOf(end)];
      if (last && from <= last[1]) last[1] = Math.max(last[1], to);
      else found.push([from, to]);
    }
  }
  return found;
}

type Folded = {
  text: string;
  /** Where the original character starts from which the folded text at this offset comes. */
  startOf(offset: number): number;
  /** Where the original character ends from which the folded text before this offset comes. */
  endOf(offset: number): number;
};

const characters = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Folds a word, which may change its length: ß becomes ss, and é may be two code points. Segmenting is slow, and rarely needed. */
function foldWithOffsets(text: string): Folded {
  const whole = fold(text);
  if (whole.length === text.length) {
    return { text: whole, startOf: (offset) => offset, endOf: (offset) => offset };
  }
  const starts: number[] = [];
  const ends: number[] = [];
  const pieces: string[] = [];
  for (const { segment, index } of characters.segment(text)) {
    const piece = fold(segment);
    pieces.push(piece);
    for (let unit = 0; unit < piece.length; unit++) {
      starts.push(index);
      ends.push(index + segment.length);
    }
  }
  // Folded as a whole where possible, since the end of a word decides how a Greek sigma folds.
  return {
    text: whole.length === starts.length ? whole : pieces.join(''),
    startOf: (offset) => starts[offset]!,
    endOf: (offset) => ends[offset - 1]!,
  };
}
