/** What people set of a contact (interface, Contact; contract, section 5). Nothing is required. */
export type ContactFields = {
  firstName: string | null;
  lastName: string | null;
  email: string | null;
  /** E.164. */
  phone: string | null;
  company: string | null;
  /** The caller's own; keys are never renamed. */
  metadata: Record<string, unknown>;
  /** IANA name; null: the campaign's zone decides. */
  timezone: string | null;
  doNotCall: boolean;
};

export type Contact = ContactFields & { id: string; orgId: string; createdAt: number; updatedAt: number };

export type ContactNote = { id: string; contactId: string; content: string; createdAt: number };

/** A phone that nobody of the organization may call. */
export type DoNotCallEntry = { phone: string; reason: string | null; createdAt: number };

export const emptyContact: ContactFields = {
  firstName: null,
  lastName: null,
  email: null,
  phone: null,
  company: null,
  metadata: {},
  timezone: null,
  doNotCall: false,
};

/** First and last name, or null when there is neither. */
export const nameOf = (contact: Pick<Contact, 'firstName' | 'lastName'>): string | null =>
  [contact.firstName, contact.lastName].filter(Boolean).join(' ') || null;

/** One case and one spelling of equal characters. SQLite's own LIKE knows the case of ASCII letters only. */
export const foldText = (text: string): string => text.normalize('NFKC').toLowerCase();

/** What a search of contacts looks through: name, e-mail, phone and company (contract, section 5), each on its own line. */
export const searchText = (contact: ContactFields): string =>
  foldText([nameOf(contact), contact.email, contact.phone, contact.company].filter(Boolean).join('\n'));

/** Whether campaigns that a contact has joined must hear of a change. */
export const changesCalls = (before: ContactFields, after: ContactFields): boolean =>
  (['firstName', 'lastName', 'email', 'phone', 'timezone', 'doNotCall'] as const).some(
    (field) => before[field] !== after[field],
  );
