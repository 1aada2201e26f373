import type { VectorReader } from './embeddings/vector-reader.ts';
import type { UnitVector } from './embeddings/vectors.ts';
import type { Candidate, IndexReader } from './index/search-index.ts';
import { analyzeQuery, type QueryTerm } from './query/analyze-query.ts';
import { findMatches, maxCandidates } from './recall/candidates.ts';
import { cosinesWith, type Nearest, nearestPassages } from './recall/nearest-passages.ts';
import { scoreBm25f, type ScoredPassage } from './score/bm25f.ts';
import { fuseScores, semanticScore } from './score/fusion.ts';

/** Returns which of these documents a search may find. The feature that stores the documents decides. */
export type FindableDocuments = (ids: readonly string[]) => Promise<ReadonlySet<string>>;

export type SearchQuery = { knowledgeBaseIds: readonly string[]; query: string; limit: number };

/** A query's vector, and the passages' vectors to compare it with. */
export type SemanticQuery = { query: UnitVector; vectors: VectorReader };

/** Passages in no order, and the index terms by which they may have been found. */
export type RankedPassages = { passages: ScoredPassage[]; matchedTerms: ReadonlySet<string> };

/**
 * Scores the passages that may answer a query, in no order: by words, and by vectors where there are any. At least `limit` of them have
 * different content, where there are as many.
 */
export async function rankPassages(
  index: IndexReader,
  { query, limit }: Pick<SearchQuery, 'query' | 'limit'>,
  semantic: SemanticQuery | undefined,
  findable: FindableDocuments,
): Promise<RankedPassages> {
  const queryTerms = await analyzeQuery(index, query);
  const { terms, passageIds, rareIdf } = await findMatches(index, queryTerms);
  const nearest = semantic && (await nearestPassages(semantic.vectors, semantic.query));
  const load = (ids: readonly number[]): Promise<Candidate[]> => findableCandidates(index, ids, findable);
  const candidates = await loadCandidates(load, passageIds, nearest?.passageIds ?? [], limit);
  const meanWordCount = index.wordCount / index.passageCount;
  const lexical = scoreBm25f(candidates, terms, { meanWordCount, rareIdf });
  const scored = semantic && nearest ? await addSemanticScores(lexical, semantic, nearest) : lexical;
  return { passages: scored.filter(({ score }) => score > 0), matchedTerms: matchedTerms(queryTerms) };
}

/** The index terms that stand for what the query asks for: its content words, their other forms, corrections and synonyms. */
const matchedTerms = (queryTerms: readonly QueryTerm[]): ReadonlySet<string> =>
  new Set(queryTerms.flatMap(({ variants, isContentWord }) => (isContentWord ? variants.map(({ word }) => word) : [])));

/** Loads the best passages by words and the nearest by vectors; more only where duplicates leave fewer than `limit` different ones. */
async function loadCandidates(
  load: (ids: readonly number[]) => Promise<Candidate[]>,
  matching: readonly number[],
  nearest: readonly number[],
  limit: number,
): Promise<Candidate[]> {
  const candidates = await load([...new Set([...matching.slice(0, maxCandidates), ...nearest])]);
  const contents = new Set(candidates.map(({ contentHash }) => contentHash));
  for (let from = maxCandidates; from < matching.length && contents.size < limit; from += maxCandidates) {
    for (const candidate of await load(matching.slice(from, from + maxCandidates))) {
      if (!contents.has(candidate.contentHash)) candidates.push(candidate);
      contents.add(candidate.contentHash);
    }
  }
  return candidates;
}

async function findableCandidates(
  index: IndexReader,
  ids: readonly number[],
  findable: FindableDocuments,
): Promise<Candidate[]> {
  const candidates = await index.candidates(ids);
  const documentIds = await findable([...new Set(candidates.map(({ documentId }) => documentId))]);
  return candidates.filter(({ documentId }) => documentIds.has(documentId));
}

/** A passage without a vector keeps its lexical score. */
async function addSemanticScores(
  lexical: readonly ScoredPassage[],
  { query, vectors }: SemanticQuery,
  { cosines, distribution }: Nearest,
): Promise<ScoredPassage[]> {
  const others = lexical.map(({ id }) => id).filter((id) => !cosines.has(id));
  const cosinesOfOthers = await cosinesWith(vectors, others, query);
  return lexical.map((passage) => {
    const cosine = cosines.get(passage.id) ?? cosinesOfOthers.get(passage.id);
    if (cosine === undefined) return passage;
    return { ...passage, score: fuseScores(passage.score, semanticScore(cosine, distribution)) };
  });
}
