import { Parser } from 'htmlparser2';
import { type Limits, lineOf } from '../blocks/block-collector.ts';
import { ExtractionError } from '../errors.ts';
import type { Block, PageFacts } from '../model.ts';
import { blockLevel, effectOf, inside } from './elements.ts';
import { createFacts } from './page-metadata.ts';
import { createSink, type Placed, type Sink } from '../blocks/block-builder.ts';

export type Page = { title: string | null; blocks: Block[]; facts: PageFacts };

/** Browsers stop nesting at 512; pages that forget to close a tag nest as often as they do. */
const maxDepth = 10_000;
/** Given to the parser at once. */
const sliceChars = 65_536;

/**
 * A page as blocks: its main part where it names one, all but navigation and the like otherwise.
 * @param url what its links are relative to
 * @throws ExtractionError for a page that nests deeper or has more text than any page for people
 */
export function parseHtml(html: string, limits: Limits, url?: string): Page {
  const facts = createFacts(url);
  const sink = createSink(limits);
  const effects: number[] = [];
  let around: number = inside.nothing;
  let title: string | undefined;
  let inTitle = false;
  const parser = new Parser({
    onopentag(name, attributes) {
      const effect = effectOf(name, attributes, around);
      effects.push(around);
      if (effects.length > maxDepth) throw new ExtractionError('The page nests its elements too deeply to be read.');
      around |= effect;
      if ((around & inside.skipped) !== 0) return;
      facts.see(name, attributes);
      inTitle = name === 'title' && title === undefined;
      sink.around(around);
      open(sink, name, attributes);
    },
    ontext(text) {
      if (inTitle) title = (title ?? '') + text;
      else if ((around & inside.skipped) === 0) sink.text(text);
    },
    onclosetag(name) {
      if (name === 'title') inTitle = false;
      if ((around & inside.skipped) === 0) close(sink, name);
      around = effects.pop() ?? inside.nothing;
      if ((around & inside.skipped) === 0) sink.around(around);
    },
  });
  for (let at = 0; at < html.length; at += sliceChars) parser.write(html.slice(at, at + sliceChars));
  parser.end();
  const blocks = contentOf(sink.end());
  return { title: titleOf([title, facts.title()]), blocks, facts: facts.page() };
}

const headingLevel = (name: string): number | undefined => {
  if (name === 'summary') return 6;
  const level = /^h([1-6])$/.exec(name)?.[1];
  return level === undefined ? undefined : Number(level);
};

type Attributes = Readonly<Record<string, string>>;

const openers: Readonly<Record<string, (sink: Sink, attributes: Attributes) => void>> = {
  ul: (sink) => sink.flow.openList(false),
  menu: (sink) => sink.flow.openList(false),
  ol: (sink) => sink.flow.openList(true),
  dl: (sink) => sink.flow.openList(false),
  li: (sink) => sink.flow.openItem(),
  dt: (sink) => sink.flow.openItem(),
  dd: (sink) => sink.text(' – '),
  pre: (sink) => sink.flow.openCode(),
  table: (sink, { role }) => sink.openTable(role === 'presentation' || role === 'none'),
  tr: (sink) => sink.openRow(),
  td: openCell,
  th: openCell,
  br: (sink) => sink.text('\n'),
  img: (sink, { alt }) => sink.text(` ${alt ?? ''} `),
};

function openCell(sink: Sink, { colspan, rowspan }: Attributes): void {
  sink.openCell();
  sink.span(Number(colspan ?? 1), Number(rowspan ?? 1));
}

function open(sink: Sink, name: string, attributes: Attributes): void {
  const level = headingLevel(name);
  const opener = openers[name];
  if (level !== undefined) sink.flow.openHeading(level);
  else if (opener) opener(sink, attributes);
  else if (blockLevel.has(name)) sink.flow.break();
}

const closers: Readonly<Record<string, (sink: Sink) => void>> = {
  ul: (sink) => sink.flow.closeList(),
  menu: (sink) => sink.flow.closeList(),
  ol: (sink) => sink.flow.closeList(),
  dl: (sink) => sink.flow.closeList(),
  pre: (sink) => sink.flow.closeCode(),
  table: (sink) => sink.closeTable(),
  td: (sink) => sink.closeCell(),
  th: (sink) => sink.closeCell(),
};

function close(sink: Sink, name: string): void {
  if (headingLevel(name) !== undefined) sink.flow.closeHeading();
  else if (closers[name]) closers[name](sink);
  else if (blockLevel.has(name)) sink.flow.break();
}

/** A part that a page names as its main one is taken for it from this many characters, or from half of the page, on. */
const mainChars = 200;

function contentOf(placed: readonly Placed[]): Block[] {
  const content = placed.filter(({ around }) => (around & inside.extra) === 0);
  const [main, article] = [inside.main, inside.article].map((part) =>
    content.filter(({ around }) => (around & part) !== 0),
  ) as [Placed[], Placed[]];
  const all = charsOf(content);
  const chosen = charsOf(main) >= Math.min(mainChars, all / 2) ? main : charsOf(article) * 2 >= all ? article : content;
  return (charsOf(chosen) > 0 ? chosen : placed).map(({ block }) => block);
}

const charsOf = (placed: readonly Placed[]): number =>
  placed.reduce((sum, { block }) => sum + (block.kind === 'table' ? block.rows.flat().join('') : block.text).length, 0);

function titleOf(candidates: ReadonlyArray<string | null | undefined>): string | null {
  return candidates.map((candidate) => lineOf(candidate ?? '')).find((candidate) => candidate !== '') ?? null;
}
