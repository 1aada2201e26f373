import { Parser } from 'htmlparser2';
import { type BlockBuilder, createBlockBuilder, type TaggedBlock } from '../blocks/block-builder.ts';
import { normalizeLine } from '../blocks/normalize.ts';
import { ExtractionError } from '../errors.ts';
import type { ExtractionLimits } from '../limits.ts';
import type { Block, PageMetadata } from '../model.ts';
import { blockElements, region, regionOf } from './elements.ts';
import { createPageMetadataReader } from './page-metadata.ts';

export type ParsedPage = { title: string | null; blocks: Block[]; pageMetadata: PageMetadata };

/** Far above the 512 at which browsers stop nesting, because pages that never close a tag nest once per use of it. */
const maxDepth = 10_000;
/** How much text the parser gets at a time. */
const sliceChars = 65_536;

/**
 * Parses a page into blocks: of its `main` or `article` part if it marks one, else of everything but boilerplate.
 * @param url base of relative links
 * @throws ExtractionError when the page nests too deeply or has more text than `limits` allow
 */
export function parseHtml(html: string, limits: ExtractionLimits, url?: string): ParsedPage {
  const metadata = createPageMetadataReader(url);
  const builder = createBlockBuilder(limits);
  /** For each open element, the regions around it. */
  const enclosing: number[] = [];
  let regions: number = region.none;
  const isHidden = (): boolean => (regions & region.hidden) !== 0;
  let title: string | undefined;
  let inTitle = false;
  const parser = new Parser({
    onopentag(name, attributes) {
      enclosing.push(regions);
      if (enclosing.length > maxDepth) throw new ExtractionError('The page nests its elements too deeply to be read.');
      regions |= regionOf(name, attributes, regions);
      if (isHidden()) return;
      metadata.readElement(name, attributes);
      inTitle = name === 'title' && title === undefined;
      builder.setRegions(regions);
      openElement(builder, name, attributes);
    },
    ontext(text) {
      if (inTitle) title = (title ?? '') + text;
      else if (!isHidden()) builder.addText(text);
    },
    onclosetag(name) {
      if (name === 'title') inTitle = false;
      if (!isHidden()) closeElement(builder, name);
      regions = enclosing.pop() ?? region.none;
      if (!isHidden()) builder.setRegions(regions);
    },
  });
  for (let at = 0; at < html.length; at += sliceChars) parser.write(html.slice(at, at + sliceChars));
  parser.end();
  const blocks = mainContent(builder.finish());
  return { title: firstTitle([title, metadata.ogTitle()]), blocks, pageMetadata: metadata.metadata() };
}

const headingLevel = (name: string): number | undefined => {
  if (name === 'summary') return 6;
  const level = /^h([1-6])$/.exec(name)?.[1];
  return level === undefined ? undefined : Number(level);
};

type Attributes = Readonly<Record<string, string>>;

const openers: Readonly<Record<string, (builder: BlockBuilder, attributes: Attributes) => void>> = {
  ul: (builder) => builder.flow.openList(false),
  menu: (builder) => builder.flow.openList(false),
  ol: (builder) => builder.flow.openList(true),
  dl: (builder) => builder.flow.openList(false),
  li: (builder) => builder.flow.openItem(),
  dt: (builder) => builder.flow.openItem(),
  dd: (builder) => builder.addText(' – '),
  pre: (builder) => builder.flow.openCode(),
  table: (builder, { role }) => builder.openTable(role === 'presentation' || role === 'none'),
  tr: (builder) => builder.openRow(),
  td: openCell,
  th: openCell,
  br: (builder) => builder.addText('\n'),
  img: (builder, { alt }) => builder.addText(` ${alt ?? ''} `),
};

function openCell(builder: BlockBuilder, { colspan, rowspan }: Attributes): void {
  builder.openCell();
  builder.setCellSpan(Number(colspan ?? 1), Number(rowspan ?? 1));
}

function openElement(builder: BlockBuilder, name: string, attributes: Attributes): void {
  const level = headingLevel(name);
  const opener = openers[name];
  if (level !== undefined) builder.flow.openHeading(level);
  else if (opener) opener(builder, attributes);
  else if (blockElements.has(name)) builder.flow.breakBlock();
}

const closers: Readonly<Record<string, (builder: BlockBuilder) => void>> = {
  ul: (builder) => builder.flow.closeList(),
  menu: (builder) => builder.flow.closeList(),
  ol: (builder) => builder.flow.closeList(),
  dl: (builder) => builder.flow.closeList(),
  pre: (builder) => builder.flow.closeCode(),
  table: (builder) => builder.closeTable(),
  td: (builder) => builder.closeCell(),
  th: (builder) => builder.closeCell(),
};

function closeElement(builder: BlockBuilder, name: string): void {
  if (headingLevel(name) !== undefined) builder.flow.closeHeading();
  else if (closers[name]) closers[name](builder);
  else if (blockElements.has(name)) builder.flow.breakBlock();
}

/**
 * A `main` element counts if it has this many characters or half of the page; a nearly empty one is a placeholder for
 * scripts.
 */
const minMainChars = 200;

function mainContent(tagged: readonly TaggedBlock[]): Block[] {
  const content = tagged.filter(({ regions }) => (regions & region.boilerplate) === 0);
  const [main, article] = [region.main, region.article].map((part) =>
    content.filter(({ regions }) => (regions & part) !== 0),
  ) as [TaggedBlock[], TaggedBlock[]];
  const all = textLength(content);
  const chosen =
    textLength(main) >= Math.min(minMainChars, all / 2) ? main : textLength(article) * 2 >= all ? article : content;
  return (textLength(chosen) > 0 ? chosen : tagged).map(({ block }) => block);
}

const textLength = (tagged: readonly TaggedBlock[]): number =>
  tagged.reduce((sum, { block }) => sum + (block.kind === 'table' ? block.rows.flat().join('') : block.text).length, 0);

function firstTitle(candidates: ReadonlyArray<string | null | undefined>): string | null {
  return candidates.map((candidate) => normalizeLine(candidate ?? '')).find((candidate) => candidate !== '') ?? null;
}
