import { attributeOf, readXml } from './xml.ts';

/**
 * Reads `numbering.xml`. The returned function tells whether a numbering id is ordered ("1.", "a)") rather than
 * bulleted.
 */
export function readOrderedNumberings(part: Uint8Array | undefined): (numbering: string) => boolean {
  const ordered = new Map<string, boolean>();
  const abstractOf = new Map<string, string>();
  let abstract: string | undefined;
  let number: string | undefined;
  if (part) {
    readXml(part, {
      open(name, attributes) {
        const value = attributeOf(attributes, 'val') ?? '';
        if (name === 'abstractNum') abstract = attributeOf(attributes, 'abstractNumId');
        else if (name === 'num') number = attributeOf(attributes, 'numId');
        else if (name === 'abstractNumId' && number !== undefined) abstractOf.set(number, value);
        else if (name === 'numFmt' && abstract !== undefined && !ordered.has(abstract)) {
          ordered.set(abstract, value !== 'bullet' && value !== 'none');
        }
      },
      close(name) {
        if (name === 'abstractNum') abstract = undefined;
        if (name === 'num') number = undefined;
      },
    });
  }
  return (numbering) => ordered.get(abstractOf.get(numbering) ?? '') ?? false;
}
