import { createBlockCollector } from '../blocks/block-collector.ts';
import { createTextBudget, type ExtractionLimits } from '../limits.ts';
import type { Block } from '../model.ts';

const bullet = /^\s*(?:[-*•‣·–]|\(?\d{1,3}[.)])\s+\S/;
/** A line of dashes or the like, which makes the line above it a heading. */
const underline = /^\s*(?:={3,}|-{3,}|~{3,}|\*{3,})\s*$/;
/**
 * A longer line was wrapped at the page width and continues on the next one; the writer ended a shorter line on
 * purpose.
 */
const minWrappedLineChars = 60;
const maxHeadingChars = 80;

/**
 * Parses plain text: blank lines separate paragraphs, headings are underlined or in capitals, list items start with
 * bullets or numbers.
 */
export function parsePlainText(text: string, limits: ExtractionLimits): Block[] {
  const collector = createBlockCollector(createTextBudget(limits));
  for (const group of splitAtBlankLines(text.replace(/\r\n?|[\u2028\u2029\f\v\u0085]/g, '\n'))) {
    const [first = '', second = '', ...others] = group;
    if (group.length > 1 && underline.test(second) && first.length <= maxHeadingChars) {
      collector.heading(second.includes('=') ? 1 : 2, first);
      addLines(others);
    } else if (group.length === 1 && isCapitals(first)) collector.heading(1, first);
    else addLines(group);
  }
  return collector.blocks;

  function addLines(lines: readonly string[]): void {
    const start = lines.findIndex((line) => bullet.test(line));
    const before = start === -1 ? lines : lines.slice(0, start);
    const isWrapped = before.slice(0, -1).every((line) => line.length > minWrappedLineChars);
    if (isWrapped) collector.paragraph(before.join(' '));
    else collector.list(before.map((line) => line.trim()));
    if (start !== -1) collector.list(joinItems(lines.slice(start)));
  }
}

function* splitAtBlankLines(text: string): Generator<string[]> {
  let group: string[] = [];
  for (const line of text.split('\n')) {
    if (line.trim() !== '') group.push(line);
    else if (group.length > 0) {
      yield group;
      group = [];
    }
  }
  if (group.length > 0) yield group;
}

/** Joins lines to list items: a line without a bullet continues the item before it. */
function joinItems(lines: readonly string[]): string[] {
  const items: string[] = [];
  for (const line of lines) {
    if (bullet.test(line) || items.length === 0) items.push(line);
    else items[items.length - 1] += ` ${line}`;
  }
  return items;
}

const isCapitals = (line: string): boolean =>
  line.length <= maxHeadingChars && /\p{Lu}.*\p{Lu}/u.test(line) && !/\p{Ll}/u.test(line) && !/[.!?;,]\s*$/.test(line);
