import { createBudget, createCollector, type Limits } from '../blocks/block-collector.ts';
import type { Block } from '../model.ts';

const bullet = /^\s*(?:[-*•‣·–]|\(?\d{1,3}[.)])\s+\S/;
/** Underlines, as people have written headings since typewriters. */
const underline = /^\s*(?:={3,}|-{3,}|~{3,}|\*{3,})\s*$/;
/** Lines that end before this were ended by the writer, not by the width of the page. */
const wrappedChars = 60;
const maxHeadingChars = 80;

/** Plain text: what blank lines part are paragraphs; headings are underlined or in capitals; lists have bullets or numbers. */
export function parsePlain(text: string, limits: Limits): Block[] {
  const collector = createCollector(createBudget(limits));
  for (const group of groupsOf(text.replace(/\r\n?|[\u2028\u2029\f\v\u0085]/g, '\n'))) {
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
    const wrapped = before.slice(0, -1).every((line) => line.length > wrappedChars);
    if (wrapped) collector.paragraph(before.join(' '));
    else collector.list(before.map((line) => line.trim()));
    if (start !== -1) collector.list(itemsOf(lines.slice(start)));
  }
}

function* groupsOf(text: string): Generator<string[]> {
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

/** A line without a bullet goes on with the item before it. */
function itemsOf(lines: readonly string[]): string[] {
  const items: string[] = [];
  for (const line of lines) {
    if (bullet.test(line) || items.length === 0) items.push(line);
    else items[items.length - 1] += ` ${line}`;
  }
  return items;
}

const isCapitals = (line: string): boolean =>
  line.length <= maxHeadingChars && /\p{Lu}.*\p{Lu}/u.test(line) && !/\p{Ll}/u.test(line) && !/[.!?;,]\s*$/.test(line);
