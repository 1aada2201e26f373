import type { Actor } from '../requests/audit.ts';
import { foldText } from '../../base/fold-text.ts';
import { emptyObject, type JsonObject } from '../../base/json.ts';

/** The fields of a contact that callers set (docs/api/contacts.md, "Fields"). None is required. */
export type ContactFields = {
  firstName: string | null;
  lastName: string | null;
  email: string | null;
  /** E.164. */
  phone: string | null;
  company: string | null;
  /** The caller's own data. */
  metadata: JsonObject;
  /** IANA name; null means the campaign's time zone. */
  timezone: string | null;
  doNotCall: boolean;
};

/** When, why and by whom a contact was flagged do-not-call, or a phone was listed. */
export type OptOut = { at: number; reason: string | null; by: Actor | null };

/** `optOut` is null unless the contact is flagged do-not-call. */
export type Contact = ContactFields & {
  optOut: OptOut | null;
  id: string;
  orgId: string;
  version: number;
  createdAt: number;
  updatedAt: number;
};

export type ContactWithoutMetadata = Omit<Contact, 'metadata'>;

export type ContactNote = { id: string; contactId: string; content: string; createdAt: number };

/** A phone number that the organization must not call. */
export type DoNotCallEntry = { phone: string; reason: string | null; createdAt: number; by?: Actor | null };

export const emptyContact: ContactFields = {
  firstName: null,
  lastName: null,
  email: null,
  phone: null,
  company: null,
  metadata: emptyObject,
  timezone: null,
  doNotCall: false,
};

/** First and last name joined by a space, or null when both are missing. */
export const nameOf = (contact: Pick<Contact, 'firstName' | 'lastName'>): string | null =>
  [contact.firstName, contact.lastName].filter(Boolean).join(' ') || null;

/** The text that contact search matches against: name, e-mail, phone and company, one per line. */
export const searchText = (contact: ContactFields): string =>
  foldText([nameOf(contact), contact.email, contact.phone, contact.company].filter(Boolean).join('\n'));

/** Whether a field changed that matters to the campaigns that contain the contact. Does not check whether there are any. */
export const affectsCalls = (before: ContactFields, after: ContactFields): boolean =>
  (['firstName', 'lastName', 'email', 'phone', 'timezone', 'doNotCall'] as const).some(
    (field) => before[field] !== after[field],
  );

/** Whether a save makes a new version, as the store decides by the columns of these fields. */
export const isNewVersion = (before: ContactFields, after: ContactFields): boolean =>
  before.metadata.text !== after.metadata.text ||
  (['firstName', 'lastName', 'email', 'phone', 'company', 'timezone'] as const).some(
    (field) => before[field] !== after[field],
  );
