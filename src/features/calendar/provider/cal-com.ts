import type { JsonObject } from '../../../base/json.ts';
import type { ProviderEventType } from '../event-type.ts';
import type { SlotRange } from '../slot.ts';
import { ProviderFailure } from './failure.ts';
import * as schemas from './schemas.ts';
import { get, post, type Session } from './session.ts';

/**
 * The operations of Cal.com API v2 that parley uses (https://cal.com/docs/api-reference/v2). Each has its own version, sent in the
 * header `cal-api-version`; for a version that it does not know, the provider answers as the oldest one, in another format. Every
 * operation throws ProviderFailure.
 */

const versionsOf = ({ app }: Session) => app.config.calendar.versions;

/** The user that the key belongs to. */
export const whoAmI = (session: Session) =>
  // This operation is not versioned, so any version works.
  get(session, { path: '/me', version: versionsOf(session).event_types, schema: schemas.me });

/** The key owner's event type with this id, or undefined. */
export async function eventTypeById(session: Session, id: number): Promise<ProviderEventType | undefined> {
  const version = versionsOf(session).event_types;
  return undefinedWhen(
    // 403 means that the event type is another user's; a revoked key gets 401.
    (failure) => failure.kind === 'not_found' || failure.options.statusCode === 403,
    get(session, { path: `/event-types/${id}`, version, schema: schemas.eventType }),
  );
}

/** The key owner's event type with this slug, or undefined. The provider's list is not paged. */
export async function eventTypeBySlug(session: Session, slug: string): Promise<ProviderEventType | undefined> {
  const version = versionsOf(session).event_types;
  const found = await undefinedWhen(
    // Some Cal.com releases answer 404 when a user has no event types at all.
    (failure) => failure.kind === 'not_found',
    get(session, { path: '/event-types', version, schema: schemas.eventTypes }),
  );
  const eventType: unknown = found?.find((one) => one.slug === slug);
  if (eventType === undefined || schemas.conforms(schemas.eventType, eventType)) return eventType;
  throw new ProviderFailure(
    'failed',
    `The calendar provider returned the event type ${slug} in an unknown format; check calendar.versions.`,
  );
}

/** Free slots of an event type, grouped by day. */
export function getSlots(session: Session, eventTypeId: number, { start, end, timeZone }: SlotRange) {
  const query = new URLSearchParams({ eventTypeId: String(eventTypeId), start, end, timeZone });
  return get(session, {
    path: `/slots?${query.toString()}`,
    version: versionsOf(session).slots,
    schema: schemas.slots,
  });
}

export type NewBooking = {
  /** ISO 8601, in UTC. */
  start: string;
  eventTypeId: number;
  attendee: { name: string; email: string; timeZone: string; phoneNumber?: string; language?: string };
  metadata?: JsonObject;
};

/** Books a slot, without retries. Returns all bookings of a recurring event type, the first one first. */
export async function createBooking(session: Session, booking: NewBooking): Promise<schemas.ProviderBooking[]> {
  const version = versionsOf(session).bookings;
  return [await post(session, { path: '/bookings', version, schema: schemas.bookings, body: booking })].flat();
}

/** Turns failures that mean "not found" into undefined. */
async function undefinedWhen<T>(
  isNotFound: (failure: ProviderFailure) => boolean,
  request: Promise<T>,
): Promise<T | undefined> {
  try {
    return await request;
  } catch (error) {
    if (error instanceof ProviderFailure && isNotFound(error)) return undefined;
    throw error;
  }
}
