import type { ExtractionLimits } from '../limits.ts';
import type { Block } from '../model.ts';
import { type BlockBuilder, createBlockBuilder } from '../blocks/block-builder.ts';
import type { ZipReader } from './zip.ts';
import { createParagraphWriter } from './paragraph-writer.ts';
import { mainPartName, readPart, readRelationships, readTitle } from './open-packaging.ts';
import { attributeOf, type Attributes, readXml, relationId } from './xml.ts';

/** Parses slides (ECMA-376, part 1, 19) in presentation order: one page each, followed by its speaker notes. */
export function parsePptx(zip: ZipReader, limits: ExtractionLimits): { title: string | null; blocks: Block[] } {
  const main = mainPartName(zip);
  const targets = new Map(readRelationships(zip, main).map(({ id, target }) => [id, target]));
  const slides: string[] = [];
  readXml(readPart(zip, main), {
    open(name, attributes) {
      const target = name === 'sldId' ? targets.get(relationId(attributes) ?? '') : undefined;
      if (target !== undefined) slides.push(target);
    },
  });
  const builder = createBlockBuilder(limits);
  for (const [index, slide] of slides.entries()) {
    builder.startPage(index + 1);
    const { title, addContent } = readSlide(readPart(zip, slide), builder);
    const writer = createParagraphWriter(builder);
    writer.add({ text: title === '' ? `Slide ${index + 1}` : title, heading: 1, list: null });
    addContent();
    const notes = readRelationships(zip, slide).find(({ type }) => type === 'notesSlide');
    const part = notes && zip.read(notes.target);
    if (part) readSlide(part, builder).addContent();
  }
  return { title: readTitle(zip), blocks: builder.finish().map(({ block }) => block) };
}

const titlePlaceholders = new Set(['title', 'ctrTitle']);
/** Placeholders whose text repeats on every slide: date, footer, header, slide number, notes image. */
const repeatedPlaceholders = new Set(['dt', 'ftr', 'hdr', 'sldNum', 'sldImg']);
const bodyPlaceholders = new Set(['body', 'obj', '']);

/** `placeholder` is the role the slide layout gives the shape; null for a shape that was drawn freely. */
type Shape = { placeholder: string | null; paragraphs: Array<{ text: string; depth: number }> };

/**
 * Reads a slide. The title may be anywhere among the shapes but comes first, so the other content is added by a
 * callback.
 */
function readSlide(part: Uint8Array, builder: BlockBuilder): { title: string; addContent: () => void } {
  const steps: Array<() => void> = [];
  let title = '';
  let shape: Shape = { placeholder: null, paragraphs: [] };
  let inText = false;
  const last = (): Shape['paragraphs'][number] => shape.paragraphs.at(-1) ?? { text: '', depth: 0 };
  const endShape = (): void => {
    const ended = shape;
    shape = { placeholder: null, paragraphs: [] };
    if (titlePlaceholders.has(ended.placeholder ?? '')) title += ended.paragraphs.map(({ text }) => text).join(' ');
    else if (!repeatedPlaceholders.has(ended.placeholder ?? '')) steps.push(() => addShape(ended, builder));
  };
  const openers: Readonly<Record<string, (attributes: Attributes) => void>> = {
    ph: (attributes) => void (shape.placeholder = attributeOf(attributes, 'type') ?? ''),
    p: () => void shape.paragraphs.push({ text: '', depth: 0 }),
    pPr: (attributes) => void (last().depth = Number(attributeOf(attributes, 'lvl') ?? 0) || 0),
    br: () => void (last().text += ' '),
    t: () => void (inText = true),
    tbl: () => void steps.push(() => builder.openTable(false)),
    tr: () => void steps.push(() => builder.openRow()),
    // Merged cells need no span: the cells they cover are present and empty.
    tc: () => void steps.push(() => builder.openCell()),
  };
  const closers: Readonly<Record<string, () => void>> = {
    t: () => void (inText = false),
    sp: endShape,
    tc: () => (endShape(), steps.push(() => builder.closeCell())),
    tbl: () => void steps.push(() => builder.closeTable()),
  };
  readXml(part, {
    open: (name, attributes) => openers[name]?.(attributes),
    text: (text) => void (last().text += inText ? text : ''),
    close: (name) => closers[name]?.(),
  });
  return {
    title,
    addContent() {
      for (const step of steps) step();
    },
  };
}

/** Several paragraphs in a body placeholder are bullet points; anything else is plain paragraphs. */
function addShape({ placeholder, paragraphs }: Shape, builder: BlockBuilder): void {
  const writer = createParagraphWriter(builder);
  const isBulletList = placeholder !== null && bodyPlaceholders.has(placeholder) && paragraphs.length > 1;
  for (const { text, depth } of paragraphs) {
    writer.add({ text, heading: null, list: isBulletList ? { depth, ordered: false } : null });
  }
  writer.closeLists();
}
