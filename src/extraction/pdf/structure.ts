import type { BlockCollector } from '../blocks/block-collector.ts';
import { bodyFontSize, type Line, lineText, roundFontSize } from './lines.ts';
import { tableAt } from './table.ts';

/** A heading's font is at least this many times as large as the body's. */
const minHeadingRatio = 1.15;
/** A longer line is text, however large its font. */
const maxHeadingChars = 200;
/** An entry of a table of contents, which is never a heading. */
const tableOfContentsEntry = /… ?[\divxlc]*$/;
/** A gap above this many usual line distances starts a new paragraph. */
const maxLineGapRatio = 1.35;
/** The usual line distance is capped at this many body font sizes, in case most gaps are those between paragraphs. */
const maxLineDistanceRatio = 2;
const bullet = /^(?:[•‣◦▪●○■□·\uF0B7\uF0A7–-]\s*(?=\S)|\(?\d{1,3}[.)]\s+(?=\S))/;

/**
 * Groups the lines of a document into headings (by font size), lists (by bullets), tables (by columns) and paragraphs.
 */
export function collectBlocks(lines: readonly Line[], collector: BlockCollector): void {
  const { body, levels, distance } = measure(lines);
  const levelOf = (line: Line): number | undefined => {
    const text = lineText(line);
    const isHeading =
      line.size >= body * minHeadingRatio && text.length <= maxHeadingChars && !tableOfContentsEntry.test(text);
    return isHeading ? levels.get(roundFontSize(line.size)) : undefined;
  };
  let index = 0;
  while (index < lines.length) {
    const line = lines[index]!;
    const level = levelOf(line);
    const table = level === undefined ? tableAt(lines, index) : undefined;
    if (table) {
      collector.table(table.rows, line.page);
      index += table.length;
      continue;
    }
    const isSameBlock = (next: Line, previous: Line): boolean =>
      levelOf(next) === level &&
      continuesParagraph(next, previous, distance) &&
      (level !== undefined || next.cells.length === 1);
    let end = index + 1;
    while (end < lines.length && isSameBlock(lines[end]!, lines[end - 1]!)) end += 1;
    const group = lines.slice(index, end);
    if (level !== undefined) collector.heading(level, joinLines(group), line.page);
    else addText(group, collector);
    index = end;
  }
}

/**
 * Finds the body font size, the heading level of each larger size (the largest is 1), and the usual distance of two
 * lines.
 */
function measure(lines: readonly Line[]): { body: number; levels: Map<number, number>; distance: number } {
  const body = bodyFontSize(lines);
  const sizes = new Set(lines.map(({ size }) => roundFontSize(size)));
  const larger = [...sizes].filter((size) => size >= body * minHeadingRatio).toSorted((a, b) => b - a);
  const distances = lines.map((line, index) => (lines[index - 1]?.y ?? 0) - line.y).filter((gap) => gap > 0);
  const median = distances.toSorted((a, b) => a - b)[distances.length >> 1] ?? body;
  return {
    body,
    levels: new Map(larger.map((size, rank) => [size, rank + 1])),
    distance: Math.min(median, body * maxLineDistanceRatio),
  };
}

/** Whether a line continues the paragraph of the line before it, also across the end of a column or page. */
function continuesParagraph(line: Line, previous: Line, distance: number): boolean {
  const gap = previous.y - line.y;
  const usual = distance * Math.max(1, line.size / Math.max(1, previous.size));
  if (line.page === previous.page && gap > 0) return gap <= usual * maxLineGapRatio;
  const text = lineText(line);
  return !/[.!?:;…。!?]["'”’)]?$/.test(lineText(previous)) && /^\p{Ll}/u.test(text);
}

function addText(lines: readonly Line[], collector: BlockCollector): void {
  const { page } = lines[0]!;
  const items: Line[][] = [];
  for (const line of lines) {
    if (items.length === 0 || bullet.test(lineText(line))) items.push([line]);
    else items.at(-1)!.push(line);
  }
  const [first, ...others] = items;
  if (first && !bullet.test(lineText(first[0]!))) collector.paragraph(joinLines(first), page);
  else if (first) others.unshift(first);
  if (others.length > 0) collector.list(others.map(joinLines), others[0]![0]!.page);
}

/** Joins lines into one text and rejoins words that were hyphenated at a line end. */
function joinLines(lines: readonly Line[]): string {
  let text = '';
  for (const line of lines) {
    const next = lineText(line);
    const isHyphenated = /\p{Ll}[-\u00AD\u2010]$/u.test(text) && /^\p{Ll}/u.test(next);
    if (isHyphenated) text = text.slice(0, -1) + next;
    else if (joinsWithoutSpace(text, next)) text += next;
    else text += (text === '' ? '' : ' ') + next;
  }
  return text;
}

/** Chinese and Japanese have no spaces between words. */
const joinsWithoutSpace = (text: string, next: string): boolean =>
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}、。,]$/u.test(text) &&
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(next);
