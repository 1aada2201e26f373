import { domainEvent } from '../../kernel/events.ts';

/** The organization's own limits of calls to one number, or its guard hours, have changed. */
export const contactRulesChanged = domainEvent<{ orgId: string }>('organization.contact_rules_changed');
