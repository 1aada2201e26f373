import { notFound } from '../../base/errors.ts';
import { transact } from '../../db/transaction.ts';
import type { App } from '../../kernel/app.ts';
import type { Page, Paged } from '../../kernel/paging.ts';
import type { ContactNote } from './contact.ts';
import * as store from './notes-store.ts';
import { contactOf } from './service.ts';

/**
 * The notes of a contact, newest first.
 * @throws notFound when the organization has no such contact
 */
export async function listNotes(app: App, orgId: string, contactId: string, page: Page): Promise<Paged<ContactNote>> {
  await contactOf(app.db, orgId, contactId);
  return store.notesPage(app.db, contactId, page);
}

/** @throws notFound when the organization has no such contact */
export function addNote(app: App, orgId: string, contactId: string, content: string): Promise<ContactNote> {
  return transact(app.db, orgId, async (tx) => {
    await contactOf(tx, orgId, contactId);
    const note = { id: app.ids.make(), contactId, content, createdAt: app.clock.now() };
    await store.insertNote(tx, orgId, note);
    return note;
  });
}

/** @throws notFound when the organization has no such contact, or the contact no such note */
export function deleteNote(app: App, orgId: string, contactId: string, noteId: string): Promise<void> {
  return transact(app.db, orgId, async (tx) => {
    await contactOf(tx, orgId, contactId);
    if (!(await store.deleteNote(tx, contactId, noteId))) throw notFound('note');
  });
}
