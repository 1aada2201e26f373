import type { Queryable } from '../../../db/transaction.ts';
import { passagesWith } from './lookup-store.ts';
import type { Concept } from './question.ts';

/** A concept, and how much it says: a word that few passages have says more. */
export type Weighed = Concept & { idf: number };

export type Gathered = {
  concepts: Weighed[];
  /** Ids of the passages that have most of what is asked for, best first. */
  ids: number[];
};

/** Passages that are judged by all their words. */
const mostCandidates = 100;
/** What it adds that a passage has a word in its title or headings, or repeats it. */
const salience = 0.5;

/** BM25's weight of a word that `having` of `all` passages have; never negative. */
const idfOf = (having: number, all: number): number => Math.log(1 + (all - having + 0.5) / (having + 0.5));

type Posting = { id: number; share: number };

/**
 * Finds candidates: rare words first, and once so many passages have been found that no other can come near them with the words that
 * are left, only those are looked at. So a common word costs little, and no passage is missed.
 */
export async function gather(
  db: Queryable,
  bases: { ids: readonly number[]; passages: number },
  concepts: readonly Concept[],
): Promise<Gathered> {
  const found: Array<{ concept: Weighed; postings: Posting[] }> = [];
  for (const concept of concepts) {
    const postings = concept.informative ? await postingsOf(db, bases.ids, concept) : [];
    found.push({ concept: { ...concept, idf: weightOf(concept, postings.length, bases.passages) }, postings });
  }
  return { concepts: found.map(({ concept }) => concept), ids: best(found) };
}

/** Words without a subject of their own weigh next to nothing, and are not looked up. */
const weightOf = (concept: Concept, having: number, all: number): number =>
  concept.informative ? idfOf(having, all) : 0.1;

async function postingsOf(db: Queryable, baseIds: readonly number[], concept: Concept): Promise<Posting[]> {
  const shares = new Map<number, number>();
  for (const { word, weight } of concept.alternatives) {
    for (const id of await passagesWith(db, baseIds, word)) if (!shares.has(id)) shares.set(id, weight);
    if (shares.size === 0) continue;
    for (const id of await passagesWith(db, baseIds, word, 'salient')) {
      const share = weight * (1 + salience);
      if (shares.get(id)! < share) shares.set(id, share);
    }
  }
  return Array.from(shares, ([id, share]) => ({ id, share }));
}

function best(found: ReadonlyArray<{ concept: Weighed; postings: readonly Posting[] }>): number[] {
  const rareFirst = found.toSorted((a, b) => b.concept.idf - a.concept.idf);
  let left = rareFirst.reduce((sum, { concept }) => sum + concept.idf * (1 + salience), 0);
  const scores = new Map<number, number>();
  for (const { concept, postings } of rareFirst) {
    const closed = scores.size >= mostCandidates && left < nthBest(scores, mostCandidates);
    for (const { id, share } of postings) {
      const score = scores.get(id);
      if (score !== undefined || !closed) scores.set(id, (score ?? 0) + concept.idf * share);
    }
    left -= concept.idf * (1 + salience);
  }
  return [...scores]
    .toSorted((a, b) => b[1] - a[1] || a[0] - b[0])
    .slice(0, mostCandidates)
    .map(([id]) => id);
}

const nthBest = (scores: ReadonlyMap<number, number>, n: number): number =>
  Float64Array.from(scores.values()).toSorted().at(-n)!;
