import type { Queryable } from '../../../db/transaction.ts';
import { knownOf } from './lookup-store.ts';
import { type Alternative, formsOf, slipsOf } from './near-words.ts';
import { type Cut, cut } from './words/cut.ts';
import { functionWordsOf } from './words/function-words.ts';
import { stem } from './words/stem.ts';
import { synonymsOf } from './words/synonyms.ts';

/** One thing that a question is about: a word and what may stand for it. */
export type Concept = {
  /** The word itself first, with weight 1, then what else may be meant. */
  alternatives: readonly Alternative[];
  /** Whether it says something about the subject; others only tell equals apart. */
  informative: boolean;
};

/** Of longer questions so many words are looked for: those that stand in it most often, then the longest. */
const mostConcepts = 24;
/** Unknown words beyond are taken as they are spelt. */
const mostSlips = 6;

/**
 * What a question asks for, in terms of the bases it is put to. Words that they lack are taken apart or together as far as that gives
 * words that they have ("re fund", "databse"), and else read as the words most like them.
 */
export async function understand(db: Queryable, baseIds: readonly number[], query: string): Promise<Concept[]> {
  const cuts = cut(query).filter(({ across }) => across !== true);
  const known = await knownOf(db, baseIds, spellingsWorthKnowing(cuts));
  const words = joined(
    cuts.flatMap((one) => wordsOfCut(one, known)),
    known,
  );
  const isFunctionWord = functionWordsOf(words);
  const hasSubject = words.some((word) => !isFunctionWord(word));
  let slips = 0;
  const alternativesOf = (word: string): Promise<Alternative[]> | Alternative[] => {
    if (known.has(word)) return formsOf(db, baseIds, word);
    return ++slips > mostSlips ? [] : slipsOf(db, baseIds, word);
  };
  const concepts: Concept[] = [];
  for (const word of mostTelling(words)) {
    const informative = !hasSubject || !isFunctionWord(word);
    const others = informative ? withSynonyms(word, await alternativesOf(word)) : [];
    concepts.push({ alternatives: [{ word, weight: 1 }, ...others], informative });
  }
  return concepts;
}

/** What a word that is another one of the language stands for counts less than the word itself, and more than a far likeness. */
const synonymWeight = 0.6;

/** Best first. A word that has synonyms is no slip for something else. */
function withSynonyms(word: string, near: readonly Alternative[]): Alternative[] {
  const synonyms = synonymsOf(word).map((other) => ({ word: other, weight: synonymWeight }));
  const others = near.filter((one) => !synonyms.some((synonym) => synonym.word === one.word));
  return [...synonyms, ...others].toSorted((a, b) => b.weight - a.weight);
}

/** All stems that decide how the question is taken apart: of words, of their parts, and of neighbours written as one. */
function spellingsWorthKnowing(cuts: readonly Cut[]): string[] {
  const words = cuts.map(({ word }) => word);
  const pairs = words.slice(1).map((word, index) => words[index]! + word);
  return [...new Set([...words, ...cuts.flatMap(({ parts }) => parts), ...pairs].map(stem))];
}

/** The parts of a word, and the whole where the bases have it; a word without parts is itself. */
const wordsOfCut = ({ word, parts }: Cut, known: ReadonlySet<string>): string[] => {
  if (parts.length === 0 || known.has(stem(word))) return [word];
  return [...parts];
};

/** Stems; two neighbours that the bases only have as one word are that word. */
function joined(words: readonly string[], known: ReadonlySet<string>): string[] {
  const result: string[] = [];
  for (let index = 0; index < words.length; index++) {
    const [word, next] = [words[index]!, words[index + 1]];
    const whole = next === undefined ? undefined : stem(word + next);
    const apart = known.has(stem(word)) && next !== undefined && known.has(stem(next));
    if (whole !== undefined && known.has(whole) && !apart) {
      result.push(whole);
      index += 1;
    } else result.push(stem(word));
  }
  return result;
}

function mostTelling(words: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  if (counts.size <= mostConcepts) return [...counts.keys()];
  return [...counts]
    .toSorted(([a, n], [b, m]) => m - n || b.length - a.length)
    .slice(0, mostConcepts)
    .map(([word]) => word);
}
