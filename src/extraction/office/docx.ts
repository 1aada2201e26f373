import type { ExtractionLimits } from '../limits.ts';
import type { Block } from '../model.ts';
import { type BlockBuilder, createBlockBuilder } from '../blocks/block-builder.ts';
import type { ZipReader } from './zip.ts';
import { readOrderedNumberings } from './numbering.ts';
import { createParagraphWriter } from './paragraph-writer.ts';
import { mainPartName, readPart, readRelationships, readTitle } from './open-packaging.ts';
import { outlineLevel, type ParagraphStyle, readStyles } from './styles.ts';
import { attributeOf, readXml, type XmlHandler } from './xml.ts';

/** Parses a word processor document (ECMA-376, part 1, 17): headings, lists, tables, then footnotes and endnotes. */
export function parseDocx(zip: ZipReader, limits: ExtractionLimits): { title: string | null; blocks: Block[] } {
  const main = mainPartName(zip);
  const relationships = readRelationships(zip, main);
  const related = (type: string): Buffer | undefined => {
    const relationship = relationships.find((each) => each.type === type);
    return relationship && zip.read(relationship.target);
  };
  const definitions = { style: readStyles(related('styles')), isOrdered: readOrderedNumberings(related('numbering')) };
  const builder = createBlockBuilder(limits);
  readXml(readPart(zip, main), createReader(builder, definitions));
  for (const type of ['footnotes', 'endnotes']) {
    const notes = related(type);
    if (notes) readXml(notes, createReader(builder, definitions));
  }
  return { title: readTitle(zip), blocks: builder.finish().map(({ block }) => block) };
}

type DocumentDefinitions = { style(id: string | null): ParagraphStyle; isOrdered(numbering: string): boolean };
type OpenParagraph = {
  style: string | null;
  outline: number | null;
  numbering: string | null;
  depth: number;
  text: string;
};

/** Elements with text that was deleted or moved away, or that repeats its neighbour for older programs. */
const skippedElements = new Set(['Fallback', 'moveFrom', 'del']);
/** Elements that stand for a character. */
const characterElements: Readonly<Record<string, string>> = { tab: ' ', br: ' ', cr: ' ', noBreakHyphen: '-' };
/** The numbering id that means "in no list". */
const noNumbering = '0';

function createReader(builder: BlockBuilder, definitions: DocumentDefinitions): XmlHandler {
  const writer = createParagraphWriter(builder);
  /** A stack, because a text box with paragraphs of its own stands inside the paragraph it is anchored to. */
  const open: OpenParagraph[] = [];
  let inText = false;
  let inProperties = false;
  let skipping = 0;
  const openers: Readonly<Record<string, () => void>> = {
    p: () => void open.push({ style: null, outline: null, numbering: null, depth: 0, text: '' }),
    pPr: () => void (inProperties = true),
    t: () => void (inText = true),
    tbl: () => (writer.closeLists(), builder.openTable(false)),
    tr: () => builder.openRow(),
    tc: () => builder.openCell(),
  };
  const closers: Readonly<Record<string, () => void>> = {
    p: () => endParagraph(open.pop()),
    pPr: () => void (inProperties = false),
    t: () => void (inText = false),
    tbl: () => builder.closeTable(),
    tc: () => (writer.closeLists(), builder.closeCell()),
  };
  const endParagraph = (paragraph: OpenParagraph | undefined): void => {
    if (!paragraph) return;
    const style = definitions.style(paragraph.style);
    if (style.isTableOfContents) return;
    const numbering = paragraph.numbering ?? style.numbering ?? noNumbering;
    const list =
      numbering === noNumbering ? null : { depth: paragraph.depth, ordered: definitions.isOrdered(numbering) };
    writer.add({ text: paragraph.text, heading: paragraph.outline ?? style.headingLevel, list });
  };
  return {
    open(name, attributes) {
      if (skippedElements.has(name)) skipping += 1;
      if (skipping > 0) return;
      const paragraph = open.at(-1);
      const value = attributeOf(attributes, 'val') ?? '';
      if (inProperties && paragraph) readProperty(paragraph, name, value);
      else if (name === 'gridSpan') builder.setCellSpan(Number(value), 1);
      else if (paragraph && name in characterElements) paragraph.text += characterElements[name]!;
      else openers[name]?.();
    },
    text(text) {
      const paragraph = open.at(-1);
      if (inText && skipping === 0 && paragraph) paragraph.text += text;
    },
    close(name) {
      if (skipping === 0) closers[name]?.();
      if (skippedElements.has(name)) skipping -= 1;
    },
  };
}

function readProperty(paragraph: OpenParagraph, name: string, value: string): void {
  if (name === 'pStyle') paragraph.style = value;
  else if (name === 'outlineLvl') paragraph.outline = outlineLevel(Number(value));
  else if (name === 'numId') paragraph.numbering = value;
  else if (name === 'ilvl') paragraph.depth = Math.max(0, Math.trunc(Number(value)) || 0);
}
