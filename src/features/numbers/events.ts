import { domainEvent } from '../../kernel/events.ts';

/** Emitted before a number is released; a subscriber that still needs it (a running campaign) throws a conflict. */
export const numberReleasing = domainEvent<{ orgId: string; numberId: string; phone: string }>('number.releasing');

/** A number now allows more calls than before, at once or per second. */
export const numberLimitsRaised = domainEvent<{ orgId: string; numberId: string }>('number.limits_raised');
