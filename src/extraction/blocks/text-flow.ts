import type { Collector } from './block-collector.ts';
import { createItems } from './list-markers.ts';

/** A list's line with a mark and nothing else. */
const markOnly = /^\s*(?:-|\d+\.)\s*$/;

/** Text as it flows through a page or through a cell of a table: paragraphs, headings, lists, code. */
export type Flow = ReturnType<typeof createFlow>;

/** @param place where a block goes that is complete */
export function createFlow(place: (write: (to: Collector, page: number | undefined) => void) => void) {
  const items = createItems();
  const lines: string[] = [];
  let inline: string[] = [];
  /** The level of the heading that is being read. */
  let heading: number | undefined;
  let inCode = false;

  const takeText = (): string => {
    const text = inline.join('');
    inline = [];
    return text;
  };
  /** Ends a paragraph; within a list, a part of an item's line. */
  const flush = (): void => {
    if (heading !== undefined || inCode) return;
    const text = takeText();
    if (text.trim() === '') return;
    if (!items.isOpen()) place((to, page) => to.paragraph(text, page));
    else if (lines.length === 0) lines.push(text);
    else lines[lines.length - 1] += ` ${text}`;
  };
  const flushList = (): void => {
    flush();
    const complete = lines.splice(0).filter((line) => !markOnly.test(line));
    if (complete.length > 0) place((to, page) => to.list(complete, page));
  };
  const closeHeading = (): void => {
    if (heading === undefined) return;
    const [level, text] = [heading, takeText()];
    heading = undefined;
    place((to, page) => to.heading(level, text, page));
  };
  const closeCode = (): void => {
    if (!inCode) return;
    inCode = false;
    const text = takeText();
    place((to, page) => to.code(text, page));
  };
  const close = (): void => {
    closeHeading();
    closeCode();
    flushList();
  };
  return {
    text: (text: string): void => void inline.push(text),
    flush,
    /** Between two blocks. */
    break(): void {
      if (heading !== undefined || items.isOpen()) inline.push(' ');
      else flush();
    },
    openHeading(level: number): void {
      close();
      heading = level;
    },
    closeHeading,
    openCode(): void {
      close();
      inCode = true;
    },
    closeCode,
    openList(ordered: boolean): void {
      closeHeading();
      flush();
      items.open(ordered);
    },
    closeList(): void {
      flush();
      if (items.close()) flushList();
    },
    openItem(): void {
      flush();
      if (items.isOpen()) lines.push(items.mark());
    },
    /** Ends whatever is open, but for lists, which go on behind a table or a heading. */
    close,
  };
}
