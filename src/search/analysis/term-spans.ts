import { fold } from './fold.ts';
import { stem } from './stem.ts';
import { runsOf, type Token, tokensOfRun } from './tokenize.ts';

/** A range of UTF-16 code units, without its end. */
export type Span = readonly [start: number, end: number];

/** Where a text has any of these index terms. Spans are in order and do not touch. */
export function spansOfTerms(text: string, terms: ReadonlySet<string>): Span[] {
  const folded = foldWithOffsets(text);
  const found: Span[] = [];
  for (const run of runsOf(folded.text)) {
    for (const [term, [start, end]] of termSpansOfRun(run[0], tokensOfRun(run))) {
      if (terms.has(term)) found.push([folded.startOf(run.index + start), folded.endOf(run.index + end)]);
    }
  }
  return merged(found);
}

/** The terms of a run of a folded text, with their positions in the run. */
function* termSpansOfRun(run: string, tokens: readonly Token[]): Generator<[term: string, Span]> {
  let from = 0;
  const locate = (word: string, at: number): Span => {
    const start = run.indexOf(word, Math.max(0, at));
    // Not found as it is: the run is a number, or has an apostrophe inside.
    return start === -1 ? [0, run.length] : [start, start + word.length];
  };
  for (const { word, parts, isBoundaryBigram } of tokens) {
    if (isBoundaryBigram) {
      yield [stem(word), locate(word, from - 2)];
      continue;
    }
    const overlap = parts.length > 0 && parts.join('') !== word;
    const spans: Span[] = [];
    for (const part of parts) {
      const last = spans.at(-1);
      const span = locate(part, last === undefined ? from : overlap ? last[0] + 1 : last[1]);
      spans.push(span);
      yield [stem(part), span];
    }
    const whole: Span = spans.length > 0 ? [spans[0]![0], spans.at(-1)![1]] : locate(word, from);
    yield [stem(word), whole];
    from = whole[1];
  }
}

type Folded = {
  text: string;
  /** Where the original character starts from which the folded text at this offset comes. */
  startOf(offset: number): number;
  /** Where the original character ends from which the folded text before this offset comes. */
  endOf(offset: number): number;
};

const characters = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Folds a text, which may change its length: ß becomes ss, and é may be two code points. */
function foldWithOffsets(text: string): Folded {
  const whole = fold(text);
  if (whole.length === text.length && !/[^\p{ASCII}]/u.test(text)) {
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

function merged(spans: readonly Span[]): Span[] {
  const result: Array<[number, number]> = [];
  for (const [start, end] of spans.toSorted((a, b) => a[0] - b[0] || a[1] - b[1])) {
    const last = result.at(-1);
    if (last && start <= last[1]) last[1] = Math.max(last[1], end);
    else result.push([start, end]);
  }
  return result;
}
