import type { Limits } from '../blocks/block-collector.ts';
import type { Block } from '../model.ts';
import { createSink, type Sink } from '../blocks/block-builder.ts';
import type { Unzip } from './zip.ts';
import { createOutline } from './paragraph-writer.ts';
import { mainPartOf, partOf, relationsOf, titleIn } from './open-packaging.ts';
import { attribute, type Attributes, readXml, relationId } from './xml.ts';

/** Slides (ECMA-376, part 1, 19): one page each, in the order in which they are shown; the speaker's notes follow theirs. */
export function parsePptx(zip: Unzip, limits: Limits): { title: string | null; blocks: Block[] } {
  const main = mainPartOf(zip);
  const targets = new Map(relationsOf(zip, main).map(({ id, target }) => [id, target]));
  const slides: string[] = [];
  readXml(partOf(zip, main), {
    open(name, attributes) {
      const target = name === 'sldId' ? targets.get(relationId(attributes) ?? '') : undefined;
      if (target !== undefined) slides.push(target);
    },
  });
  const sink = createSink(limits);
  for (const [index, slide] of slides.entries()) {
    sink.page(index + 1);
    const { title, add } = readSlide(partOf(zip, slide), sink);
    const outline = createOutline(sink);
    outline.add({ text: title === '' ? `Slide ${index + 1}` : title, heading: 1, list: null });
    add();
    const notes = relationsOf(zip, slide).find(({ type }) => type === 'notesSlide');
    const part = notes && zip.read(notes.target);
    if (part) readSlide(part, sink).add();
  }
  return { title: titleIn(zip), blocks: sink.end().map(({ block }) => block) };
}

const titles = new Set(['title', 'ctrTitle']);
/** Repeated on every slide. */
const furniture = new Set(['dt', 'ftr', 'hdr', 'sldNum', 'sldImg']);
const bodies = new Set(['body', 'obj', '']);

/** `placeholder` is what the layout has the shape for; null for one that was drawn. */
type Shape = { placeholder: string | null; paragraphs: Array<{ text: string; depth: number }> };

/** A slide's title, wherever it stands among the shapes, and the way to tell the sink of the rest. */
function readSlide(part: Uint8Array, sink: Sink): { title: string; add: () => void } {
  const steps: Array<() => void> = [];
  let title = '';
  let shape: Shape = { placeholder: null, paragraphs: [] };
  let inText = false;
  const last = (): Shape['paragraphs'][number] => shape.paragraphs.at(-1) ?? { text: '', depth: 0 };
  const endShape = (): void => {
    const ended = shape;
    shape = { placeholder: null, paragraphs: [] };
    if (titles.has(ended.placeholder ?? '')) title += ended.paragraphs.map(({ text }) => text).join(' ');
    else if (!furniture.has(ended.placeholder ?? '')) steps.push(() => addShape(ended, sink));
  };
  const openers: Readonly<Record<string, (attributes: Attributes) => void>> = {
    ph: (attributes) => void (shape.placeholder = attribute(attributes, 'type') ?? ''),
    p: () => void shape.paragraphs.push({ text: '', depth: 0 }),
    pPr: (attributes) => void (last().depth = Number(attribute(attributes, 'lvl') ?? 0) || 0),
    br: () => void (last().text += ' '),
    t: () => void (inText = true),
    tbl: () => void steps.push(() => sink.openTable(false)),
    tr: () => void steps.push(() => sink.openRow()),
    // Cells that reach over others have empty ones beside or under them.
    tc: () => void steps.push(() => sink.openCell()),
  };
  const closers: Readonly<Record<string, () => void>> = {
    t: () => void (inText = false),
    sp: endShape,
    tc: () => (endShape(), steps.push(() => sink.closeCell())),
    tbl: () => void steps.push(() => sink.closeTable()),
  };
  readXml(part, {
    open: (name, attributes) => openers[name]?.(attributes),
    text: (text) => void (last().text += inText ? text : ''),
    close: (name) => closers[name]?.(),
  });
  return {
    title,
    add() {
      for (const step of steps) step();
    },
  };
}

/** Several paragraphs of a body are its points. */
function addShape({ placeholder, paragraphs }: Shape, sink: Sink): void {
  const outline = createOutline(sink);
  const points = placeholder !== null && bodies.has(placeholder) && paragraphs.length > 1;
  for (const { text, depth } of paragraphs) {
    outline.add({ text, heading: null, list: points ? { depth, counted: false } : null });
  }
  outline.closeLists();
}
