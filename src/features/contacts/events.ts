import { domainEvent } from '../../kernel/events.ts';

/** A contact is about to be deleted; a subscriber that needs it (a call under way) throws a conflict, others let go of it. */
export const contactDeleting = domainEvent<{ orgId: string; contactId: string }>('contact.deleting');

/** A contact's name, phone, e-mail, zone or do-not-call flag changed. */
export const contactChanged = domainEvent<{ orgId: string; contactId: string }>('contact.changed');
