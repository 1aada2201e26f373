import type { Block } from '../model.ts';

/** What stands between one heading and the next. */
export type Section = { heading: string | null; content: Content[] };
export type Content = Exclude<Block, { kind: 'heading' }>;

type Heading = Extract<Block, { kind: 'heading' }>;
type Open = { path: Heading[]; content: Content[] };

/** In characters; what is longer is no heading, whatever its mark-up says. */
const maxHeadingChars = 200;
const separator = ' › ';

/**
 * The document by its headings, each section with the path of those it stands under. A heading with nothing under it, not even
 * another heading, is kept as a paragraph of the section above.
 */
export function sectionsOf(blocks: readonly Block[]): Section[] {
  const open: Open[] = [{ path: [], content: [] }];
  for (const block of blocks) {
    const { path, content } = open.at(-1)!;
    if (block.kind !== 'heading') content.push(block);
    else if (block.text.length > maxHeadingChars) content.push({ ...block, kind: 'paragraph' });
    else open.push({ path: [...path.filter(({ level }) => level < block.level), block], content: [] });
  }
  return open.map((section, index) => close(section, open[index + 1]));
}

function close({ path, content }: Open, next: Open | undefined): Section {
  const last = path.at(-1);
  const bare = content.length === 0 && last !== undefined && !next?.path.includes(last);
  if (!bare) return { heading: pathText(path), content };
  return { heading: pathText(path.slice(0, -1)), content: [{ ...last, kind: 'paragraph' }] };
}

const pathText = (path: readonly Heading[]): string | null =>
  path.length === 0 ? null : path.map(({ text }) => text).join(separator);
