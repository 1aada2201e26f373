import { transact, type Tx } from '../../db/transaction.ts';
import type { App } from '../../kernel/app.ts';
import { startBatches } from '../../kernel/batch-job.ts';
import { maxBatchRows } from '../../kernel/batch-size.ts';
import { jobKind } from '../../kernel/queue.ts';
import { forgetChanges } from '../requests/changes.ts';
import type { Contact } from './contact.ts';
import { contactDeleting, contactForgetting } from './events.ts';
import { deleteNotes } from './notes-store.ts';
import { indexAfterCommit } from './search.ts';
import { contactOf } from './service.ts';
import * as store from './store.ts';

/** Clears the next batch of references to a removed contact; the key is the contact's id. */
export const forgetContact = jobKind<{ orgId: string }>('contact.forget');

/**
 * Hides a contact from every reader and deletes its data at once. Its past calls and campaign contacts stay, without a contact: the first of
 * them are cleared here, those that are left by a job, in batches.
 * @throws notFound when the organization has no such contact; conflict while a live call needs it
 */
export function removeContact(app: App, orgId: string, id: string): Promise<void> {
  return transact(app.db, orgId, (tx) => removeInTransaction(app, tx, orgId, id));
}

/** The same in a transaction of the caller. */
export async function removeInTransaction(app: App, tx: Tx, orgId: string, id: string): Promise<void> {
  await hideContact(app, tx, orgId, id);
  if (!(await forgetBatch(app, tx, orgId, id))) await startBatches(app, tx, forgetContact, id, { orgId });
  indexAfterCommit(app, tx);
}

/**
 * Hides a contact from every reader and deletes its own data; what refers to it stays for now. Returns it as it was.
 * @throws notFound when the organization has no such contact; conflict while a live call needs it
 */
export async function hideContact(app: App, tx: Tx, orgId: string, id: string): Promise<Contact> {
  const contact = await contactOf(tx, orgId, id);
  await app.events.emit(app, tx, contactDeleting, { orgId, contactId: id });
  await forgetChanges(tx, id);
  await store.markRemoved(tx, id, app.clock.now());
  return contact;
}

/** Clears one batch of references to a removed contact and, when none is left, deletes the contact. Returns whether it deleted it. */
export async function forgetBatch(app: App, tx: Tx, orgId: string, id: string): Promise<boolean> {
  const batch = { isLast: (await deleteNotes(tx, id, maxBatchRows)) < maxBatchRows };
  await app.events.emit(app, tx, contactForgetting, { orgId, contactId: id, batch });
  if (batch.isLast) {
    await store.deleteContact(tx, id);
    indexAfterCommit(app, tx);
  }
  return batch.isLast;
}
