import type { ProviderEventType } from '../event-type.ts';
import type { SlotRange } from '../slot.ts';
import { ProviderFailure } from './failure.ts';
import * as schemas from './schemas.ts';
import { get, post, type Session } from './session.ts';

/**
 * The operations of Cal.com API v2 that are used here (https://cal.com/docs/api-reference/v2). Each has its own version, named in the
 * header `cal-api-version`; a version that the provider does not know is answered as the oldest one, in another shape. All of them
 * throw a ProviderFailure.
 */

const versionsOf = ({ app }: Session) => app.config.calendar.versions;

/** Whose key it is. */
export const whoAmI = (session: Session) =>
  // This operation has no versions; any will do.
  get(session, { path: '/me', version: versionsOf(session).event_types, schema: schemas.me });

/** An event type of this key's, or undefined. */
export async function eventTypeById(session: Session, id: number): Promise<ProviderEventType | undefined> {
  const version = versionsOf(session).event_types;
  return nothingWhen(
    // 403 says that the event type is another user's: a key that is no longer good is answered 401.
    (failure) => failure.kind === 'not_found' || failure.options.statusCode === 403,
    get(session, { path: `/event-types/${id}`, version, schema: schemas.eventType }),
  );
}

/** An event type of this key's, or undefined. The list is not paged. */
export async function eventTypeBySlug(session: Session, slug: string): Promise<ProviderEventType | undefined> {
  const version = versionsOf(session).event_types;
  const found = await nothingWhen(
    // Some releases answer 404 when a user has no event types at all.
    (failure) => failure.kind === 'not_found',
    get(session, { path: '/event-types', version, schema: schemas.eventTypes }),
  );
  const eventType: unknown = found?.find((one) => one.slug === slug);
  if (eventType === undefined || schemas.conforms(schemas.eventType, eventType)) return eventType;
  throw new ProviderFailure(
    'failed',
    `The calendar provider describes its event type ${slug} in a way that is not known.`,
  );
}

/** Free times of an event type, by day. */
export function slots(session: Session, eventTypeId: number, { start, end, timeZone }: SlotRange) {
  const query = new URLSearchParams({ eventTypeId: String(eventTypeId), start, end, timeZone });
  return get(session, {
    path: `/slots?${query.toString()}`,
    version: versionsOf(session).slots,
    schema: schemas.slots,
  });
}

export type NewBooking = {
  /** In UTC. */
  start: string;
  eventTypeId: number;
  attendee: { name: string; email: string; timeZone: string; phoneNumber?: string; language?: string };
  metadata?: Record<string, unknown>;
};

/** Books a time; asked once. The first of a series comes first. */
export async function book(session: Session, booking: NewBooking): Promise<schemas.ProviderBooking[]> {
  const version = versionsOf(session).bookings;
  return [await post(session, { path: '/bookings', version, schema: schemas.bookings, body: booking })].flat();
}

async function nothingWhen<T>(
  isNothing: (failure: ProviderFailure) => boolean,
  asked: Promise<T>,
): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof ProviderFailure && isNothing(error)) return undefined;
    throw error;
  }
}
