import { sql } from 'kysely';
import { prepared } from '../../../db/prepared.ts';
import { listOf, rowsOf } from '../../../db/sql.ts';
import type { Queryable, Tx } from '../../../db/transaction.ts';
import { contentHashOf } from '../content.ts';
import { type Passage, splitWords, titleWords } from '../passage.ts';
import { type Candidate, deletionBatchSize, type IndexedDocument, type PassageText } from '../search-index.ts';
import { baseIdFor } from './bases.ts';
import { scopedTerms } from './scoped-terms.ts';
import { addToVocabulary } from './vocabulary.ts';

type PassageRow = Pick<Passage, 'text' | 'heading' | 'page' | 'wordCount'> & {
  baseId: number;
  documentId: string;
  title: string;
  hash: string;
  words: string;
};

const insertPassage = prepared(
  (_db, p: PassageRow) => sql<{ id: number }>`
    INSERT INTO retrieval_passages (base_id, document_id, title, heading, page, length, content_hash, words, text)
    VALUES (${p.baseId}, ${p.documentId}, ${p.title}, ${p.heading}, ${p.page}, ${p.wordCount}, ${p.hash}, ${p.words}, ${p.text})
    RETURNING id`,
);

const insertTerms = prepared(
  (_db, p: { id: number; salient: string; plain: string }) => sql`
    INSERT INTO retrieval_words (rowid, salient, plain) VALUES (${p.id}, ${p.salient}, ${p.plain})`,
);

/**
 * Adds the rows of all passages, then their vocabulary, then their terms. FTS5 keeps terms in memory until the commit, but a statement
 * with triggers or several rows makes it write them as a segment of their own, so those statements come first.
 */
export async function addPassages(tx: Tx, document: IndexedDocument, passages: readonly Passage[]): Promise<number[]> {
  const baseId = await baseIdFor(tx, document);
  const ids: number[] = [];
  for (const passage of passages) ids.push(await addRow(tx, baseId, document, passage));
  const ofTitle = titleWords(document.title);
  await addToVocabulary(tx, baseId, [...ofTitle, ...passages.flatMap(({ newWords }) => splitWords(newWords))]);
  for (const [index, { salientWords, distinctWords }] of passages.entries()) {
    const scoped = (words: string): string => scopedTerms(baseId, [...ofTitle, words].join(' ').trim());
    await insertTerms(tx, { id: ids[index]!, salient: scoped(salientWords), plain: scoped(distinctWords) });
  }
  return ids;
}

async function addRow(
  tx: Tx,
  baseId: number,
  { documentId, title }: IndexedDocument,
  { text, heading, page, wordCount, orderedWords }: Passage,
): Promise<number> {
  const hash = contentHashOf({ title, heading, text });
  // A line each for title, headings and text. Scoring looks for words with a blank on both sides.
  const words = ` ${titleWords(title).join(' ')} \n ${orderedWords} `;
  const { rows } = await insertPassage(tx, { baseId, documentId, title, text, heading, page, wordCount, hash, words });
  return rows[0]!.id;
}

const deleteAll = prepared((db, p: { documentId: string }) =>
  db.deleteFrom('retrieval_passages').where('document_id', '=', p.documentId),
);

export async function deletePassages(tx: Tx, documentId: string): Promise<void> {
  await deleteAll(tx, { documentId });
}

export async function deletePassageBatch(tx: Tx, documentId: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    DELETE FROM retrieval_passages
    WHERE id IN (SELECT id FROM retrieval_passages WHERE document_id = ${documentId} LIMIT ${deletionBatchSize})`.execute(
    tx,
  );
  return numAffectedRows === BigInt(deletionBatchSize);
}

export async function hasManyPassages(db: Queryable, documentId: string): Promise<boolean> {
  const { rows } = await sql`
    SELECT 1 FROM retrieval_passages WHERE document_id = ${documentId} LIMIT 1 OFFSET ${deletionBatchSize}`.execute(db);
  return rows.length > 0;
}

const selectCandidates = prepared(
  (_db, p: { ids: readonly number[] }) => sql<Candidate>`
    SELECT passage.id, passage.document_id AS documentId, passage.length AS wordCount,
      passage.content_hash AS contentHash, passage.words
    FROM ${rowsOf(p.ids)} AS wanted
    CROSS JOIN retrieval_passages AS passage ON passage.id = wanted.value`,
);

export async function candidatesById(db: Queryable, ids: readonly number[]): Promise<Candidate[]> {
  return (await selectCandidates(db, { ids })).rows;
}

const selectTexts = prepared(
  (_db, p: { ids: readonly number[] }) => sql<PassageText>`
    SELECT passage.id, passage.document_id AS documentId, passage.heading, passage.page, passage.text
    FROM retrieval_passages AS passage WHERE passage.id IN ${listOf(p.ids)}`,
);

export async function textsById(db: Queryable, ids: readonly number[]): Promise<Map<number, PassageText>> {
  const { rows } = await selectTexts(db, { ids });
  return new Map(rows.map((row) => [row.id, row]));
}
