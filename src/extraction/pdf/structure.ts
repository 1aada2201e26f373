import type { Collector } from '../blocks/block-collector.ts';
import { bodySizeOf, type Line, roundedSize, textOfLine } from './lines.ts';
import { tableAt } from './table.ts';

/** A heading is at least so much larger than the body. */
const headingRatio = 1.15;
const maxHeadingChars = 200;
/** A line of a table of contents, in whatever size. */
const ofContents = /… ?[\divxlc]*$/;
/** A line that stands farther below the one before begins a paragraph, in usual line distances. */
const paragraphGap = 1.35;
const bullet = /^(?:[•‣◦▪●○■□·\uF0B7\uF0A7–-]\s*(?=\S)|\(?\d{1,3}[.)]\s+(?=\S))/;

/** Blocks of the lines of a document: headings by their size, lists by their bullets, tables by their columns. */
export function addBlocks(lines: readonly Line[], collector: Collector): void {
  const { body, levels, distance } = measure(lines);
  const levelOf = (line: Line): number | undefined => {
    const text = textOfLine(line);
    const isHeading = line.size >= body * headingRatio && text.length <= maxHeadingChars && !ofContents.test(text);
    return isHeading ? levels.get(roundedSize(line.size)) : undefined;
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
    const alike = (next: Line, previous: Line): boolean =>
      levelOf(next) === level && goesOn(next, previous, distance) && (level !== undefined || next.cells.length === 1);
    let end = index + 1;
    while (end < lines.length && alike(lines[end]!, lines[end - 1]!)) end += 1;
    const group = lines.slice(index, end);
    if (level !== undefined) collector.heading(level, joined(group), line.page);
    else addText(group, collector);
    index = end;
  }
}

/** The size of most characters, the sizes above it from the largest on as levels, and the usual distance of two lines. */
function measure(lines: readonly Line[]): { body: number; levels: Map<number, number>; distance: number } {
  const body = bodySizeOf(lines);
  const sizes = new Set(lines.map(({ size }) => roundedSize(size)));
  const larger = [...sizes].filter((size) => size >= body * headingRatio).toSorted((a, b) => b - a);
  const distances = lines.map((line, index) => (lines[index - 1]?.y ?? 0) - line.y).filter((gap) => gap > 0);
  const distance = distances.toSorted((a, b) => a - b)[distances.length >> 1] ?? body;
  return {
    body,
    levels: new Map(larger.map((size, rank) => [size, rank + 1])),
    distance: Math.min(distance, body * 2),
  };
}

/** Whether a line belongs to the paragraph of the one before it, over a column's or a page's end too. */
function goesOn(line: Line, previous: Line, distance: number): boolean {
  const below = previous.y - line.y;
  const usual = distance * Math.max(1, line.size / Math.max(1, previous.size));
  if (line.page === previous.page && below > 0) return below <= usual * paragraphGap;
  const text = textOfLine(line);
  return !/[.!?:;…。!?]["'”’)]?$/.test(textOfLine(previous)) && /^\p{Ll}/u.test(text);
}

function addText(lines: readonly Line[], collector: Collector): void {
  const { page } = lines[0]!;
  const items: Line[][] = [];
  for (const line of lines) {
    if (items.length === 0 || bullet.test(textOfLine(line))) items.push([line]);
    else items.at(-1)!.push(line);
  }
  const [first, ...others] = items;
  if (first && !bullet.test(textOfLine(first[0]!))) collector.paragraph(joined(first), page);
  else if (first) others.unshift(first);
  if (others.length > 0) collector.list(others.map(joined), others[0]![0]!.page);
}

/** One text of several lines; a word that was divided at a line's end is one again. */
function joined(lines: readonly Line[]): string {
  let text = '';
  for (const line of lines) {
    const next = textOfLine(line);
    const divided = /\p{Ll}[-\u00AD\u2010]$/u.test(text) && /^\p{Ll}/u.test(next);
    if (divided) text = text.slice(0, -1) + next;
    else if (endsAndBeginsDense(text, next)) text += next;
    else text += (text === '' ? '' : ' ') + next;
  }
  return text;
}

/** Chinese and Japanese have no spaces between words. */
const endsAndBeginsDense = (text: string, next: string): boolean =>
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}、。,]$/u.test(text) &&
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(next);
