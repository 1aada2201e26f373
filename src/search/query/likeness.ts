import { distance } from 'fastest-levenshtein';

/** Edits that a word of so many letters may have and still be meant: none in the shortest, which are all alike. */
const editsAllowed = (letters: number): number => (letters < 4 ? 0 : letters < 6 ? 1 : letters < 9 ? 2 : 3);

/** Two letters in the wrong order are one slip. */
function editsBetween(a: string, b: string): number {
  const edits = distance(a, b);
  if (edits !== 2 || a.length !== b.length) return edits;
  const at = Array.from(a).findIndex((letter, index) => letter !== b[index]);
  return a[at] === b[at + 1] && a[at + 1] === b[at] ? 1 : 2;
}

/** How alike two spellings are, from 1 (the same) to 0: too many edits for one to be a slip for the other. */
export function likeness(asked: string, known: string): number {
  const letters = Math.max(asked.length, known.length);
  if (Math.abs(asked.length - known.length) > editsAllowed(letters)) return 0;
  // Half of all short words are one letter from another one (near, year); that letter is hardly ever the first.
  if (letters < 6 && asked[0] !== known[0]) return 0;
  const edits = editsBetween(asked, known);
  return edits > editsAllowed(Math.min(asked.length, known.length)) ? 0 : 1 - edits / letters;
}

/** Share of the longer word that both begin with: what inflection leaves. */
export function commonBeginning(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  return at / Math.max(a.length, b.length);
}

/** How much of a longer word a shorter one makes up, at its beginning or end (Rückgabefrist, Frist); 0 where it is no such part. */
export function shareOf(part: string, whole: string): number {
  if (part.length < 4 || part.length >= whole.length) return 0;
  return whole.startsWith(part) || whole.endsWith(part) ? part.length / whole.length : 0;
}
