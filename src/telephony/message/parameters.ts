import { splitOutside } from './message.ts';

/** Parameters behind a value, as in `;tag=abc;lr`, by their name in lower case. A parameter without a value has an empty one. */
export type Parameters = ReadonlyMap<string, string>;

export function parseParameters(text: string): Parameters {
  const found = new Map<string, string>();
  for (const part of splitOutside(text, ';')) {
    const equals = part.indexOf('=');
    const name = (equals < 0 ? part : part.slice(0, equals)).trim().toLowerCase();
    // The first one counts: a peer that repeats a parameter must not be able to replace what others have read.
    if (!found.has(name)) found.set(name, equals < 0 ? '' : unquoted(part.slice(equals + 1).trim()));
  }
  return found;
}

/** A token of RFC 3261, or a host in brackets: values that need no quotes. */
const plainValue = /^[\w\-.!%*+`'~:[\]/@]+$/;

export const writeParameters = (parameters: Parameters): string =>
  [...parameters]
    .map(([name, value]) => (value === '' ? `;${name}` : `;${name}=${plainValue.test(value) ? value : quoted(value)}`))
    .join('');

export const quoted = (text: string): string => `"${text.replace(/["\\]/g, (character) => `\\${character}`)}"`;

export const unquoted = (text: string): string =>
  text.length >= 2 && text.startsWith('"') && text.endsWith('"') ? text.slice(1, -1).replace(/\\(.)/gs, '$1') : text;
