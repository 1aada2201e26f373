import type { Sink } from '../blocks/block-builder.ts';

/** A paragraph as word processors and slides have them: lists are paragraphs with a depth, not elements of their own. */
export type Paragraph = { text: string; heading: number | null; list: { depth: number; counted: boolean } | null };

/** More than lists are ever nested. */
const maxDepth = 8;

/** Tells the sink of paragraphs, and opens and closes its lists as their depths ask for. */
export function createOutline(sink: Sink) {
  let lists = 0;
  const closeLists = (): void => {
    for (; lists > 0; lists -= 1) sink.flow.closeList();
  };
  return {
    /** Before anything that is no paragraph: a table, a cell, a page. */
    closeLists,
    add({ text, heading, list }: Paragraph): void {
      if (text.trim() === '') return;
      if (heading === null && list) {
        const depth = Math.min(list.depth + 1, maxDepth);
        for (; lists > depth; lists -= 1) sink.flow.closeList();
        for (; lists < depth; lists += 1) sink.flow.openList(list.counted);
        sink.flow.openItem();
        sink.text(text);
        return;
      }
      closeLists();
      if (heading !== null) sink.flow.openHeading(heading);
      sink.text(text);
      if (heading === null) sink.flow.break();
      else sink.flow.closeHeading();
    },
  };
}
