import { domainEvent } from '../../kernel/events.ts';

/** Emitted before a number is released; a subscriber that still needs it (a running campaign) throws a conflict. */
export const numberReleasing = domainEvent<{ orgId: string; numberId: string; phone: string }>('number.releasing');

/** A number now allows more calls than before, at once or per second. */
export const numberLimitsRaised = domainEvent<{ orgId: string; numberId: string }>('number.limits_raised');

/** The carrier of a number is in reach again, so its campaigns may go on. */
export const carrierResumed = domainEvent<{ orgId: string; numberId: string }>('carrier.resumed');

/** Carriers have been out of reach for a minute. Emitted once for each pause. */
export const carrierOutOfReach = domainEvent<{
  orgId: string;
  numbers: ReadonlyArray<{ phone: string; pausedAt: number; probeAt: number; reason: string }>;
}>('carrier.out_of_reach');
