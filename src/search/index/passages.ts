import { sql } from 'kysely';
import { prepared } from '../../db/prepared.ts';
import { listOf } from '../../db/sql.ts';
import type { Queryable, Tx } from '../../db/transaction.ts';
import { isSpelled } from '../analysis/tokenize.ts';
import { baseIdFor } from './bases.ts';
import { contentHashOf } from './content.ts';
import { type Passage, splitTerms, termsWithTitle, titleTerms, titleWeight } from './passage.ts';
import { deletionBatchSize, type IndexedDocument, type IndexedPassage } from './search-index.ts';

type PassageRow = Pick<Passage, 'text' | 'heading' | 'page' | 'length'> & {
  baseId: number;
  documentId: string;
  title: string;
  hash: string;
};

const insertPassage = prepared(
  (_db, p: PassageRow) => sql<{ id: number }>`
    INSERT INTO retrieval_passages (base_id, document_id, title, heading, page, length, content_hash, text)
    VALUES (${p.baseId}, ${p.documentId}, ${p.title}, ${p.heading}, ${p.page}, ${p.length}, ${p.hash}, ${p.text})
    RETURNING id`,
);

/** A word of a knowledge base's vocabulary. */
export type VocabularyWord = { id: number; word: string };

/** How an index keeps the words of a knowledge base and the terms of a passage, those that it has once, twice, three times and more often. */
export type TermTables = {
  addTrigrams: (tx: Tx, baseId: number, words: readonly VocabularyWord[]) => Promise<void>;
  addToVocabulary: (tx: Tx, baseId: number, words: readonly string[]) => Promise<void>;
  addTerms: (
    tx: Tx,
    passage: { baseId: number; id: number; length: number },
    terms: readonly string[],
  ) => Promise<void>;
};

/**
 * Adds the rows of all passages, then their vocabulary, then their terms. FTS5 keeps terms in memory until the commit, but a statement
 * with triggers or several rows makes it write them as a segment of their own, so those statements come first.
 */
export async function addPassages(
  tx: Tx,
  document: IndexedDocument,
  passages: readonly Passage[],
  { addToVocabulary, addTerms }: Omit<TermTables, 'addTrigrams'>,
): Promise<number[]> {
  const baseId = await baseIdFor(tx, document);
  const { documentId, title } = document;
  const ofTitle = titleTerms(title);
  const lengthWithTitle = (passage: Passage): number => passage.length + titleWeight * ofTitle.length;
  const ids: number[] = [];
  for (const passage of passages) {
    const { text, heading, page } = passage;
    const hash = contentHashOf({ title, heading, text });
    const row = { baseId, documentId, title, text, heading, page, length: lengthWithTitle(passage), hash };
    ids.push((await insertPassage(tx, row)).rows[0]!.id);
  }
  const newWords = passages.flatMap((passage) => splitTerms(passage.newWords));
  await addToVocabulary(tx, baseId, [...ofTitle.filter(isSpelled), ...newWords]);
  for (const [index, passage] of passages.entries()) {
    const length = lengthWithTitle(passage);
    await addTerms(tx, { baseId, id: ids[index]!, length }, termsWithTitle(passage.terms, ofTitle));
  }
  return ids;
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

const selectPassages = prepared(
  (_db, p: { ids: readonly number[] }) => sql<IndexedPassage>`
    SELECT id, document_id AS "documentId", heading, page, text, content_hash AS "contentHash"
    FROM retrieval_passages WHERE id IN ${listOf(p.ids, 'integer')}`,
);

export async function passagesById(db: Queryable, ids: readonly number[]): Promise<Map<number, IndexedPassage>> {
  const { rows } = await selectPassages(db, { ids });
  return new Map(rows.map((row) => [row.id, row]));
}
