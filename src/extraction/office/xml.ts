import { Parser } from 'htmlparser2';
import { ExtractionError } from '../errors.ts';
import { encodingFromBom } from '../plain/unicode.ts';

export type Attributes = Readonly<Record<string, string>>;
export type XmlHandler = {
  open?(name: string, attributes: Attributes): void;
  text?(text: string): void;
  close?(name: string): void;
};

const sliceBytes = 65_536;
/** Office programs nest a few dozen levels. */
const maxDepth = 1000;

/** Drops the namespace prefix: programs choose prefixes freely, only local names are standard (ECMA-376). */
const localName = (name: string): string => name.slice(name.indexOf(':') + 1);

/** An attribute's value by local name. */
export function attributeOf(attributes: Attributes, name: string): string | undefined {
  const direct = attributes[name] ?? attributes[`w:${name}`];
  if (direct !== undefined) return direct;
  return Object.entries(attributes).find(([key]) => localName(key) === name)?.[1];
}

/** The relationship that an element refers to by `r:id`, which is distinct from a plain `id`. */
export const relationId = (attributes: Attributes): string | undefined =>
  Object.entries(attributes).find(([key]) => key.endsWith(':id'))?.[1];

/** Whether a boolean value is off. An element without a value, such as `<w:b/>`, is on. */
export const isOff = (value: string | undefined): boolean => value === '0' || value === 'false' || value === 'off';

/** Parses XML piece by piece. Element names have no prefix. */
export type XmlReader = { write(piece: Uint8Array): void; end(): void };

export function createXmlReader(handler: XmlHandler): XmlReader {
  let depth = 0;
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        depth += 1;
        if (depth > maxDepth) throw new ExtractionError('The file nests its elements too deeply to be read.');
        handler.open?.(localName(name), attributes);
      },
      ontext: (text) => handler.text?.(text),
      onclosetag(name) {
        depth -= 1;
        handler.close?.(localName(name));
      },
    },
    { xmlMode: true },
  );
  let decoder: TextDecoder | undefined;
  return {
    write(piece) {
      decoder ??= new TextDecoder(encodingFromBom(piece));
      parser.write(decoder.decode(piece, { stream: true }));
    },
    end: () => parser.end(decoder?.decode()),
  };
}

/** Parses one part of an office file in slices, so that its decoded text is never in memory whole. */
export function readXml(part: Uint8Array, handler: XmlHandler): void {
  const reader = createXmlReader(handler);
  for (let at = 0; at < part.length; at += sliceBytes) reader.write(part.subarray(at, at + sliceBytes));
  reader.end();
}
