import type { IndexReader } from '../index/search-index.ts';
import { isGenericWord } from '../lexicon/generic-words.ts';
import type { QueryTerm } from '../query/analyze-query.ts';
import type { WeightedWord } from '../query/spelling.ts';

/** A query term with its inverse document frequency: a word that few passages contain says more. */
export type WeightedTerm = QueryTerm & { idf: number };

export type Matches = {
  terms: WeightedTerm[];
  /** Passages that match the query, best first by a rough score: at least `maxCandidates`, where there are as many. */
  passageIds: number[];
  /** The idf of a word that only one passage contains. */
  rareIdf: number;
};

/** Passages that are scored in full, unless many of them are duplicates. */
export const maxCandidates = 80;
/** A word in more passages is frequent: it is not looked up alone, only together with rarer words. */
const maxPostings = 3000;
/** The bonus of a passage in which the word is salient, as a share of the term's idf. */
const salienceBonus = 0.5;
/** Many passages contain all words of a query with this few content words, so salience has to choose among them. */
const maxShortQueryTerms = 3;
/** Stop words are not looked up in the index, so they get this fixed idf. */
const stopWordIdf = 0.1;
const genericWordFactor = 0.5;

/** BM25's inverse document frequency, but never negative. */
const idfOf = (matching: number, total: number): number =>
  Math.log(1 + Math.max(0, total - matching + 0.5) / (matching + 0.5));

const weigh = (term: QueryTerm, matching: number, total: number): WeightedTerm => {
  const factor = isGenericWord(term.variants[0]!.word) ? genericWordFactor : 1;
  return { ...term, idf: factor * idfOf(matching, total) };
};

type TermMatches = {
  term: WeightedTerm;
  words: readonly string[];
  /** The share of the term's idf that each passage earns, by passage id; empty for a frequent word. */
  shares: ReadonlyMap<number, number>;
  isFrequent: boolean;
};

/** Finds the passages worth scoring without reading the postings of frequent words. */
export async function findMatches(index: IndexReader, queryTerms: readonly QueryTerm[]): Promise<Matches> {
  const terms: WeightedTerm[] = [];
  const matches: TermMatches[] = [];
  const isShort = queryTerms.filter(({ isContentWord }) => isContentWord).length <= maxShortQueryTerms;
  for (const queryTerm of queryTerms) {
    const found = queryTerm.isContentWord ? await lookUp(index, queryTerm, isShort) : undefined;
    terms.push(found?.term ?? { ...queryTerm, idf: stopWordIdf });
    if (found) matches.push(found);
  }
  const rarestFirst = matches.toSorted((a, b) => b.term.idf - a.term.idf);
  const scores = scoreRareTerms(rarestFirst.filter(({ isFrequent }) => !isFrequent));
  await addFrequentTerms(index, scores, rarestFirst);
  return { terms, passageIds: bestFirst(scores), rareIdf: idfOf(1, index.passageCount) };
}

async function lookUp(index: IndexReader, queryTerm: QueryTerm, isShort: boolean): Promise<TermMatches> {
  const words = queryTerm.variants.map(({ word }) => word);
  const [word = ''] = words;
  const ids = await index.postings([word], maxPostings + 1);
  if (ids.length > maxPostings) {
    const term = weigh(queryTerm, await index.documentFrequency(word), index.passageCount);
    return { term, words: [word], shares: new Map(), isFrequent: true };
  }
  const shares = await lookUpVariants(index, queryTerm.variants.slice(1));
  for (const id of ids) shares.set(id, 1);
  if (isShort && ids.length > maxCandidates) {
    for (const id of await index.salientPostings([word], maxPostings)) shares.set(id, 1 + salienceBonus);
  }
  // The salience bonus is not a second match.
  const matching = sum(shares.values().map((share) => Math.min(1, share)));
  return { term: weigh(queryTerm, matching, index.passageCount), words, shares, isFrequent: false };
}

/** Variants whose weights round up to the same quarter share one lookup. */
const weightSteps = 4;

/** The shares that passages earn by variants of a word. The heaviest variants come last, so a passage keeps its highest share. */
async function lookUpVariants(index: IndexReader, variants: readonly WeightedWord[]): Promise<Map<number, number>> {
  const shares = new Map<number, number>();
  const byWeight = Map.groupBy(variants, ({ weight }) => Math.ceil(weight * weightSteps));
  for (const [, group] of [...byWeight].toSorted(([a], [b]) => a - b)) {
    const words = group.map(({ word }) => word);
    const highest = Math.max(...group.map(({ weight }) => weight));
    for (const id of await index.postings(words, maxPostings)) shares.set(id, highest);
  }
  return shares;
}

const sum = (values: Iterable<number>): number => Iterator.from(values).reduce((total, value) => total + value, 0);

type Scores = Map<number, number>;

/** Adds up the terms, the rarest first. Once no new passage can reach the best ones, further terms only add to passages found before. */
function scoreRareTerms(rarestFirst: readonly TermMatches[]): Scores {
  const scores: Scores = new Map();
  let attainable = sum(rarestFirst.map(({ term }) => term.idf * (1 + salienceBonus)));
  for (const { term, shares } of rarestFirst) {
    const isClosed = countAbove(scores, attainable) >= maxCandidates;
    for (const [id, share] of shares) {
      const score = scores.get(id);
      if (score !== undefined || !isClosed) scores.set(id, (score ?? 0) + term.idf * share);
    }
    attainable -= term.idf * (1 + salienceBonus);
  }
  return scores;
}

/** Counting takes a tenth of the time of sorting. */
function countAbove(scores: Scores, threshold: number): number {
  let count = 0;
  for (const score of scores.values()) if (score > threshold) count += 1;
  return count;
}

/**
 * Frequent words count in passages that also contain a rare word. Where those are too few, passages with all frequent words and passages
 * where one of them is salient are added.
 */
async function addFrequentTerms(
  index: IndexReader,
  scores: Scores,
  rarestFirst: readonly TermMatches[],
): Promise<void> {
  const frequent = rarestFirst.filter(({ isFrequent }) => isFrequent);
  if (frequent.length === 0) return;
  const add = (ids: readonly number[], points: number): void => {
    for (const id of ids) scores.set(id, (scores.get(id) ?? 0) + points);
  };
  const rareWords = rarestFirst.filter(({ shares }) => shares.size > 0).flatMap(({ words }) => words);
  if (rareWords.length > 0) {
    for (const { term, words } of frequent) add(await index.postingsOfAll([rareWords, words], maxPostings), term.idf);
  }
  if (scores.size >= maxCandidates) return;
  const allWords = frequent.map(({ words }) => words);
  add(await index.postingsOfAll(allWords, maxPostings), sum(frequent.map(({ term }) => term.idf)));
  for (const { term, words } of frequent) add(await index.salientPostings(words, maxPostings), term.idf);
}

const bestFirst = (scores: Scores): number[] =>
  [...scores].toSorted((a, b) => b[1] - a[1] || a[0] - b[0]).map(([id]) => id);
