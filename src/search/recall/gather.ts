import type { Queryable } from '../../db/transaction.ts';
import { commonness } from './commonness.ts';
import { passagesAbout, passagesWith, passagesWithAll, type Wanted } from '../index/sqlite/lookups.ts';
import type { Alternative } from '../query/spelling.ts';
import type { Concept } from '../query/question.ts';
import { isLight } from '../analysis/light-words.ts';

/** A concept, and how much it says: a word that few passages have says more. */
export type Weighed = Concept & { idf: number };

export type Gathered = {
  concepts: Weighed[];
  /** Ids of the passages that have of what is asked for, those with most of it first: at least as many as are judged, if there are. */
  ids: number[];
  /** What a word weighs that one passage has. */
  rare: number;
};

/** The bases that are asked, and how many passages they have together. */
export type Asked = { ids: readonly number[]; passages: number };

/** Passages that are judged by all their words, unless many of them say the same. */
export const maxCandidates = 80;
/** A concept that more passages have is common: it is not looked up by itself, only among what has rarer ones. */
const mostPostings = 3000;
/** What it adds that a passage is about a word, not only has it. */
const aboutness = 0.5;
/** Where few concepts are asked for, many passages have them all. */
const shortQuestion = 3;
/** What a word without a subject of its own weighs; such words are not looked up. */
const functionWordIdf = 0.1;

/** How much of its weight a word keeps that is said about any matter. */
const lightness = 0.5;

/** BM25's weight of a word that `having` of `all` passages have; never negative. */
const idfOf = (having: number, all: number): number => Math.log(1 + Math.max(0, all - having + 0.5) / (having + 0.5));

const weighed = (concept: Concept, having: number, all: number): Weighed => {
  const light = isLight(concept.alternatives[0]!.word) ? lightness : 1;
  return { ...concept, idf: light * idfOf(having, all) };
};

type Found = {
  concept: Weighed;
  wanted: Wanted;
  /** Share of the concept that a passage has; empty when it is common. */
  shares: ReadonlyMap<number, number>;
  common: boolean;
};

/** Finds candidates without reading what most passages have. What they are worth is judged by rank.ts. */
export async function gather(db: Queryable, bases: Asked, concepts: readonly Concept[]): Promise<Gathered> {
  const all: Weighed[] = [];
  const found: Found[] = [];
  const isShort = concepts.filter(({ informative }) => informative).length <= shortQuestion;
  for (const concept of concepts) {
    const one = concept.informative ? await lookUp(db, bases, concept, isShort) : undefined;
    all.push(one?.concept ?? { ...concept, idf: functionWordIdf });
    if (one) found.push(one);
  }
  const rareFirst = found.toSorted((a, b) => b.concept.idf - a.concept.idf);
  const scores = scoresOf(rareFirst.filter(({ common }) => !common));
  await addCommon(db, scores, rareFirst);
  return { concepts: all, ids: bestFirst(scores), rare: idfOf(1, bases.passages) };
}

async function lookUp(db: Queryable, bases: Asked, concept: Concept, isShort: boolean): Promise<Found> {
  const words = concept.alternatives.map(({ word }) => word);
  const [first = ''] = words;
  const wanted = { baseIds: bases.ids, words: [first] };
  const ids = await passagesWith(db, wanted, mostPostings + 1);
  if (ids.length > mostPostings) {
    const having = await commonness(db, wanted, bases.passages);
    return { concept: weighed(concept, having, bases.passages), wanted, shares: new Map(), common: true };
  }
  const shares = await instead(db, bases, concept.alternatives.slice(1));
  for (const id of ids) shares.set(id, 1);
  // Where there are more than can be judged, those that are about it come first.
  if (isShort && ids.length > maxCandidates) {
    for (const id of await passagesAbout(db, wanted, mostPostings)) shares.set(id, 1 + aboutness);
  }
  // That a passage is about it does not make it two.
  const having = sum(shares.values().map((share) => Math.min(1, share)));
  return {
    concept: weighed(concept, having, bases.passages),
    wanted: { ...wanted, words },
    shares,
    common: false,
  };
}

/** How near words in a lookup are to each other in weight. */
const steps = 4;

/** The share that other words give to passages: those of about the same weight are looked up at once, the best last. */
async function instead(db: Queryable, bases: Asked, others: readonly Alternative[]): Promise<Map<number, number>> {
  const shares = new Map<number, number>();
  const byWeight = Map.groupBy(others, ({ weight }) => Math.ceil(weight * steps));
  for (const [, some] of [...byWeight].toSorted(([a], [b]) => a - b)) {
    const words = some.map(({ word }) => word);
    const weight = Math.max(...some.map((one) => one.weight));
    for (const id of await passagesWith(db, { baseIds: bases.ids, words }, mostPostings)) shares.set(id, weight);
  }
  return shares;
}

const sum = (values: Iterable<number>): number => Iterator.from(values).reduce((total, value) => total + value, 0);

type Scores = Map<number, number>;

/** Once no other passage can come near those that were found, further concepts only add to them. */
function scoresOf(rareFirst: readonly Found[]): Scores {
  const scores: Scores = new Map();
  let left = sum(rareFirst.map(({ concept }) => concept.idf * (1 + aboutness)));
  for (const { concept, shares } of rareFirst) {
    const closed = countAbove(scores, left) >= maxCandidates;
    for (const [id, share] of shares) {
      const score = scores.get(id);
      if (score !== undefined || !closed) scores.set(id, (score ?? 0) + concept.idf * share);
    }
    left -= concept.idf * (1 + aboutness);
  }
  return scores;
}

/** Counting takes a tenth of the time of sorting. */
function countAbove(scores: Scores, least: number): number {
  let count = 0;
  for (const score of scores.values()) if (score > least) count += 1;
  return count;
}

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
  if (scores.size >= maxCandidates) return;
  const together = common.map(({ wanted }) => wanted);
  const all = sum(common.map(({ concept }) => concept.idf));
  add(await passagesWithAll(db, together, mostPostings), all);
  for (const { concept, wanted } of common) add(await passagesAbout(db, wanted, mostPostings), concept.idf);
}

const bestFirst = (scores: Scores): number[] =>
  [...scores].toSorted((a, b) => b[1] - a[1] || a[0] - b[0]).map(([id]) => id);
