import type { Queryable } from '../../db/transaction.ts';
import { knownOf, wordsBeginningWith } from '../index/sqlite/lookups.ts';
import type { Alternative } from './spelling.ts';
import { allMarks, isWhole, type Language, languagesWith } from '../analysis/languages.ts';
import { rootOf } from '../lexicon/lexicon.ts';
import { type Meant, sensesOf } from '../lexicon/meanings.ts';

/** A question's words as stems, in order; the languages that it may be in, and those that texts of the bases may be in. */
export type Spoken = {
  words: readonly string[];
  isFunctionWord: (word: string) => boolean;
  asked: readonly Language[];
  told: readonly Language[];
};

/**
 * By word of a question, what the bases have that means the same or comes with it. Where words mean something together, that stands
 * with the last of them that has a subject, or else with all of them written as one.
 */
export async function meantBy(
  db: Queryable,
  baseIds: readonly number[],
  { words, isFunctionWord, asked, told }: Spoken,
): Promise<Map<string, Alternative[]>> {
  const senses = sensesOf(words, asked, told)
    .map(({ at, meant }) => ({ words: at.map((one) => words[one]!), meant }))
    .filter((sense) => sense.words.length > 1 || !isFunctionWord(sense.words[0]!));
  const found = await wordsMeant(
    db,
    baseIds,
    senses.map(({ meant }) => meant),
  );
  const by = new Map<string, Alternative[]>();
  for (const [index, sense] of senses.entries()) {
    const word = sense.words.findLast((one) => !isFunctionWord(one)) ?? sense.words.join('');
    by.set(word, [...(by.get(word) ?? []), ...found[index]!]);
  }
  return by;
}

/** The languages that texts of the bases may be in. */
export const languagesOfBases = async (db: Queryable, baseIds: readonly number[]): Promise<Language[]> =>
  languagesWith(await knownOf(db, baseIds, allMarks));

/** A word that begins with a root of so many letters, and is not much longer, may be another form of it: that counts less. */
const shortestBeginning = 6;
const sharedByForms = 0.7;
const formWeight = 0.75;

/** Of the words that are meant, those that the bases have: for each list one. */
async function wordsMeant(
  db: Queryable,
  baseIds: readonly number[],
  lists: ReadonlyArray<readonly Meant[]>,
): Promise<Alternative[][]> {
  const [whole, begun] = [true, false].map((wanted) => [
    ...new Set(lists.flat().flatMap(({ root, language }) => (isWhole(language) === wanted ? [root] : []))),
  ]);
  const known = await knownOf(db, baseIds, whole!);
  const beginning = Map.groupBy(await wordsBeginningWith(db, baseIds, begun!), (one) => one.beginning);
  const formsOf = ({ root, language, weight }: Meant): Alternative[] => {
    if (isWhole(language)) return known.has(root) ? [{ word: root, weight }] : [];
    return (beginning.get(root) ?? []).flatMap(({ word }) => {
      if (rootOf(word, language) === root) return [{ word, weight }];
      const isForm = root.length >= shortestBeginning && root.length / word.length >= sharedByForms;
      return isForm ? [{ word, weight: formWeight * weight }] : [];
    });
  };
  return lists.map((meant) => meant.flatMap(formsOf));
}
