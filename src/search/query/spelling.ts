import type { Queryable } from '../../db/transaction.ts';
import { spellingsOf, wordsBeginning, wordsWith } from '../index/sqlite/lookups.ts';
import { commonBeginning, likeness, shareOf } from './likeness.ts';
import { trigramsOf } from '../analysis/trigrams.ts';

/** A word that a text may have instead of the one asked for, and how much a hit of it counts beside one of that (0 to 1). */
export type Alternative = { word: string; weight: number };

/** Words that are looked at letter by letter. */
const mostCompared = 48;
const mostAlternatives = 5;

/** Other forms of a word that the bases have, and compounds that begin with it. */
export async function formsOf(db: Queryable, baseIds: readonly number[], word: string): Promise<Alternative[]> {
  const stub = Array.from(word).slice(0, Math.max(4, Math.ceil(word.length * sharedByForms)));
  if (stub.length < 4) return [];
  return nearest(word, await wordsBeginning(db, baseIds, stub.join(''), mostCompared), weightOfForm);
}

/** What a word that no base has may have been meant to be. */
export async function slipsOf(db: Queryable, baseIds: readonly number[], word: string): Promise<Alternative[]> {
  return nearest(word, await sharingTrigrams(db, baseIds, word), weightOfSlip);
}

const nearest = (
  word: string,
  others: readonly string[],
  weigh: (word: string, other: string) => number,
): Alternative[] =>
  others
    .filter((other) => other !== word)
    .map((other) => ({ word: other, weight: weigh(word, other) }))
    .filter(({ weight }) => weight > 0)
    .toSorted((a, b) => b.weight - a.weight)
    .slice(0, mostAlternatives);

/** How much of the longer one two forms of a word have in common, from the beginning. */
const sharedByForms = 0.75;

const weightOfForm = (word: string, other: string): number => {
  const beginning = commonBeginning(word, other);
  return beginning >= sharedByForms ? 0.8 * beginning : 0.6 * shareOf(word, other);
};

const weightOfSlip = (word: string, other: string): number => {
  const alike = likeness(word, other);
  const share = Math.max(shareOf(word, other), shareOf(other, word));
  return Math.max(alike * alike, weightOfForm(word, other), 0.8 * share);
};

/** Spellings of the bases' words by the trigrams they have in common with a word, most first. */
async function sharingTrigrams(db: Queryable, baseIds: readonly number[], word: string): Promise<string[]> {
  const trigrams = trigramsOf(word);
  const shared = new Map<number, number>();
  for (const trigram of trigrams) {
    for (const id of await wordsWith(db, baseIds, trigram)) shared.set(id, (shared.get(id) ?? 0) + 1);
  }
  const fewest = Math.max(2, Math.floor(trigrams.length / 4));
  const ids = [...shared]
    .filter(([, count]) => count >= fewest)
    .toSorted((a, b) => b[1] - a[1])
    .slice(0, mostCompared)
    .map(([id]) => id);
  return spellingsOf(db, ids);
}
