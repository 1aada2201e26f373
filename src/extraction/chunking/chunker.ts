import type { Block, Chunk } from '../model.ts';
import { type Content, sectionsOf } from './sections.ts';
import { fits, type Size, sizeOf } from './tokens.ts';
import { groupsOf, type Unit, type UnitGroup } from './units.ts';

/** Longest text of a passage. */
export const maxChunkChars = 2000;
/**
 * In tokens as tokens.ts estimates them. Long sections yield chunks of 200 to 300 tokens, as far as their structure
 * allows.
 */
export const maxChunkTokens = 300;

const limit: Size = { tokens: maxChunkTokens, chars: maxChunkChars };
/**
 * From this size on, a chunk ends early rather than divide the next group of units, and it ends where its page ends.
 */
const minFullTokens = 150;
/** A section's last chunk below this size takes units from the chunk before it. */
const minLastTokens = 80;

/**
 * Divides a document into passages along its structure. No passage crosses a heading. Lists and tables stay whole if
 * they fit into one passage; a divided table repeats its header row. Paragraphs are divided between sentences. No text
 * is lost or reordered.
 */
export function chunkBlocks(blocks: readonly Block[]): Chunk[] {
  return sectionsOf(blocks).flatMap(({ heading, content }) =>
    packSection(content).map((draft) => ({ text: textOf(draft), heading, page: draft[0]!.group.page })),
  );
}

/** A chunk under construction: units, each with the group it belongs to. */
type Draft = Item[];
type Item = { unit: Unit; group: UnitGroup };

function packSection(content: readonly Content[]): Draft[] {
  const packer = createPacker();
  for (const block of content) for (const group of groupsOf(block, limit)) packer.add(group);
  return balanceLastTwo(packer.drafts());
}

/** Fills one chunk after the other, greedily. */
function createPacker() {
  const drafts: Draft[] = [];
  let draft: Draft = [];
  let size: Size = { tokens: 0, chars: 0 };
  const close = (): void => {
    if (draft.length > 0) drafts.push(draft);
    draft = [];
    size = { tokens: 0, chars: 0 };
  };
  const put = (unit: Unit, group: UnitGroup): void => {
    const grown = sum(size, costOf(unit, group, draft.at(-1)));
    if (draft.length === 0 || fits(grown, limit)) size = grown;
    else {
      close();
      size = costOf(unit, group, undefined);
    }
    draft.push({ unit, group });
  };
  return {
    add(group: UnitGroup): void {
      const fitsAlone = fits(costOfGroup(group, undefined), limit);
      const fitsHere = fits(sum(size, costOfGroup(group, draft.at(-1))), limit);
      const isFull = size.tokens >= minFullTokens && (!fitsHere || draft.at(-1)?.group.page !== group.page);
      if (isFull || (!fitsHere && group.keepTogether && fitsAlone)) close();
      for (const unit of group.units) put(unit, group);
    },
    drafts(): Draft[] {
      close();
      return drafts;
    },
  };
}

const sum = (a: Size, b: Size): Size => ({ tokens: a.tokens + b.tokens, chars: a.chars + b.chars });

const groupSeparator = '\n\n';

/**
 * Text that precedes a unit in its chunk: its own separator or the one between groups, and the group's header if it has one.
 */
function prefixOf({ unit: { separator }, group: { header } }: Item, opensGroup: boolean, opensChunk: boolean): string {
  const between = opensChunk ? '' : opensGroup ? groupSeparator : separator;
  return opensGroup && header ? `${between}${header.text}\n` : between;
}

/** How much a chunk grows when it takes a unit after `previous`. */
function costOf(unit: Unit, group: UnitGroup, previous: Item | undefined): Size {
  return sum(unit.size, sizeOf(prefixOf({ unit, group }, previous?.group !== group, previous === undefined)));
}

function costOfGroup(group: UnitGroup, previous: Item | undefined): Size {
  let size: Size = { tokens: 0, chars: 0 };
  let last = previous;
  for (const unit of group.units) {
    size = sum(size, costOf(unit, group, last));
    last = { unit, group };
  }
  return size;
}

const sizeOfDraft = (draft: Draft): Size => {
  let size: Size = { tokens: 0, chars: 0 };
  for (const [index, { unit, group }] of draft.entries()) size = sum(size, costOf(unit, group, draft[index - 1]));
  return size;
};

/** Moves units from the second-to-last chunk to a small last one, as long as that brings their sizes closer. */
function balanceLastTwo(drafts: Draft[]): Draft[] {
  const [before, last] = [drafts.at(-2), drafts.at(-1)];
  if (!before || !last) return drafts;
  while (before.length > 1 && sizeOfDraft(last).tokens < minLastTokens) {
    const moved = before.at(-1)!;
    const grown = sizeOfDraft([moved, ...last]);
    if (moved.group.keepTogether || !fits(grown, limit) || grown.tokens > sizeOfDraft(before.slice(0, -1)).tokens) {
      break;
    }
    last.unshift(before.pop()!);
  }
  return drafts;
}

function textOf(draft: Draft): string {
  let text = '';
  for (const [index, { unit, group }] of draft.entries()) {
    const previous = draft[index - 1];
    text += prefixOf({ unit, group }, previous?.group !== group, previous === undefined) + unit.text;
  }
  return text;
}
