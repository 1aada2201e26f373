import { attributeOf, readXml } from './xml.ts';

/** Formatting that a paragraph inherits from its style. `numbering` is a numbering id. */
export type ParagraphStyle = { headingLevel: number | null; numbering: string | null; isTableOfContents: boolean };
type Style = { name: string; outline: number | null; numbering: string | null; basedOn: string | null };

/** Styles inherit from styles; a longer chain is circular. */
const maxAncestors = 12;
/** `outlineLvl` counts from 0; 9 is body text (ECMA-376, part 1, 17.3.1.20). */
const bodyOutline = 9;

/**
 * Reads `styles.xml`. Headings have an outline level or one of Word's style names, which are English in every language.
 */
export function readStyles(part: Uint8Array | undefined): (id: string | null) => ParagraphStyle {
  const styles = new Map<string, Style>();
  let style: Style | undefined;
  if (part) {
    readXml(part, {
      open(name, attributes) {
        const value = attributeOf(attributes, 'val') ?? '';
        if (name === 'style') {
          style = { name: '', outline: null, numbering: null, basedOn: null };
          styles.set(attributeOf(attributes, 'styleId') ?? '', style);
        } else if (!style) return;
        else if (name === 'name') style.name = value.toLowerCase();
        else if (name === 'basedOn') style.basedOn = value;
        else if (name === 'outlineLvl') style.outline = Number(value);
        else if (name === 'numId') style.numbering = value;
      },
      close: (name) => void (style = name === 'style' ? undefined : style),
    });
  }
  return (id) => {
    const chain: Style[] = [];
    for (let at = id; at !== null && chain.length < maxAncestors;) {
      const found = styles.get(at);
      if (!found) break;
      chain.push(found);
      at = found.basedOn;
    }
    return {
      headingLevel: levelOf(chain, id),
      numbering: chain.find(({ numbering }) => numbering !== null)?.numbering ?? null,
      isTableOfContents: chain.some(({ name }) => /^toc \d$/.test(name)),
    };
  };
}

function levelOf(chain: readonly Style[], id: string | null): number | null {
  for (const { name, outline } of chain) {
    if (name === 'title') return 1;
    const named = /^heading (\d)$/.exec(name)?.[1];
    if (named !== undefined) return Number(named);
    if (outline !== null) return outlineLevel(outline);
  }
  const byId = chain.length === 0 ? /^heading(\d)$/i.exec(id ?? '')?.[1] : undefined;
  return byId === undefined ? null : Number(byId);
}

export const outlineLevel = (outline: number): number | null =>
  Number.isInteger(outline) && outline >= 0 && outline < bodyOutline ? outline + 1 : null;
