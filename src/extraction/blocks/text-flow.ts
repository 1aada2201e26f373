import type { BlockCollector } from './block-collector.ts';
import { createListMarkers } from './list-markers.ts';

/** A list line that has a marker but no text. */
const markerOnly = /^\s*(?:-|\d+\.)\s*$/;

/** Groups the running text of a page or table cell into paragraphs, headings, lists and code. */
export type TextFlow = ReturnType<typeof createTextFlow>;

/** @param emit called for each finished block, with a function that writes it to a collector, on the page that the caller knows */
export function createTextFlow(emit: (write: (to: BlockCollector, page: number | undefined) => void) => void) {
  const markers = createListMarkers();
  const listLines: string[] = [];
  let inline: string[] = [];
  /** Level of the open heading. */
  let heading: number | undefined;
  let inCode = false;

  const takeText = (): string => {
    const text = inline.join('');
    inline = [];
    return text;
  };
  /** Ends the current paragraph; inside a list, appends the text to the current item. */
  const flush = (): void => {
    if (heading !== undefined || inCode) return;
    const text = takeText();
    if (text.trim() === '') return;
    if (!markers.isOpen()) emit((to, page) => to.paragraph(text, page));
    else if (listLines.length === 0) listLines.push(text);
    else listLines[listLines.length - 1] += ` ${text}`;
  };
  const flushList = (): void => {
    flush();
    const complete = listLines.splice(0).filter((line) => !markerOnly.test(line));
    if (complete.length > 0) emit((to, page) => to.list(complete, page));
  };
  const closeHeading = (): void => {
    if (heading === undefined) return;
    const [level, text] = [heading, takeText()];
    heading = undefined;
    emit((to, page) => to.heading(level, text, page));
  };
  const closeCode = (): void => {
    if (!inCode) return;
    inCode = false;
    const text = takeText();
    emit((to, page) => to.code(text, page));
  };
  const close = (): void => {
    closeHeading();
    closeCode();
    flushList();
  };
  return {
    addText: (text: string): void => void inline.push(text),
    flush,
    /** Marks the boundary of a block element: ends a paragraph, but only separates words in a heading or list item. */
    breakBlock(): void {
      if (heading !== undefined || markers.isOpen()) inline.push(' ');
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
      markers.openList(ordered);
    },
    closeList(): void {
      flush();
      if (markers.closeList()) flushList();
    },
    openItem(): void {
      flush();
      if (markers.isOpen()) listLines.push(markers.nextMarker());
    },
    /** Emits everything pending. Open lists stay open: they continue after a table or heading inside them. */
    close,
  };
}
