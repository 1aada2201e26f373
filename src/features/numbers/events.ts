import { domainEvent } from '../../kernel/events.ts';

/** A number is about to be released; a subscriber that needs it (a running campaign) throws a conflict. */
export const numberReleasing = domainEvent<{ orgId: string; numberId: string; phone: string }>('number.releasing');

/** More calls may be made from a number than before, at once or per second. */
export const numberLimitsRaised = domainEvent<{ orgId: string; numberId: string }>('number.limits_raised');
