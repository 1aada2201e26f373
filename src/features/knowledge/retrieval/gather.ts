import type { Queryable } from '../../../db/transaction.ts';
import { commonness } from './commonness.ts';
import { passagesAbout, passagesWith, passagesWithAll, type Wanted } from './lookup-store.ts';
import type { Concept } from './question.ts';

/** A concept, and how much it says: a word that few passages have says more. */
export type Weighed = Concept & { idf: number };

export type Gathered = {
  concepts: Weighed[];
  /** Ids of the passages that have most of what is asked for, best first. */
  ids: number[];
};

/** The bases that are asked, and how many passages they have together. */
export type Asked = { ids: readonly number[]; passages: number };

/** Passages that are judged by all their words. */
const mostCandidates = 80;
/** A concept that more passages have is common: it is not looked up by itself, only among what has rarer ones. */
const mostPostings = 3000;
/** What it adds that a passage is about a word, not only has it. */
const aboutness = 0.5;
/** Where few concepts are asked for, many passages have them all. */
const shortQuestion = 3;
/** What a word without a subject of its own weighs; such words are not looked up. */
const functionWordIdf = 0.1;

/** BM25's weight of a word that `having` of `all` passages have; never negative. */
const idfOf = (having: number, all: number): number => Math.log(1 + Math.max(0, all - having + 0.5) / (having + 0.5));

type Found = {
  concept: Weighed;
  wanted: Wanted;
  /** Share of the concept that a passage has; empty when it is common. */
  shares: ReadonlyMap<number, number>;
  common: boolean;
};

/** Finds candidates without reading what most passages have. What they are worth is judged by rank.ts. */
export async function gather(db: Queryable, bases: Asked, concepts: readonly Concept[]): Promise<Gathered> {
  const weighed: Weighed[] = [];
  const found: Found[] = [];
  const isShort = concepts.filter(({ informative }) => informative).length <= shortQuestion;
  for (const concept of concepts) {
    const one = concept.informative ? await lookUp(db, bases, concept, isShort) : undefined;
    weighed.push(one?.concept ?? { ...concept, idf: functionWordIdf });
    if (one) found.push(one);
  }
  const rareFirst = found.toSorted((a, b) => b.concept.idf - a.concept.idf);
  const scores = scoresOf(rareFirst.filter(({ common }) => !common));
  await addCommon(db, scores, rareFirst);
  return { concepts: weighed, ids: best(scores) };
}

async function lookUp(db: Queryable, bases: Asked, concept: Concept, isShort: boolean): Promise<Found> {
  const words = concept.alternatives.map(({ word }) => word);
  const [first = '', ...others] = words;
  const wanted = { baseIds: bases.ids, words: [first] };
  const ids = await passagesWith(db, wanted, mostPostings + 1);
  if (ids.length > mostPostings) {
    const having = await commonness(db, wanted, bases.passages);
    return { concept: { ...concept, idf: idfOf(having, bases.passages) }, wanted, shares: new Map(), common: true };
  }
  const shares = new Map<number, number>();
  if (others.length > 0) {
    // What stands for the word counts like the best of it here: the ranking weighs each by itself.
    const instead = await passagesWith(db, { baseIds: bases.ids, words: others }, mostPostings);
    for (const id of instead) shares.set(id, concept.alternatives[1]!.weight);
  }
  for (const id of ids) shares.set(id, 1);
  // Where there are more than can be judged, those that are about it come first.
  if (isShort && ids.length > mostCandidates) {
    for (const id of await passagesAbout(db, wanted, mostPostings)) shares.set(id, 1 + aboutness);
  }
  const idf = idfOf(shares.size, bases.passages);
  return { concept: { ...concept, idf }, wanted: { ...wanted, words }, shares, common: false };
}

type Scores = Map<number, number>;

/** Once no other passage can come near those that were found, further concepts only add to them. */
function scoresOf(rareFirst: readonly Found[]): Scores {
  const scores: Scores = new Map();
  let left = rareFirst.reduce((sum, { concept }) => sum + concept.idf * (1 + aboutness), 0);
  for (const { concept, shares } of rareFirst) {
    const closed = scores.size >= mostCandidates && left < nthBest(scores, mostCandidates);
    for (const [id, share] of shares) {
      const score = scores.get(id);
      if (score !== undefined || !closed) scores.set(id, (score ?? 0) + concept.idf * share);
    }
    left -= concept.idf * (1 + aboutness);
  }
  return scores;
}

const nthBest = (scores: Scores, n: number): number => Float64Array.from(scores.values()).toSorted().at(-n)!;

/** Common concepts count where they stand together with rare ones, or else with one another, or where a passage is about them. */
async function addCommon(db: Queryable, scores: Scores, rareFirst: readonly Found[]): Promise<void> {
  const common = rareFirst.filter((one) => one.common);
  if (common.length === 0) return;
  const rare = rareFirst.filter(({ shares }) => shares.size > 0);
  const add = (ids: readonly number[], worth: number): void => {
    for (const id of ids) scores.set(id, (scores.get(id) ?? 0) + worth);
  };
  if (rare.length > 0) {
    const { baseIds } = rare[0]!.wanted;
    const anyRare = { baseIds, words: rare.flatMap(({ wanted }) => wanted.words) };
    for (const { concept, wanted } of common)
      add(await passagesWithAll(db, [anyRare, wanted], mostPostings), concept.idf);
  }
  if (scores.size >= mostCandidates) return;
  const together = common.map(({ wanted }) => wanted);
  const all = common.reduce((sum, { concept }) => sum + concept.idf, 0);
  add(await passagesWithAll(db, together, mostPostings), all);
  for (const { concept, wanted } of common) add(await passagesAbout(db, wanted, mostPostings), concept.idf);
}

const best = (scores: Scores): number[] =>
  [...scores]
    .toSorted((a, b) => b[1] - a[1] || a[0] - b[0])
    .slice(0, mostCandidates)
    .map(([id]) => id);
