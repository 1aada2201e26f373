import type { BlockBuilder } from '../blocks/block-builder.ts';

/** A paragraph of a document or slide. List items are paragraphs with a depth; there are no list elements. */
export type OfficeParagraph = {
  text: string;
  heading: number | null;
  list: { depth: number; ordered: boolean } | null;
};

/** Deeper list items are treated as this deep. */
const maxListDepth = 8;

/** Passes paragraphs to the builder and opens and closes lists as their depths require. */
export function createParagraphWriter(builder: BlockBuilder) {
  let openLists = 0;
  const closeLists = (): void => {
    for (; openLists > 0; openLists -= 1) builder.flow.closeList();
  };
  return {
    /** Call before a table, cell or page, which no list crosses. */
    closeLists,
    add({ text, heading, list }: OfficeParagraph): void {
      if (text.trim() === '') return;
      if (heading === null && list) {
        const depth = Math.min(list.depth + 1, maxListDepth);
        for (; openLists > depth; openLists -= 1) builder.flow.closeList();
        for (; openLists < depth; openLists += 1) builder.flow.openList(list.ordered);
        builder.flow.openItem();
        builder.addText(text);
        return;
      }
      closeLists();
      if (heading !== null) builder.flow.openHeading(heading);
      builder.addText(text);
      if (heading === null) builder.flow.breakBlock();
      else builder.flow.closeHeading();
    },
  };
}
