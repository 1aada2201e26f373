import { stemmer } from 'stemmer';

const english = /^[a-z]{3,}$/;
const lastKept = 20_000;
const kept = new Map<string, string>();

/**
 * What a word has in common with its other forms, by Porter's rules for English. Words of other languages lose an ending at most, in
 * texts and questions alike. The stems of the commonest words are kept: a text repeats few words often.
 */
export function stem(word: string): string {
  if (!english.test(word)) return word;
  const known = kept.get(word);
  if (known !== undefined) return known;
  const stemmed = stemmer(word);
  if (kept.size >= lastKept) kept.clear();
  kept.set(word, stemmed);
  return stemmed;
}
