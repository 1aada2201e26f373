import { domainEvent } from '../../kernel/events.ts';

/** Emitted before a contact is deleted. A subscriber that still needs it (a live call) throws a conflict; others drop their references to it. */
export const contactDeleting = domainEvent<{ orgId: string; contactId: string }>('contact.deleting');

/** A contact's name, phone, e-mail, time zone or do-not-call flag changed. */
export const contactChanged = domainEvent<{ orgId: string; contactId: string }>('contact.changed');

/** The do-not-call list changed, or a new contact is flagged do-not-call. */
export const doNotCallChanged = domainEvent<{ orgId: string }>('do_not_call.changed');
