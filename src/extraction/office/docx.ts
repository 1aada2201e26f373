import type { Limits } from '../blocks/block-collector.ts';
import type { Block } from '../model.ts';
import { createSink, type Sink } from '../blocks/block-builder.ts';
import type { Unzip } from './zip.ts';
import { countedLists } from './numbering.ts';
import { createOutline } from './paragraph-writer.ts';
import { mainPartOf, partOf, relationsOf, titleIn } from './open-packaging.ts';
import { outlineLevel, type ParagraphStyle, stylesOf } from './styles.ts';
import { attribute, readXml, type XmlHandler } from './xml.ts';

/** A word processor's document (ECMA-376, part 1, 17): headings, lists, tables; its footnotes come last. */
export function parseDocx(zip: Unzip, limits: Limits): { title: string | null; blocks: Block[] } {
  const main = mainPartOf(zip);
  const relations = relationsOf(zip, main);
  const related = (type: string): Buffer | undefined => {
    const relation = relations.find((each) => each.type === type);
    return relation && zip.read(relation.target);
  };
  const meanings = { style: stylesOf(related('styles')), counted: countedLists(related('numbering')) };
  const sink = createSink(limits);
  readXml(partOf(zip, main), createReader(sink, meanings));
  for (const type of ['footnotes', 'endnotes']) {
    const notes = related(type);
    if (notes) readXml(notes, createReader(sink, meanings));
  }
  return { title: titleIn(zip), blocks: sink.end().map(({ block }) => block) };
}

type Meanings = { style(id: string | null): ParagraphStyle; counted(numbering: string): boolean };
type Open = { style: string | null; outline: number | null; numbering: string | null; depth: number; text: string };

/** In these, text stands that was moved or deleted, or that is said in another way beside it. */
const doubled = new Set(['Fallback', 'moveFrom', 'del']);
/** What stands for a character in a run. */
const characters: Readonly<Record<string, string>> = { tab: ' ', br: ' ', cr: ' ', noBreakHyphen: '-' };
/** Word's mark for "in no list". */
const noNumbering = '0';

function createReader(sink: Sink, meanings: Meanings): XmlHandler {
  const outline = createOutline(sink);
  /** A text box stands within the paragraph that it is anchored to. */
  const open: Open[] = [];
  let inText = false;
  let inProperties = false;
  let skipping = 0;
  const openers: Readonly<Record<string, () => void>> = {
    p: () => void open.push({ style: null, outline: null, numbering: null, depth: 0, text: '' }),
    pPr: () => void (inProperties = true),
    t: () => void (inText = true),
    tbl: () => (outline.closeLists(), sink.openTable(false)),
    tr: () => sink.openRow(),
    tc: () => sink.openCell(),
  };
  const closers: Readonly<Record<string, () => void>> = {
    p: () => endParagraph(open.pop()),
    pPr: () => void (inProperties = false),
    t: () => void (inText = false),
    tbl: () => sink.closeTable(),
    tc: () => (outline.closeLists(), sink.closeCell()),
  };
  const endParagraph = (paragraph: Open | undefined): void => {
    if (!paragraph) return;
    const style = meanings.style(paragraph.style);
    if (style.contents) return;
    const numbering = paragraph.numbering ?? style.numbered ?? noNumbering;
    const list = numbering === noNumbering ? null : { depth: paragraph.depth, counted: meanings.counted(numbering) };
    outline.add({ text: paragraph.text, heading: paragraph.outline ?? style.level, list });
  };
  return {
    open(name, attributes) {
      if (doubled.has(name)) skipping += 1;
      if (skipping > 0) return;
      const paragraph = open.at(-1);
      const value = attribute(attributes, 'val') ?? '';
      if (inProperties && paragraph) readProperty(paragraph, name, value);
      else if (name === 'gridSpan') sink.span(Number(value), 1);
      else if (paragraph && name in characters) paragraph.text += characters[name]!;
      else openers[name]?.();
    },
    text(text) {
      const paragraph = open.at(-1);
      if (inText && skipping === 0 && paragraph) paragraph.text += text;
    },
    close(name) {
      if (skipping === 0) closers[name]?.();
      if (doubled.has(name)) skipping -= 1;
    },
  };
}

function readProperty(paragraph: Open, name: string, value: string): void {
  if (name === 'pStyle') paragraph.style = value;
  else if (name === 'outlineLvl') paragraph.outline = outlineLevel(Number(value));
  else if (name === 'numId') paragraph.numbering = value;
  else if (name === 'ilvl') paragraph.depth = Math.max(0, Math.trunc(Number(value)) || 0);
}
