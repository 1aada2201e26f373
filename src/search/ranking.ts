import TinyQueue from 'tinyqueue';
import type { Comparison } from './embeddings/nearest-passages.ts';
import { isSpelled } from './analysis/tokenize.ts';
import type { IndexedPassage, IndexReader } from './index/search-index.ts';
import { queryTerms } from './query/query-terms.ts';
import { correctionsOf, formsOf, type WeightedTerm } from './query/spelling.ts';
import { scoreBm25, type TermMatches } from './score/bm25.ts';
import { fuseScores, semanticScore } from './score/fusion.ts';

/** Returns which of these documents a search may find. The feature that stores the documents decides. */
export type FindableDocuments = (ids: readonly string[]) => Promise<ReadonlySet<string>>;

export type SearchQuery = { knowledgeBaseIds: readonly string[]; query: string; limit: number };

/** Passages, best first, and the index terms by which they may have been found. */
export type RankedPassages = {
  passages: Array<IndexedPassage & { score: number }>;
  matchedTerms: ReadonlySet<string>;
};

/** Finds the passages that answer a query best: by words, and by vectors where there are any. */
export async function rankPassages(
  index: IndexReader,
  { query, limit }: Pick<SearchQuery, 'query' | 'limit'>,
  comparison: Comparison | undefined,
  findable: FindableDocuments,
): Promise<RankedPassages> {
  const terms = queryTerms(query);
  const matches = await findMatches(index, terms);
  const lexical = scoreBm25(matches, index);
  const scores = comparison ? addSemanticScores(lexical, comparison) : lexical;
  return {
    passages: await bestPassages(index, scores, limit, findable),
    matchedTerms: new Set([...terms, ...matches.flatMap(({ variants }) => variants.map(({ term }) => term))]),
  };
}

/** Further unknown words are not corrected. */
const maxCorrectedWords = 6;

/** Looks up the terms and their forms, then corrections of the words that no passage has. */
async function findMatches(index: IndexReader, terms: readonly string[]): Promise<TermMatches[]> {
  const forms = await formsOf(index, terms);
  const found = await index.postings(withVariants(terms, forms));
  const unknown = terms.filter((term) => isSpelled(term) && found.get(term)!.length === 0);
  const corrections = new Map<string, WeightedTerm[]>();
  for (const term of unknown.slice(0, maxCorrectedWords)) corrections.set(term, await correctionsOf(index, term));
  const foundCorrections = corrections.size > 0 ? await index.postings(withVariants([], corrections)) : new Map();
  return terms.map((term) => ({
    postings: found.get(term)!,
    variants: [...(forms.get(term) ?? []), ...(corrections.get(term) ?? [])].map((variant) => ({
      ...variant,
      postings: found.get(variant.term) ?? foundCorrections.get(variant.term),
    })),
  }));
}

const withVariants = (terms: readonly string[], variants: ReadonlyMap<string, readonly WeightedTerm[]>): string[] => [
  ...new Set([...terms, ...Array.from(variants.values()).flatMap((some) => some.map(({ term }) => term))]),
];

/** Passages nearest to the query that are considered even if they have none of its words. */
const maxNearest = 40;

/** A passage without a vector keeps its lexical score. */
function addSemanticScores(
  lexical: ReadonlyMap<number, number>,
  { cosines, distribution }: Comparison,
): Map<number, number> {
  const scores = new Map(lexical);
  const nearest = new Set(highest(cosines, maxNearest));
  for (const [id, cosine] of cosines) {
    if (!nearest.has(id) && !lexical.has(id)) continue;
    scores.set(id, fuseScores(lexical.get(id) ?? 0, semanticScore(cosine, distribution)));
  }
  return scores;
}

type Scored = readonly [id: number, value: number];

/** The ids with the highest values, the highest first. */
function highest(valuesById: Iterable<Scored>, count: number): number[] {
  const compare = ([a, of]: Scored, [b, than]: Scored): number => of - than || b - a;
  const best = new TinyQueue<Scored>([], compare);
  for (const scored of valuesById) {
    if (best.length === count && compare(scored, best.peek()!) < 0) continue;
    best.push(scored);
    if (best.length > count) best.pop();
  }
  return best.data.toSorted((a, b) => compare(b, a)).map(([id]) => id);
}

/** Loads the best passages that may be found, duplicates left out; more where these leave fewer than `limit`. */
async function bestPassages(
  index: IndexReader,
  scores: ReadonlyMap<number, number>,
  limit: number,
  findable: FindableDocuments,
): Promise<RankedPassages['passages']> {
  for (let count = 2 * limit; ; count *= 4) {
    const ids = highest(scores, count);
    const passages = await index.passages(ids);
    const documents = await findable([...new Set(Array.from(passages.values(), ({ documentId }) => documentId))]);
    const chosen = new Map<string, IndexedPassage & { score: number }>();
    for (const id of ids) {
      const passage = passages.get(id);
      if (!passage || !documents.has(passage.documentId) || chosen.has(passage.contentHash)) continue;
      chosen.set(passage.contentHash, { ...passage, score: scores.get(id)! });
    }
    if (chosen.size >= limit || ids.length < count) return [...chosen.values()].slice(0, limit);
  }
}
