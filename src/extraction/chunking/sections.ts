import type { Block } from '../model.ts';

/** The blocks between one heading and the next. */
export type Section = { heading: string | null; content: Content[] };
export type Content = Exclude<Block, { kind: 'heading' }>;

type Heading = Extract<Block, { kind: 'heading' }>;
/** A section with its headings, highest first. */
type OpenSection = { path: Heading[]; content: Content[] };

/** A longer text is a paragraph, even if it is marked up as a heading. */
const maxHeadingChars = 200;
const separator = ' › ';

/**
 * Divides a document at its headings and gives each section the path of its enclosing headings. A heading with neither
 * content nor a lower heading below it becomes a paragraph of the enclosing section, so that its text is not lost.
 */
export function sectionsOf(blocks: readonly Block[]): Section[] {
  const sections: OpenSection[] = [{ path: [], content: [] }];
  for (const block of blocks) {
    const { path, content } = sections.at(-1)!;
    if (block.kind !== 'heading') content.push(block);
    else if (block.text.length > maxHeadingChars) content.push({ ...block, kind: 'paragraph' });
    else sections.push({ path: [...path.filter(({ level }) => level < block.level), block], content: [] });
  }
  return sections.map((section, index) => toSection(section, sections[index + 1]));
}

function toSection({ path, content }: OpenSection, next: OpenSection | undefined): Section {
  const last = path.at(-1);
  const isBareHeading = content.length === 0 && last !== undefined && !next?.path.includes(last);
  if (!isBareHeading) return { heading: pathText(path), content };
  return { heading: pathText(path.slice(0, -1)), content: [{ ...last, kind: 'paragraph' }] };
}

const pathText = (path: readonly Heading[]): string | null =>
  path.length === 0 ? null : path.map(({ text }) => text).join(separator);
