import type { CalendarAccount } from './connection.ts';

/** An event type as the provider returns it; `price` is in major currency units. */
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

/** An event type, the account that has it, and how it was found. */
export type Match = { account: CalendarAccount; eventType: ProviderEventType; by: 'id' | 'slug' };

/** The provider's ids are 32-bit integers; it fails on a larger one instead of finding nothing. */
export const maxEventTypeId = 2 ** 31 - 1;

/** The platform id as the provider's numeric event type id; undefined if it can only be a slug. */
export function eventTypeIdOf(platformId: string): number | undefined {
  const id = /^[1-9]\d{0,9}$/.test(platformId) ? Number(platformId) : undefined;
  return id !== undefined && id <= maxEventTypeId ? id : undefined;
}

/** Prefers a match by id over one by slug (docs/api/calendar.md), then the account that was connected first. */
export const firstMatch = (matches: readonly Match[]): Match | undefined =>
  matches.find(({ by }) => by === 'id') ?? matches[0];

/** The title in responses: the event type's own, followed by the account's name. */
export const fullTitle = ({ account, eventType }: Match): string => `${eventType.title} (${account.accountName})`;
