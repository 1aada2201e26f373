import { sql } from 'kysely';
import { prepared } from '../../../db/prepared.ts';
import type { Queryable, Tx } from '../../../db/transaction.ts';
import { allInBase } from './bases.ts';
import { contentHashOf } from '../../embeddings/text.ts';
import type { Passage } from '../passage.ts';

/** Rows that one transaction deletes, some milliseconds' worth: it holds up nobody, however much there is to delete. */
export const deletedAtOnce = 200;

/** Where passages stand. */
export type Place = { baseId: number; documentId: string; title: string; titleWords: readonly string[] };

type Row = Omit<Place, 'titleWords'> & Pick<Passage, 'text' | 'heading' | 'page' | 'length'>;

const insertPassage = prepared(
  (_db, p: Row & { hash: string; words: string }) => sql<{ id: number }>`
    INSERT INTO retrieval_passages (base_id, document_id, title, heading, page, length, content_hash, words, text)
    VALUES (${p.baseId}, ${p.documentId}, ${p.title}, ${p.heading}, ${p.page}, ${p.length}, ${p.hash}, ${p.words}, ${p.text})
    RETURNING id`,
);

const indexWords = prepared(
  (_db, p: { id: number; salient: string; plain: string }) => sql`
    INSERT INTO retrieval_words (rowid, salient, plain) VALUES (${p.id}, ${p.salient}, ${p.plain})`,
);

/** Adds a passage; answers its id. Its words are not found before `indexPassage`. */
export async function addPassage(tx: Tx, place: Place, passage: Passage): Promise<number> {
  const { titleWords, ...placed } = place;
  const { text, heading, page, length, lines } = passage;
  const hash = contentHashOf({ title: place.title, heading, text });
  // A line for the title, one for the headings, one for the text; each word with a blank on both sides.
  const words = ` ${titleWords.join(' ')} \n ${lines} `;
  const { rows } = await insertPassage(tx, { ...placed, text, heading, page, length, hash, words });
  return rows[0]!.id;
}

/**
 * Adds the words of a passage to the index. SQLite keeps them in memory until the transaction ends, but writes them as a segment of
 * their own when a statement with triggers, or of several rows, comes between: so those come first, for all passages of a transaction.
 */
export async function indexPassage(tx: Tx, id: number, place: Place, { salient, all }: Passage): Promise<void> {
  const marked = (words: string): string => allInBase(place.baseId, [...place.titleWords, words].join(' ').trim());
  await indexWords(tx, { id, salient: marked(salient), plain: marked(all) });
}

const deletePassages = prepared((db, p: { documentId: string }) =>
  db.deleteFrom('retrieval_passages').where('document_id', '=', p.documentId),
);

/** Takes a document's passages out of the index: of one that has not many. */
export async function deletePassagesOf(tx: Tx, documentId: string): Promise<void> {
  await deletePassages(tx, { documentId });
}

/** The same for a few of them; answers whether there may be more. */
export async function deleteSomePassagesOf(tx: Tx, documentId: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    DELETE FROM retrieval_passages
    WHERE id IN (SELECT id FROM retrieval_passages WHERE document_id = ${documentId} LIMIT ${deletedAtOnce})`.execute(
    tx,
  );
  return numAffectedRows === BigInt(deletedAtOnce);
}

/** Whether a document has more passages than one transaction may delete. */
export async function hasManyPassages(db: Queryable, documentId: string): Promise<boolean> {
  const { rows } = await sql`
    SELECT 1 FROM retrieval_passages WHERE document_id = ${documentId} LIMIT 1 OFFSET ${deletedAtOnce}`.execute(db);
  return rows.length > 0;
}

/** `hash` is that of its title, headings and text. */
export type Candidate = { id: number; documentId: string; length: number; hash: string; words: string };

const candidatesById = prepared(
  (_db, p: { ids: string }) => sql<Candidate>`
    SELECT passage.id, passage.document_id AS documentId, passage.length, passage.content_hash AS hash, passage.words
    FROM json_each(${p.ids}) AS wanted
    CROSS JOIN retrieval_passages AS passage ON passage.id = wanted.value
    CROSS JOIN knowledge_documents AS document ON document.id = passage.document_id
    WHERE document.removed_at IS NULL AND (document.status <> 'error' OR document.content_hash IS NOT NULL)`,
);

/** What a passage is judged by; those of documents that were removed, or have no text that could be read, are left out. */
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
