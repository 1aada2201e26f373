import { endWithin, fits, type Size, sizeOf } from './tokens.ts';

const sentences = new Intl.Segmenter('en', { granularity: 'sentence' });

/** A sentence that is parted loses at most this share of what it might have had, for the sake of a break between words. */
const searchedForBreak = 0.3;

/** Sentences of a text, trimmed; one that is larger than `limit` comes in parts, at spaces as far as there are any. */
export function* sentencesOf(text: string, limit: Size): Generator<string> {
  for (const { segment } of sentences.segment(text)) {
    const sentence = segment.trim();
    if (sentence === '') continue;
    if (fits(sizeOf(sentence), limit)) yield sentence;
    else yield* partsOf(sentence, limit);
  }
}

function* partsOf(text: string, limit: Size): Generator<string> {
  for (let start = 0; start < text.length;) {
    const end = breakBefore(text, start, endWithin(text, start, limit));
    const part = text.slice(start, end).trim();
    if (part !== '') yield part;
    start = end;
  }
}

/** The last place behind a space or a mark that is not too far before `end`, else `end` itself. */
function breakBefore(text: string, start: number, end: number): number {
  if (end === text.length) return end;
  const earliest = end - Math.floor((end - start) * searchedForBreak);
  for (let place = end; place > earliest; place -= 1) if (/[\s,;:|、。,;:]/u.test(text.charAt(place - 1))) return place;
  return end;
}

/** Lines of a text, without their line ends; one that is larger than `limit` comes in sentences. */
export function* linesOf(text: string, limit: Size): Generator<string> {
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue;
    if (fits(sizeOf(line), limit)) yield line.trimEnd();
    else yield* sentencesOf(line, limit);
  }
}
