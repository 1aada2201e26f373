import { sql } from 'kysely';
import { readPage } from '../../db/pages.ts';
import { prepared } from '../../db/prepared.ts';
import type { Queryable, Tx } from '../../db/transaction.ts';
import { type Page, type Paged, pagedOf } from '../../kernel/paging.ts';
import type { ContactNote } from './contact.ts';

export async function insertNote(tx: Tx, orgId: string, note: ContactNote): Promise<void> {
  await tx
    .insertInto('contact_notes')
    .values({
      id: note.id,
      organization_id: orgId,
      contact_id: note.contactId,
      content: note.content,
      created_at: note.createdAt,
    })
    .execute();
}

/** Returns whether the note existed. */
export async function deleteNote(tx: Tx, contactId: string, noteId: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('contact_notes')
    .where('id', '=', noteId)
    .where('contact_id', '=', contactId)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

/** Deletes up to `limit` notes of a contact, and returns how many it deleted. */
export async function deleteNotes(tx: Tx, contactId: string, limit: number): Promise<number> {
  const result = await sql`
    DELETE FROM contact_notes
    WHERE id IN (SELECT id FROM contact_notes WHERE contact_id = ${contactId} LIMIT ${limit})`.execute(tx);
  return Number(result.numAffectedRows ?? 0n);
}

/** Kept by triggers. */
const selectCount = prepared((db, p: { id: string }) =>
  db.selectFrom('contacts').select('note_count').where('id', '=', p.id),
);
const countNotes = async (db: Queryable, contactId: string): Promise<number> =>
  (await selectCount(db, { id: contactId })).rows[0]?.note_count ?? 0;

export async function notesPage(db: Queryable, contactId: string, page: Page): Promise<Paged<ContactNote>> {
  const notes = db.selectFrom('contact_notes').where('contact_id', '=', contactId);
  const rows = notes.selectAll().orderBy('id', 'desc');
  return pagedOf(await readPage(db, rows, countNotes(db, contactId), page), (row) => ({
    id: row.id,
    contactId: row.contact_id,
    content: row.content,
    createdAt: row.created_at,
  }));
}
