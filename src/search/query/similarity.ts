import { distance } from 'fastest-levenshtein';

/** How many edits a misspelling of a word of this length may have. The shortest words are too similar to one another for any. */
const maxEdits = (letters: number): number => (letters < 4 ? 0 : letters < 6 ? 1 : letters < 9 ? 2 : 3);

/** Levenshtein distance, but two swapped neighbours count as one edit. */
function editDistance(a: string, b: string): number {
  const edits = distance(a, b);
  if (edits !== 2 || a.length !== b.length) return edits;
  const first = Array.from(a).findIndex((letter, index) => letter !== b[index]);
  return a[first] === b[first + 1] && a[first + 1] === b[first] ? 1 : 2;
}

/** How alike two spellings are, from 1 (the same) down to 0 (too many edits for a misspelling). */
export function spellingSimilarity(queried: string, indexed: string): number {
  const letters = Math.max(queried.length, indexed.length);
  if (Math.abs(queried.length - indexed.length) > maxEdits(letters)) return 0;
  // Half of all short words are one letter away from another word (near, year), but people rarely get the first letter wrong.
  if (letters < 6 && queried[0] !== indexed[0]) return 0;
  const edits = editDistance(queried, indexed);
  return edits > maxEdits(Math.min(queried.length, indexed.length)) ? 0 : 1 - edits / letters;
}

/** Length of the common prefix as a share of the longer word: forms and compounds of a word share most of it. */
export function commonPrefixShare(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length += 1;
  return length / Math.max(a.length, b.length);
}
