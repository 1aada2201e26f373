import type { Block, Chunk } from '../model.ts';
import { type Part, partsOf, type Piece } from './units.ts';
import { type Content, sectionsOf } from './sections.ts';
import { fits, type Size, sizeOf } from './tokens.ts';

/** A passage's longest text (contract, section 10). */
export const maxChunkChars = 2000;
/** As tokens.ts estimates them. What stands under one heading fills chunks of 200 to 300, as far as its own borders allow. */
export const maxChunkTokens = 300;

const limit: Size = { tokens: maxChunkTokens, chars: maxChunkChars };
/** A chunk that has as much ends where a part ends that the next does not fit behind, and where a page does. */
const enoughTokens = 150;
/** The last chunk of a section takes from the one before it until it has as much. */
const fewTokens = 80;

/**
 * Passages by structure: none reaches over a heading; lists and tables stay whole where a chunk can hold them, a divided table
 * repeats its header row; paragraphs are divided between sentences. Nothing is left out, and the order is the document's.
 */
export function chunksOf(blocks: readonly Block[]): Chunk[] {
  return sectionsOf(blocks).flatMap(({ heading, content }) =>
    draftsOf(content).map((draft) => ({ text: textOf(draft), heading, page: draft[0]!.part.page })),
  );
}

type Item = { piece: Piece; part: Part };
type Draft = Item[];

function draftsOf(content: readonly Content[]): Draft[] {
  const packer = createPacker();
  for (const block of content) for (const part of partsOf(block, limit)) packer.add(part);
  return evened(packer.drafts());
}

/** Fills one chunk after the other. */
function createPacker() {
  const drafts: Draft[] = [];
  let draft: Draft = [];
  let size: Size = { tokens: 0, chars: 0 };
  const close = (): void => {
    if (draft.length > 0) drafts.push(draft);
    draft = [];
    size = { tokens: 0, chars: 0 };
  };
  const put = (piece: Piece, part: Part): void => {
    const grown = sum(size, costOf(piece, part, draft.at(-1)));
    if (draft.length === 0 || fits(grown, limit)) size = grown;
    else {
      close();
      size = costOf(piece, part, undefined);
    }
    draft.push({ piece, part });
  };
  return {
    add(part: Part): void {
      const alone = costOfAll(part, undefined);
      const behind = fits(sum(size, costOfAll(part, draft.at(-1))), limit);
      const full = size.tokens >= enoughTokens && (!behind || draft.at(-1)?.part.page !== part.page);
      if (full || (!behind && part.whole && fits(alone, limit))) close();
      for (const piece of part.pieces) put(piece, part);
    },
    drafts(): Draft[] {
      close();
      return drafts;
    },
  };
}

const sum = (a: Size, b: Size): Size => ({ tokens: a.tokens + b.tokens, chars: a.chars + b.chars });

/** Between parts. */
const gap = '\n\n';

/** What stands before a piece: what stood there in the document, or a gap; its lead. */
function introOf({ piece: { before }, part: { lead } }: Item, opensPart: boolean, opensChunk: boolean): string {
  const between = opensChunk ? '' : opensPart ? gap : before;
  return opensPart && lead ? `${between}${lead.text}\n` : between;
}

/** What a chunk grows by when it takes a piece behind `previous`. */
function costOf(piece: Piece, part: Part, previous: Item | undefined): Size {
  return sum(piece.size, sizeOf(introOf({ piece, part }, previous?.part !== part, previous === undefined)));
}

function costOfAll(part: Part, previous: Item | undefined): Size {
  let size: Size = { tokens: 0, chars: 0 };
  let last = previous;
  for (const piece of part.pieces) {
    size = sum(size, costOf(piece, part, last));
    last = { piece, part };
  }
  return size;
}

const sizeOfDraft = (draft: Draft): Size => {
  let size: Size = { tokens: 0, chars: 0 };
  for (const [index, { piece, part }] of draft.entries()) size = sum(size, costOf(piece, part, draft[index - 1]));
  return size;
};

/** A small rest at the end takes pieces from the chunk before it, as long as the two come closer in size. */
function evened(drafts: Draft[]): Draft[] {
  const [before, last] = [drafts.at(-2), drafts.at(-1)];
  if (!before || !last) return drafts;
  while (before.length > 1 && sizeOfDraft(last).tokens < fewTokens) {
    const moved = before.at(-1)!;
    const grown = sizeOfDraft([moved, ...last]);
    if (moved.part.whole || !fits(grown, limit) || grown.tokens > sizeOfDraft(before.slice(0, -1)).tokens) break;
    last.unshift(before.pop()!);
  }
  return drafts;
}

function textOf(draft: Draft): string {
  let text = '';
  for (const [index, { piece, part }] of draft.entries()) {
    const previous = draft[index - 1];
    text += introOf({ piece, part }, previous?.part !== part, previous === undefined) + piece.text;
  }
  return text;
}
