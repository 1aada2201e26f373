/**
 * The terms of the index. Each begins with the id of an organization or campaign, because one index holds the terms of all of them, and a
 * search must read only those of one. After that come three consecutive characters (UTF-16 units) of a contact's search text, or a hash of
 * six. A search for six characters or more uses the hashes: three digits in a row are in every tenth phone number, while a hash is in one
 * of 300 contacts.
 */

const shortLength = 3;
const longLength = 6;
const hashes = 1 << 14;

/** At most this many terms of a query are considered. Further ones would cost time, and the rarest of these leave few contacts to check. */
const maxQueryTerms = 6;

/** Each character as letters and digits, because the index splits at other characters. */
const letters = Array.from({ length: 128 }, (_, unit) => unit.toString(36));
const lettersOf = (unit: number): string => letters[unit] ?? unit.toString(36);

/** 14 bits of FNV-1a (http://www.isthe.com/chongo/tech/comp/fnv/). */
function hashAt(text: string, start: number): number {
  let hash = 0x811c9dc5;
  for (let index = start; index < start + longLength; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return ((hash >>> 16) ^ hash) & (hashes - 1);
}

const prefixOf = (owner: string): string => `${owner.replaceAll('-', '')}.`;

/** A plain loop for speed: an import of 200,000 contacts makes some twenty million terms. */
function shortTerms(prefix: string, text: string): Set<string> {
  const terms = new Set<string>();
  const units = Array.from({ length: text.length }, (_, index) => lettersOf(text.charCodeAt(index)));
  for (let index = 0; index + shortLength <= text.length; index += 1) {
    terms.add(`${prefix}${units[index]}.${units[index + 1]}.${units[index + 2]}`);
  }
  return terms;
}

function longTerms(prefix: string, text: string): Set<string> {
  const terms = new Set<string>();
  for (let index = 0; index + longLength <= text.length; index += 1) {
    terms.add(prefix + hashAt(text, index).toString(36));
  }
  return terms;
}

/** All terms of a text, with a space between them. `owner`: the id of the organization or campaign. */
export const indexedTerms = (owner: string, text: string): string =>
  [...shortTerms(prefixOf(owner), text), ...longTerms(prefixOf(owner), text)].join(' ');

/** Terms that every text with `part` has; none if `part` has fewer than three characters. */
export function queryTerms(owner: string, part: string): string[] {
  const terms = [...(part.length < longLength ? shortTerms : longTerms)(prefixOf(owner), part)];
  const step = Math.max(1, terms.length / maxQueryTerms);
  return Array.from({ length: Math.min(terms.length, maxQueryTerms) }, (_, index) => terms[Math.floor(index * step)]!);
}
