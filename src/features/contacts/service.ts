import { notFound } from '../../base/errors.ts';
import { type Queryable, transact, type Tx } from '../../db/transaction.ts';
import type { App } from '../../kernel/app.ts';
import {
  affectsCalls,
  type Contact,
  type ContactFields,
  type ContactWithoutMetadata,
  emptyContact,
  type OptOut,
} from './contact.ts';
import { type ContactInput, providedFields } from './contact-input.ts';
import { findDoNotCallPhones } from './do-not-call.ts';
import * as doNotCallStore from './do-not-call-store.ts';
import { contactChanged, doNotCallChanged } from './events.ts';
import { indexAfterCommit, searchContacts } from './search.ts';
import * as store from './store.ts';

export { findDoNotCallPhones, indexAfterCommit, searchContacts };
export { hasPhoneOf, isDoNotCallOf } from './do-not-call-store.ts';
export type { ContactInput };

/** @throws notFound when the organization has no such contact; the error does not reveal whether another organization has it */
export async function contactOf(db: Queryable, orgId: string, id: string): Promise<Contact> {
  const contact = await store.contactById(db, orgId, id);
  if (!contact) throw notFound('contact');
  return contact;
}

export const findContact = (db: Queryable, orgId: string, id: string): Promise<Contact | undefined> =>
  store.contactById(db, orgId, id);

/** The organization's contacts with these ids (up to about 10,000), in no particular order; unknown ids are skipped. */
export const findContacts = (db: Queryable, orgId: string, ids: readonly string[]): Promise<ContactWithoutMetadata[]> =>
  store.contactsByIds(db, orgId, ids);

/** Contacts by phone; where several share a phone, the oldest. */
export const contactsByPhone = async (
  db: Queryable,
  orgId: string,
  phones: readonly string[],
): Promise<Map<string, Contact>> =>
  new Map((await store.contactsByPhones(db, orgId, phones)).map((contact) => [contact.phone!, contact]));

/** The oldest contact with a phone, since several may share it. */
export const contactWithPhone = (db: Queryable, orgId: string, phone: string): Promise<Contact | undefined> =>
  store.oldestContactWithPhone(db, orgId, phone);

/** Whether a phone must not be called: it is on the list, or a contact with it (or the contact being called) is flagged do-not-call. */
export const isDoNotCall = (db: Queryable, orgId: string, phone: string, contactId: string | null): Promise<boolean> =>
  doNotCallStore.isDoNotCall(db, { orgId, phone, contactId });

/** A contact that is not stored yet, with empty values for the missing fields. */
export function newContact(app: App, orgId: string, fields: Partial<ContactFields>): Contact {
  const now = app.clock.now();
  return {
    ...emptyContact,
    ...fields,
    optOut: fields.doNotCall === true ? { at: now, reason: null, by: null } : null,
    id: app.ids.make(),
    orgId,
    version: 1,
    createdAt: now,
    updatedAt: now,
  };
}

/** Inserts contacts, or updates those that exist. */
export async function saveContacts(app: App, tx: Tx, contacts: readonly Contact[]): Promise<void> {
  await store.saveContacts(tx, contacts);
  indexAfterCommit(app, tx);
}

/** Stores any number of new contacts, and returns them in the order of the input. */
export async function createContacts(
  app: App,
  tx: Tx,
  orgId: string,
  inputs: readonly ContactInput[],
): Promise<Contact[]> {
  const contacts = inputs.map((input) => newContact(app, orgId, providedFields(input)));
  await saveContacts(app, tx, contacts);
  if (contacts.some(({ doNotCall }) => doNotCall)) await app.events.emit(app, tx, doNotCallChanged, { orgId });
  return contacts;
}

/**
 * Changes only the provided fields; null clears a field, and `metadata` is replaced as a whole.
 * @param optOut why and by whom the contact is flagged do-not-call, if the changes do that
 * @throws notFound when the organization has no such contact
 */
export function updateContact(
  app: App,
  orgId: string,
  id: string,
  changes: ContactInput,
  { reason = null, by = null }: Partial<Pick<OptOut, 'reason' | 'by'>> = {},
): Promise<Contact> {
  return transact(app.db, orgId, async (tx) => {
    const before = await contactOf(tx, orgId, id);
    const now = app.clock.now();
    const changed = { ...before, ...providedFields(changes), updatedAt: now };
    const optOut = changed.doNotCall ? (before.optOut ?? { at: now, reason, by }) : null;
    const contact: Contact = { ...changed, optOut };
    await saveContacts(app, tx, [contact]);
    if (affectsCalls(before, contact)) await app.events.emit(app, tx, contactChanged, { orgId, contactId: id });
    return contact;
  });
}
