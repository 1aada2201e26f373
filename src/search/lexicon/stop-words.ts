import { fold } from '../analysis/fold.ts';
import { stem } from '../analysis/stem.ts';
import { wordLists } from './data.generated.ts';
import { type Language, languages } from './languages.ts';

/**
 * Words that say nothing about the subject of a question: those that hold a sentence together, and what people say around a question
 * on the telephone. Word frequency cannot replace these lists: in a knowledge base of five passages even "how" is rare.
 */
const stopWords = Object.fromEntries(
  languages.map((language) => [language, stemsOf(wordLists[`stop-words/${language}`])]),
) as Readonly<Record<Language, ReadonlySet<string>>>;

function stemsOf(list: string): ReadonlySet<string> {
  return new Set(list.split('\n').map((word) => stem(fold(word))));
}

const alwaysActive = [stopWords.en, stopWords.zh, stopWords.ja];
const activeWhenSpoken = languages.map((language) => stopWords[language]).filter((set) => !alwaysActive.includes(set));

const countIn = (set: ReadonlySet<string>, terms: readonly string[]): number =>
  terms.filter((term) => set.has(term)).length;

/**
 * Returns a predicate for the stop words of a query, given its terms. Languages share words ("plus", "die", "son"), so the list of a
 * language counts only where the query has at least two of its stop words, and at least as many as it has English ones. English,
 * Chinese and Japanese always count.
 */
export function stopWordFilter(terms: readonly string[]): (term: string) => boolean {
  const minHits = Math.max(2, countIn(stopWords.en, terms));
  const active = [...alwaysActive, ...activeWhenSpoken.filter((set) => countIn(set, terms) >= minHits)];
  return (term) => active.some((set) => set.has(term));
}

/** The languages with most stop words among the terms of a query: several on a tie, none without any stop word. */
export function detectQueryLanguages(terms: readonly string[]): Language[] {
  const counts = languages.map((language) => countIn(stopWords[language], terms));
  const highest = Math.max(...counts);
  return highest === 0 ? [] : languages.filter((_, index) => counts[index] === highest);
}
