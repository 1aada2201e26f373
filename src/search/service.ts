import type { Queryable, Tx } from '../db/transaction.ts';
import type { App } from '../kernel/app.ts';
import type { BackgroundApp, BackgroundTask } from '../kernel/app.ts';
import { backgroundRead } from '../kernel/background.ts';
import { type Span, spansOfTerms } from './analysis/term-spans.ts';
import { embed } from './embeddings/client.ts';
import { queueEmbedding } from './embeddings/embedding-queue.ts';
import { countAllPending, countPending } from './embeddings/pending.ts';
import { embedQuery, type QueryVector } from './embeddings/query-vector.ts';
import { embeddingsOf } from './embeddings/settings.ts';
import { compareWithAll } from './embeddings/nearest-passages.ts';
import { contactIndex } from './contacts/index.ts';
import { searchIndex } from './index/index.ts';
import type { Passage } from './index/passage.ts';
import type { IndexedDocument } from './index/search-index.ts';
import { type FindableDocuments, rankPassages, type SearchQuery } from './ranking.ts';
import { answerScore } from './score/answer-score.ts';

export { deletionBatchSize } from './index/search-index.ts';

/** Passages of a document, all or some. */
export type DocumentPassages = IndexedDocument & { passages: readonly Passage[] };

/** A passage that answers a query. `score` is from 0 to 1; when the best result has less than 0.5, there is hardly an answer. */
export type SearchResult = {
  documentId: string;
  text: string;
  heading: string | null;
  page: number | null;
  score: number;
  /** Where `text` has what the query asks for. */
  highlights: Span[];
};

type SearchArgs = { query: SearchQuery; queryVector: QueryVector | undefined };
type SearchTask = BackgroundTask<SearchArgs, SearchResult[]>;

/**
 * Finds the passages in knowledge bases that answer a query best, best first. A query without a word finds nothing. The caller must have
 * checked access to these knowledge bases, and must not be in a transaction, because the embeddings endpoint may be called.
 * @param task made by `searchTask`
 * @throws unavailable when too many questions of the organization wait, or the server stops
 */
export async function search(
  app: App,
  task: SearchTask,
  organizationId: string,
  query: SearchQuery,
): Promise<SearchResult[]> {
  const queryVector = await embedQuery(app, query);
  return app.background.run(task, { query, queryVector }, organizationId);
}

/** The background task of `search`. The feature that stores the documents makes it, and tells which of them a search may find. */
export const searchTask = (
  findableDocuments: (db: Queryable, ids: readonly string[]) => ReturnType<FindableDocuments>,
): SearchTask =>
  backgroundRead('knowledge.search', async ({ db }, { query, queryVector }) => {
    const index = await searchIndex.open(db, query.knowledgeBaseIds);
    if (!index) return [];
    const comparison = queryVector && (await compareWithAll(db, index.baseIds, queryVector));
    const { passages, matchedTerms } = await rankPassages(index, query, comparison, (ids) =>
      findableDocuments(db, ids),
    );
    return passages.map(({ documentId, text, heading, page, score }) => {
      const highlights = spansOfTerms(text, matchedTerms);
      return { documentId, text, heading, page, score: answerScore(score), highlights };
    });
  });

export const { deletePassageBatch, deleteBaseBatch, hasManyPassages, mergeStep: mergeIndex } = searchIndex;

/** Replaces the passages of a document. Call it only if `hasManyPassages` is false. The passages get their vectors, if any, later. */
export async function replacePassages(app: BackgroundApp, tx: Tx, document: DocumentPassages): Promise<void> {
  while (await deletePassageBatch(tx, document.documentId));
  await addPassages(app, tx, document);
  await mergeIndex(tx);
}

/** Adds passages to a document. A document too long for one transaction is added in several, with `mergeIndex` between them. */
export async function addPassages(
  app: BackgroundApp,
  tx: Tx,
  { passages, ...document }: DocumentPassages,
): Promise<void> {
  await queueEmbedding(app, tx, await searchIndex.addPassages(tx, document, passages));
}

/** How a knowledge base is searched, and how many of its passages wait for a vector. */
export type Retrieval = { mode: 'full_text' | 'hybrid'; pendingEmbeddings: number };

export async function retrievalOf(app: App, knowledgeBaseId: string): Promise<Retrieval> {
  if (embeddingsOf(app.config) === undefined) return { mode: 'full_text', pendingEmbeddings: 0 };
  return { mode: 'hybrid', pendingEmbeddings: await countPending(app.db, knowledgeBaseId) };
}

/** How many passages of all knowledge bases wait for a vector, and how many of these the endpoint refused before. */
export type EmbeddingBacklog = { pending: number; refused: number };

/** The passages that wait for a vector; undefined where no embeddings endpoint is configured. */
export const embeddingBacklog = async (app: App): Promise<EmbeddingBacklog | undefined> =>
  embeddingsOf(app.config) === undefined ? undefined : countAllPending(app.db);

/**
 * Has the endpoint embed one word, to see that it works. Undefined when none is configured.
 * @throws EmbeddingsFailure when the endpoint does not answer with a valid vector
 */
export async function reachEmbeddings(
  app: App,
  maxMs: number,
): Promise<{ host: string; dimensions: number } | undefined> {
  const settings = embeddingsOf(app.config);
  if (!settings) return undefined;
  const timeoutMs = Math.min(settings.timeoutMs, maxMs);
  const [vector] = await embed(app, settings, ['parley'], { timeoutMs });
  return { host: new URL(settings.url).host, dimensions: vector!.length };
}

/** Fills the word indexes of a database that was copied without them. */
export async function fillWordIndexes(tx: Tx): Promise<void> {
  await searchIndex.fill(tx);
  await contactIndex.fill(tx);
  for (const index of [searchIndex, contactIndex]) while (await index.mergeStep(tx));
}
