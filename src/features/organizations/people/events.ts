import { domainEvent } from '../../../kernel/events.ts';

/** A person got a link with which to set a password. */
export type PersonLinked = { orgId: string; userId: string; email: string; isInvited: boolean; link: string };

export const personLinked = domainEvent<PersonLinked>('person.linked');
