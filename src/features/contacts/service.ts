import { notFound } from '../../base/errors.ts';
import { type Queryable, transact, type Tx } from '../../db/transaction.ts';
import type { App } from '../../kernel/app.ts';
import type { Page, Paged } from '../../kernel/paging.ts';
import { changesCalls, type Contact, type ContactFields, emptyContact, foldText } from './contact.ts';
import { type ContactInput, givenFields } from './contact-input.ts';
import { isDoNotCall } from './do-not-call.ts';
import { isBarred } from './do-not-call-store.ts';
import { contactChanged, contactDeleting } from './events.ts';
import * as store from './store.ts';

export { isDoNotCall };
export type { ContactInput };

/** @throws notFound, the same for another organization's contact */
export async function contactOf(db: Queryable, orgId: string, id: string): Promise<Contact> {
  const contact = await store.contactById(db, orgId, id);
  if (!contact) throw notFound('contact');
  return contact;
}

/** Those of up to some 10,000 ids that are contacts of the organization, in no particular order. */
export const findContacts = (db: Queryable, orgId: string, ids: readonly string[]): Promise<Contact[]> =>
  store.contactsByIds(db, orgId, ids);

/** The contacts that have these phones; of several with the same one, the oldest. */
export const contactsByPhone = async (
  db: Queryable,
  orgId: string,
  phones: readonly string[],
): Promise<Map<string, Contact>> =>
  new Map((await store.contactsOfPhones(db, orgId, phones)).map((contact) => [contact.phone!, contact]));

/** Whether a phone must not be called: on the organization's list, or of a contact, or called as one, that carries the flag. */
export const isOffLimits = (db: Queryable, orgId: string, phone: string, contactId: string | null): Promise<boolean> =>
  isBarred(db, { orgId, phone, contactId });

/**
 * Newest first; `q` is looked for anywhere in name, e-mail, phone and company, whatever the case. Blanks around it do not count:
 * a `+` that was not escaped in a query string arrives as one.
 */
export const listContacts = (app: App, orgId: string, q: string, page: Page): Promise<Paged<Contact>> =>
  store.contactsPage(app.db, orgId, foldText(q).trim(), page);

/** A contact that is about to be: the fields given, the others empty. */
export function newContact(app: App, orgId: string, given: Partial<ContactFields>): Contact {
  const now = app.clock.now();
  return { ...emptyContact, ...given, id: app.ids.make(), orgId, createdAt: now, updatedAt: now };
}

/** Makes contacts, any number at once; answered in the order given. */
export async function createContacts(
  app: App,
  tx: Tx,
  orgId: string,
  inputs: readonly ContactInput[],
): Promise<Contact[]> {
  const contacts = inputs.map((input) => newContact(app, orgId, givenFields(input)));
  await store.saveContacts(tx, contacts);
  return contacts;
}

/**
 * Changes the fields given; null clears one, `metadata` is replaced as a whole.
 * @throws notFound
 */
export function updateContact(app: App, orgId: string, id: string, changes: ContactInput): Promise<Contact> {
  return transact(app.db, async (tx) => {
    const before = await contactOf(tx, orgId, id);
    const contact: Contact = { ...before, ...givenFields(changes), updatedAt: app.clock.now() };
    await store.saveContacts(tx, [contact]);
    if (changesCalls(before, contact)) await app.events.emit(app, tx, contactChanged, { orgId, contactId: id });
    return contact;
  });
}

/**
 * Deletes a contact with its notes; its past calls stay, without it.
 * @throws notFound, or the conflict of whoever still needs it (a call under way)
 */
export function deleteContact(app: App, orgId: string, id: string): Promise<void> {
  return transact(app.db, async (tx) => {
    await contactOf(tx, orgId, id);
    await app.events.emit(app, tx, contactDeleting, { orgId, contactId: id });
    await store.deleteContact(tx, id);
  });
}
