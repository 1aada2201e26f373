/**
 * The terms of the index. Each begins with a hash of the id of an organization or campaign, because one index holds the terms of all of
 * them, and a search must read only those of one. After that comes a hash of three consecutive characters (UTF-16 units) of a contact's
 * search text. Two that share a hash cost a search candidates that it compares, and nothing else.
 */

const length = 3;

/** At most this many terms of a query are considered. Further ones would cost time, and the rarest of these leave few contacts to check. */
const maxQueryTerms = 12;

/** FNV-1a (http://www.isthe.com/chongo/tech/comp/fnv/). */
function hashOf(text: string, start: number, end: number): number {
  let hash = 0x811c9dc5;
  for (let index = start; index < end; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return ((hash >>> 16) ^ hash) >>> 0;
}

const prefixOf = (owner: string): string => hashOf(owner, 0, owner.length).toString(36);

const termAt = (prefix: string, text: string, index: number): string =>
  prefix + (hashOf(text, index, index + length) & 0xffff).toString(36);

/** All terms of a text, with a space between them, some perhaps repeatedly. `owner`: the id of the organization or campaign. */
export function indexedTerms(owner: string, text: string): string {
  const prefix = ` ${prefixOf(owner)}`;
  let terms = '';
  // Not through an array or a set: those take twice as long, and the index ignores repetitions.
  for (let index = 0; index + length <= text.length; index += 1) terms += termAt(prefix, text, index);
  return terms.slice(1);
}

/** Terms that every text with `part` has; none if `part` has fewer than three characters. */
export function queryTerms(owner: string, part: string): string[] {
  const prefix = prefixOf(owner);
  const count = Math.max(0, part.length - length + 1);
  const terms = [...new Set(Array.from({ length: count }, (_, index) => termAt(prefix, part, index)))];
  const step = Math.max(1, terms.length / maxQueryTerms);
  return Array.from({ length: Math.min(terms.length, maxQueryTerms) }, (_, index) => terms[Math.floor(index * step)]!);
}
