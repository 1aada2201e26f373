import { endWithin, fits, type Size, sizeOf } from './tokens.ts';

/** A part of a text, trimmed, and what stood before it there: white space is one blank, but a line's begin is a line's begin. */
export type Cut = { text: string; before: '' | ' ' | '\n' };

const sentences = new Intl.Segmenter('en', { granularity: 'sentence' });

/** A sentence that is parted loses at most this share of what it might have had, for the sake of a break between words. */
const searchedForBreak = 0.3;

/** Where a text may be parted, best first. */
const breaks = [/[\s、。！？，；：]/u, /[,;:|]/u];

/** Behind which a sentence ends; without white space only where it is written without: `example.com/?q=1` and ` .NET` are no two. */
const sentenceEnd = /(?:\s|[。．！？｡][\p{Pe}\p{Pf}"']*)$/u;

/** Sentences of a text; one that is larger than `limit` comes in parts, at spaces as far as there are any. */
export function* sentencesOf(text: string, limit: Size): Generator<Cut> {
  let start = 0;
  for (const { segment, index } of sentences.segment(text)) {
    const end = index + segment.length;
    if (end < text.length && !sentenceEnd.test(segment)) continue;
    const sentence = cutOf(text, start, end);
    if (sentence.text !== '') yield* fits(sizeOf(sentence.text), limit) ? [sentence] : partsOf(sentence, limit);
    start = end;
  }
}

function cutOf(text: string, start: number, end: number): Cut {
  const cut = text.slice(start, end);
  return { text: cut.trim(), before: /^\s/.test(cut) || /\s/.test(text.charAt(start - 1)) ? ' ' : '' };
}

function* partsOf({ text, before }: Cut, limit: Size): Generator<Cut> {
  for (let start = 0; start < text.length;) {
    const end = breakBefore(text, start, endWithin(text, start, limit));
    const part = cutOf(text, start, end);
    if (part.text !== '') yield start === 0 ? { ...part, before } : part;
    start = end;
  }
}

/** The last place behind a space or a mark that is not too far before `end`, else `end` itself. */
function breakBefore(text: string, start: number, end: number): number {
  if (end === text.length) return end;
  const earliest = end - Math.floor((end - start) * searchedForBreak);
  for (const mark of breaks) {
    for (let place = end; place > earliest; place -= 1) if (mark.test(text.charAt(place - 1))) return place;
  }
  return end;
}

/** Lines of a text, without their line ends; one that is larger than `limit` comes in sentences. */
export function* linesOf(text: string, limit: Size): Generator<Cut> {
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue;
    if (fits(sizeOf(line), limit)) yield { text: line.trimEnd(), before: '\n' };
    else yield* openingLine(sentencesOf(line, limit));
  }
}

function* openingLine(cuts: Iterable<Cut>): Generator<Cut> {
  let before: '\n' | undefined = '\n';
  for (const cut of cuts) {
    yield before ? { ...cut, before } : cut;
    before = undefined;
  }
}
