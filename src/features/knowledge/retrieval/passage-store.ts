import { sql } from 'kysely';
import { prepared } from '../../../db/prepared.ts';
import type { Queryable, Tx } from '../../../db/transaction.ts';
import { inBase } from './bases.ts';
import type { Passage } from './passage.ts';

const insertPassage = prepared(
  (_db, p: { baseId: number; documentId: string } & Omit<Passage, 'salient' | 'all'>) => sql<{ id: number }>`
    INSERT INTO retrieval_passages (base_id, document_id, title, heading, page, length, content_hash, words, text)
    VALUES (${p.baseId}, ${p.documentId}, ${p.title}, ${p.heading}, ${p.page}, ${p.length}, ${p.hash}, ${p.words}, ${p.text})
    RETURNING id`,
);

const indexWords = prepared(
  (_db, p: { id: number; salient: string; plain: string }) => sql`
    INSERT INTO retrieval_words (rowid, salient, plain) VALUES (${p.id}, ${p.salient}, ${p.plain})`,
);

/** Adds a passage and its words to the index; answers its id. */
export async function addPassage(tx: Tx, baseId: number, documentId: string, passage: Passage): Promise<number> {
  const { salient, all, ...row } = passage;
  const { rows } = await insertPassage(tx, { ...row, baseId, documentId });
  const marked = (words: readonly string[]): string => words.map((word) => inBase(baseId, word)).join(' ');
  const { id } = rows[0]!;
  await indexWords(tx, { id, salient: marked(salient), plain: marked(all) });
  return id;
}

const deletePassages = prepared((db, p: { documentId: string }) =>
  db.deleteFrom('retrieval_passages').where('document_id', '=', p.documentId),
);

/** Takes a document's passages out of the index. */
export async function deletePassagesOf(tx: Tx, documentId: string): Promise<void> {
  await deletePassages(tx, { documentId });
}

/** The same for a few of them; answers how many there were. */
export async function deleteSomePassagesOf(tx: Tx, documentId: string, atMost: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    DELETE FROM retrieval_passages
    WHERE id IN (SELECT id FROM retrieval_passages WHERE document_id = ${documentId} LIMIT ${atMost})`.execute(tx);
  return Number(numAffectedRows);
}

export type Candidate = { id: number; documentId: string; length: number; words: string };

const candidatesById = prepared(
  (_db, p: { ids: string }) => sql<Candidate>`
    SELECT passage.id, passage.document_id AS documentId, passage.length, passage.words
    FROM json_each(${p.ids}) AS wanted
    CROSS JOIN retrieval_passages AS passage ON passage.id = wanted.value
    CROSS JOIN knowledge_documents AS document ON document.id = passage.document_id
    WHERE document.removed_at IS NULL`,
);

/** What a passage is judged by; those of documents that were removed are left out. */
export async function candidatesOf(db: Queryable, ids: readonly number[]): Promise<Candidate[]> {
  return (await candidatesById(db, { ids: JSON.stringify(ids) })).rows;
}

export type Shown = { id: number; documentId: string; heading: string | null; page: number | null; text: string };

const shownById = prepared(
  (_db, p: { ids: string }) => sql<Shown>`
    SELECT passage.id, passage.document_id AS documentId, passage.heading, passage.page, passage.text
    FROM retrieval_passages AS passage WHERE passage.id IN (SELECT value FROM json_each(${p.ids}))`,
);

export async function shownOf(db: Queryable, ids: readonly number[]): Promise<Map<number, Shown>> {
  const { rows } = await shownById(db, { ids: JSON.stringify(ids) });
  return new Map(rows.map((row) => [row.id, row]));
}
