import type { CalendarAccount } from './connection.ts';

/** An event type as the provider gives it; `price` is in major units. */
export type ProviderEventType = {
  id: number;
  slug: string;
  title: string;
  description?: string | null;
  lengthInMinutes: number;
  price?: number | null;
  currency?: string | null;
  hidden?: boolean | null;
};

/** An event type and the account that it is in. */
export type Match = { account: CalendarAccount; eventType: ProviderEventType; by: 'id' | 'slug' };

/** The provider's ids are 32-bit numbers; asked for a larger one it fails instead of finding nothing. */
export const maxEventTypeId = 2 ** 31 - 1;

/** The event type id that a platform id is when it is read as a number; undefined when it can only be a slug. */
export function eventTypeIdOf(platformId: string): number | undefined {
  const id = /^[1-9]\d{0,9}$/.test(platformId) ? Number(platformId) : undefined;
  return id !== undefined && id <= maxEventTypeId ? id : undefined;
}

/** A number is an id first and a slug then (contract, section 9); among equals the account that was connected first. */
export const firstMatch = (matches: readonly Match[]): Match | undefined =>
  matches.find(({ by }) => by === 'id') ?? matches[0];

/** What the interface calls the title: the event type's, with the account's name behind it. */
export const fullTitle = ({ account, eventType }: Match): string => `${eventType.title} (${account.accountName})`;
