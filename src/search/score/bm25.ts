import type { Posting } from '../index/search-index.ts';
import type { WeightedTerm } from '../query/spelling.ts';

/** A term of the query and what may stand for it, each with the passages that have it. */
export type TermMatches = {
  /** Passages with the term itself; none for a term that the knowledge bases lack. */
  postings: readonly Posting[];
  variants: ReadonlyArray<WeightedTerm & { postings: readonly Posting[] }>;
};

/** Statistics of the knowledge bases that are searched. */
export type CollectionStats = { passageCount: number; meanLength: number };

/** BM25's usual parameters: how fast a term's frequency saturates, and how much the length of a passage counts. */
const k1 = 1.2;
const b = 0.75;

/** BM25's inverse document frequency, but never negative. */
const idfOf = (matching: number, total: number): number => Math.log(1 + (total - matching + 0.5) / (matching + 0.5));

/**
 * Scores passages by BM25, as a share of the most that a passage could get for this query. A term that no passage has counts as the
 * rarest, so a passage with the only known term of a question does not look like an answer. Of a term and its variants, the one that
 * is worth most counts.
 */
export function scoreBm25(
  terms: readonly TermMatches[],
  { passageCount, meanLength }: CollectionStats,
): Map<number, number> {
  const idfs = terms.map(({ postings }) => idfOf(Math.max(1, postings.length), passageCount));
  const maxScore = idfs.reduce((sum, idf) => sum + idf * (k1 + 1), 0);
  const scores = new Map<number, number>();
  for (const [index, { postings, variants }] of terms.entries()) {
    const best = new Map<number, number>();
    for (const { weight, postings: found } of [{ weight: 1, postings }, ...variants]) {
      const idf = Math.min(idfs[index]!, idfOf(found.length, passageCount));
      const worth = (weight * idf * (k1 + 1)) / maxScore;
      for (const { id, frequency, length } of found) {
        const score = (worth * frequency) / (frequency + k1 * (1 - b + (b * length) / meanLength));
        if (score > (best.get(id) ?? 0)) best.set(id, score);
      }
    }
    for (const [id, score] of best) scores.set(id, (scores.get(id) ?? 0) + score);
  }
  return scores;
}
