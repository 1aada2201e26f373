import { type Parameters, parseParameters, quoted, unquoted, writeParameters } from './parameters.ts';

/** The value of From, To, Contact, Route and Record-Route: a URI with an optional name and parameters. */
export type Address = { name: string | null; uri: string; parameters: Parameters };

/** Undefined for a value that is none. */
export function parseAddress(text: string): Address | undefined {
  const bracket = openingBracket(text);
  if (bracket < 0) return bareAddress(text);
  const end = text.indexOf('>', bracket);
  if (end < 0) return undefined;
  const name = text.slice(0, bracket).trim();
  const rest = text.slice(end + 1).trim();
  const uri = text.slice(bracket + 1, end).trim();
  if ((rest !== '' && !rest.startsWith(';')) || uri === '' || /\s/.test(uri)) return undefined;
  return { name: name === '' ? null : unquoted(name), uri, parameters: parseParameters(rest) };
}

/** Without brackets all parameters belong to the header, not to the URI (RFC 3261, section 20). */
function bareAddress(text: string): Address | undefined {
  const semicolon = text.indexOf(';');
  const uri = (semicolon < 0 ? text : text.slice(0, semicolon)).trim();
  if (!/^[a-z][a-z0-9+.-]*:\S+$/i.test(uri)) return undefined;
  return { name: null, uri, parameters: parseParameters(semicolon < 0 ? '' : text.slice(semicolon)) };
}

/** Where the URI's `<` stands, past a quoted name; -1 without one, or when the quotes are not closed. */
function openingBracket(text: string): number {
  let quotes = false;
  for (let at = 0; at < text.length; at += 1) {
    if (quotes && text[at] === '\\') at += 1;
    else if (text[at] === '"') quotes = !quotes;
    else if (text[at] === '<' && !quotes) return at;
  }
  return -1;
}

export const writeAddress = ({ name, uri, parameters }: Address): string =>
  `${name === null ? '' : `${quoted(name)} `}<${uri}>${writeParameters(parameters)}`;

export const tagOf = (address: Address): string | undefined => address.parameters.get('tag');
