import { domainEvent } from '../../kernel/events.ts';

/** Emitted before a number is released. A subscriber that still needs the number, such as an active campaign, throws a conflict. */
export const numberReleasing = domainEvent<{ orgId: string; numberId: string; phone: string }>('number.releasing');

/** The number's limit of concurrent calls or of calls per second was raised. */
export const numberLimitsRaised = domainEvent<{ orgId: string; numberId: string }>('number.limits_raised');

/** The carrier of a number is out of reach, so its calls wait. */
export const carrierPaused = domainEvent<{ orgId: string; numberId: string; reason: string }>('carrier.paused');

/** The carrier of a number is in reach again, so campaigns that call from the number may go on. */
export const carrierResumed = domainEvent<{ orgId: string; numberId: string }>('carrier.resumed');

/** The carriers of these numbers have been out of reach for a minute or longer. A pause is reported once; one event an hour at most. */
export const carrierOutOfReach = domainEvent<{
  orgId: string;
  numbers: ReadonlyArray<{ phone: string; pausedAt: number; probeAt: number; reason: string }>;
}>('carrier.out_of_reach');

/** Where calls of a number come from: its SIP trunk, as `termination_uri` and `transport` name it. */
export type Trunk = { uri: string; transport: 'udp' | 'tcp' | 'tls' | null };

/** A number that is registered at its trunk, or was until now, was added, changed or released. */
export const numberRegistrationChanged = domainEvent<{ orgId: string; numberId: string }>(
  'number.registration_changed',
);

/** A number names a carrier of its own from now on. */
export const numberCarrierChosen = domainEvent<{ orgId: string; carrier: string }>('number.carrier_chosen');

/** The trunk of an active number was set, changed or removed; null stands for none. */
export const numberTrunkChanged = domainEvent<{ orgId: string; before: Trunk | null; after: Trunk | null }>(
  'number.trunk_changed',
);
