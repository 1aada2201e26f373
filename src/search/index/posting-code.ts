import type { Posting } from './search-index.ts';

/** A row of retrieval_words has the passage's length in the lowest bits of its id, so that ranking reads no other table. */
export const lengths = 1024;
export const rowidOf = (passageId: number, length: number): number =>
  passageId * lengths + Math.min(length, lengths - 1);

/** A passage has a term in the column for the term's frequency (of often: four), which is added to the rowid's multiple of this. */
export const frequencies = 8;

/** The posting that a number stands for. */
export function decode(posting: number): Posting {
  const frequency = posting % frequencies;
  const number = (posting - frequency) / frequencies;
  const length = number % lengths;
  return { id: (number - length) / lengths, frequency, length };
}
