import { Parser } from 'htmlparser2';
import { ExtractionError } from '../errors.ts';
import { markedEncoding } from '../plain/unicode.ts';

export type Attributes = Readonly<Record<string, string>>;
export type XmlHandler = {
  open?(name: string, attributes: Attributes): void;
  text?(text: string): void;
  close?(name: string): void;
};

const sliceBytes = 65_536;
/** Office programs nest some dozen. */
const maxDepth = 1000;

/** Which prefix a program chose for a namespace says nothing: the standard (ECMA-376) gives the local names. */
const local = (name: string): string => name.slice(name.indexOf(':') + 1);

/** An attribute by its local name. */
export function attribute(attributes: Attributes, name: string): string | undefined {
  const direct = attributes[name] ?? attributes[`w:${name}`];
  if (direct !== undefined) return direct;
  return Object.entries(attributes).find(([key]) => local(key) === name)?.[1];
}

/** The relationship that an element names: `r:id`, which is not its `id`. */
export const relationId = (attributes: Attributes): string | undefined =>
  Object.entries(attributes).find(([key]) => key.endsWith(':id'))?.[1];

/** On by its mere presence, unless it says otherwise: `<w:b/>`, `<w:b w:val="0"/>`. */
export const isOff = (value: string | undefined): boolean => value === '0' || value === 'false' || value === 'off';

/** Reads one part of an office file, in slices, so that its text is never in memory as a whole. Names come without prefix. */
export function readXml(part: Uint8Array, handler: XmlHandler): void {
  let depth = 0;
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        depth += 1;
        if (depth > maxDepth) throw new ExtractionError('The file nests its elements too deeply to be read.');
        handler.open?.(local(name), attributes);
      },
      ontext: (text) => handler.text?.(text),
      onclosetag(name) {
        depth -= 1;
        handler.close?.(local(name));
      },
    },
    { xmlMode: true },
  );
  const decoder = new TextDecoder(markedEncoding(part));
  for (let at = 0; at < part.length; at += sliceBytes) {
    parser.write(decoder.decode(part.subarray(at, at + sliceBytes), { stream: true }));
  }
  parser.end(decoder.decode());
}
