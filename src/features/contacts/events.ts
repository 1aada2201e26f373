import { domainEvent } from '../../kernel/events.ts';

/** Emitted before a contact is deleted. A subscriber that still needs it (a live call) throws a conflict. */
export const contactDeleting = domainEvent<{ orgId: string; contactId: string }>('contact.deleting');

/**
 * Emitted in batches, of which each is a transaction, until the references to a deleted contact are gone. A subscriber clears at most one
 * batch of its own, and sets `batch.isLast` to false if it may have more.
 */
export const contactForgetting = domainEvent<{ orgId: string; contactId: string; batch: { isLast: boolean } }>(
  'contact.forgetting',
);

/** A contact's name, phone, e-mail, time zone or do-not-call flag changed. */
export const contactChanged = domainEvent<{ orgId: string; contactId: string }>('contact.changed');

/** The do-not-call list changed, or a new contact is flagged do-not-call. */
export const doNotCallChanged = domainEvent<{ orgId: string }>('do_not_call.changed');
