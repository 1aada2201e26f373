import { attribute, readXml } from './xml.ts';

/** What a paragraph's style says of it. */
export type ParagraphStyle = { level: number | null; numbered: string | null; contents: boolean };
type Style = { name: string; outline: number | null; numbered: string | null; basedOn: string | null };

/** Styles are based on styles; more than this is a circle. */
const maxAncestors = 12;
/** `outlineLvl` counts from 0; 9 is body text (ECMA-376, part 1, 17.3.1.20). */
const bodyOutline = 9;

/** Reads `styles.xml`; headings are known by outline level, or by the names that Word gives them in any language. */
export function stylesOf(part: Uint8Array | undefined): (id: string | null) => ParagraphStyle {
  const styles = new Map<string, Style>();
  let style: Style | undefined;
  if (part) {
    readXml(part, {
      open(name, attributes) {
        const value = attribute(attributes, 'val') ?? '';
        if (name === 'style') {
          style = { name: '', outline: null, numbered: null, basedOn: null };
          styles.set(attribute(attributes, 'styleId') ?? '', style);
        } else if (!style) return;
        else if (name === 'name') style.name = value.toLowerCase();
        else if (name === 'basedOn') style.basedOn = value;
        else if (name === 'outlineLvl') style.outline = Number(value);
        else if (name === 'numId') style.numbered = value;
      },
      close: (name) => void (style = name === 'style' ? undefined : style),
    });
  }
  return (id) => {
    const line: Style[] = [];
    for (let at = id; at !== null && line.length < maxAncestors;) {
      const found = styles.get(at);
      if (!found) break;
      line.push(found);
      at = found.basedOn;
    }
    return {
      level: levelOf(line, id),
      numbered: line.find(({ numbered }) => numbered !== null)?.numbered ?? null,
      contents: line.some(({ name }) => /^toc \d$/.test(name)),
    };
  };
}

function levelOf(line: readonly Style[], id: string | null): number | null {
  for (const { name, outline } of line) {
    if (name === 'title') return 1;
    const named = /^heading (\d)$/.exec(name)?.[1];
    if (named !== undefined) return Number(named);
    if (outline !== null) return outlineLevel(outline);
  }
  const byId = line.length === 0 ? /^heading(\d)$/i.exec(id ?? '')?.[1] : undefined;
  return byId === undefined ? null : Number(byId);
}

export const outlineLevel = (outline: number): number | null =>
  Number.isInteger(outline) && outline >= 0 && outline < bodyOutline ? outline + 1 : null;
