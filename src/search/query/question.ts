import type { Queryable } from '../../db/transaction.ts';
import { knownOf } from '../index/sqlite/lookups.ts';
import { type Alternative, formsOf, slipsOf } from './spelling.ts';
import { type Cut, cut } from '../analysis/tokenize.ts';
import { languagesOfBases, meantBy, type Spoken } from './synonyms.ts';
import { functionWordsOf, languagesOf } from '../analysis/function-words.ts';
import { stem } from '../analysis/stem.ts';

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
  const told = await languagesOfBases(db, baseIds);
  const spoken: Spoken = { words, isFunctionWord, asked: languagesOf(words), told };
  const meant = await meantBy(db, baseIds, spoken);
  let slips = 0;
  const spelling = (word: string): Promise<Alternative[]> | Alternative[] => {
    if (known.has(word)) return formsOf(db, baseIds, word);
    // What means something is spelt as it was meant.
    return meant.has(word) || ++slips > mostSlips ? [] : slipsOf(db, baseIds, word);
  };
  const concepts: Concept[] = [];
  for (const word of mostTelling([...words, ...[...meant.keys()].filter((one) => !words.includes(one))])) {
    const informative = !hasSubject || !isFunctionWord(word);
    const others = informative ? merged(word, [...(meant.get(word) ?? []), ...(await spelling(word))]) : [];
    concepts.push({ alternatives: [{ word, weight: 1 }, ...others], informative });
  }
  return concepts;
}

/** What is asked for beside a word itself; each costs time. */
const mostAlternatives = 24;

/** Each word once, best first. */
function merged(word: string, alternatives: readonly Alternative[]): Alternative[] {
  const weights = new Map<string, number>();
  for (const one of alternatives) weights.set(one.word, Math.max(one.weight, weights.get(one.word) ?? 0));
  weights.delete(word);
  return [...weights]
    .map(([other, weight]) => ({ word: other, weight }))
    .toSorted((a, b) => b.weight - a.weight)
    .slice(0, mostAlternatives);
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
