import type { Tx } from '../db/transaction.ts';
import type { App } from '../kernel/app.ts';
import { type BackgroundApp, backgroundRead } from '../kernel/background.ts';
import { baseIdFor, deleteSome } from './index/sqlite/bases.ts';
import { diversify } from './score/diversify.ts';
import { place } from './embeddings/placing.ts';
import { type QuestionVector, vectorFor } from './embeddings/question-vector.ts';
import { embeddingsOf } from './embeddings/settings.ts';
import { mergeSome } from './index/sqlite/merging.ts';
import { type Passage, titleWords, wordsIn } from './index/passage.ts';
import { addPassage, deletedAtOnce, deletePassagesOf, indexPassage, shownOf } from './index/sqlite/passages.ts';
import { type Asked, rankedFor } from './ranking.ts';
import { learn } from './index/sqlite/vocabulary.ts';

/** What is searchable of a document, or some of it. */
export type Placed = {
  organizationId: string;
  knowledgeBaseId: string;
  documentId: string;
  title: string;
  passages: readonly Passage[];
};

/**
 * A passage that answers a question. `score` is from 0 to 1. Where the best one has less than about 0.5 there is hardly an answer: on
 * bench/retrieval/held-out that keeps four of five questions that have one, and refuses two of five of those that have none.
 */
export type Found = { documentId: string; text: string; heading: string | null; page: number | null; score: number };

/** Replaces what is searchable of a document that has not many passages, in the caller's transaction. Vectors, if any, follow later. */
export async function putPassages(app: BackgroundApp, tx: Tx, placed: Placed): Promise<void> {
  await deletePassagesOf(tx, placed.documentId);
  await addPassages(app, tx, placed);
  await mergeSome(tx);
}

/**
 * Adds to what is searchable of a document: one that is too long for one transaction comes in several, and the index is merged
 * (merging.ts) between them.
 */
export async function addPassages(app: BackgroundApp, tx: Tx, placed: Placed): Promise<void> {
  const { documentId, title, passages } = placed;
  const where = { baseId: await baseIdFor(tx, placed), documentId, title, titleWords: titleWords(title) };
  const ids: number[] = [];
  for (const passage of passages) ids.push(await addPassage(tx, where, passage));
  await learn(tx, where.baseId, [...where.titleWords, ...passages.flatMap(({ fresh }) => wordsIn(fresh))]);
  for (const [index, passage] of passages.entries()) await indexPassage(tx, ids[index]!, where, passage);
  await place(app, tx, ids);
}

/** Deletes a batch of what the search knows of a base that was removed. Whether there may be more: then it is called again. */
export const removeSomeOfBase = (tx: Tx, knowledgeBaseId: string): Promise<boolean> =>
  deleteSome(tx, knowledgeBaseId, deletedAtOnce);

/**
 * The passages of some knowledge bases that answer a question best, best first. The caller has judged that these bases are its own, and
 * is in no transaction: an embeddings endpoint may be asked. A question without a word in it finds nothing.
 */
export async function search(app: App, organizationId: string, asked: Asked): Promise<Found[]> {
  const vector = await vectorFor(app, asked);
  return app.background.run(findAnswers, { asked, vector }, organizationId);
}

export const findAnswers = backgroundRead(
  'knowledge.search',
  async ({ db }, { asked, vector }: { asked: Asked; vector: QuestionVector | undefined }): Promise<Found[]> => {
    const chosen = diversify(await rankedFor(db, asked, vector), asked.limit);
    const shown = await shownOf(
      db,
      chosen.map(({ id }) => id),
    );
    return chosen.flatMap(({ id, score }) => {
      const passage = shown.get(id);
      if (!passage) return [];
      const { documentId, text, heading, page } = passage;
      return [{ documentId, text, heading, page, score: shownScore(score) }];
    });
  },
);

/**
 * A passage hardly ever has all that was asked for. To take 0.18 of it for enough keeps five of six answers of bench/retrieval/tuning;
 * the exponent makes 0.5 of that.
 */
const exponent = Math.log(0.5) / Math.log(0.18);
const shownScore = (score: number): number => Math.round(score ** exponent * 10_000) / 10_000;

/** How the knowledge bases of this installation are searched. */
export const retrievalOf = (app: App): 'full_text' | 'hybrid' =>
  embeddingsOf(app.config) === undefined ? 'full_text' : 'hybrid';
