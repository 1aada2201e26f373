import { attribute, readXml } from './xml.ts';

/** Which numberings of `numbering.xml` count ("1.", "a)"), by their id; the others have bullets. */
export function countedLists(part: Uint8Array | undefined): (numbering: string) => boolean {
  const counted = new Map<string, boolean>();
  const abstractOf = new Map<string, string>();
  let abstract: string | undefined;
  let number: string | undefined;
  if (part) {
    readXml(part, {
      open(name, attributes) {
        const value = attribute(attributes, 'val') ?? '';
        if (name === 'abstractNum') abstract = attribute(attributes, 'abstractNumId');
        else if (name === 'num') number = attribute(attributes, 'numId');
        else if (name === 'abstractNumId' && number !== undefined) abstractOf.set(number, value);
        else if (name === 'numFmt' && abstract !== undefined && !counted.has(abstract)) {
          counted.set(abstract, value !== 'bullet' && value !== 'none');
        }
      },
      close(name) {
        if (name === 'abstractNum') abstract = undefined;
        if (name === 'num') number = undefined;
      },
    });
  }
  return (numbering) => counted.get(abstractOf.get(numbering) ?? '') ?? false;
}
