import { AppError, invalidAt, notFound } from '../../base/errors.ts';
import type { App } from '../../kernel/app.ts';
import { recordResults } from './checks.ts';
import type { Match } from './event-type.ts';
import { findEventTypeById, reasonOf } from './lookup.ts';
import { sentenceOf } from './provider/answer.ts';
import { createBooking, getSlots, type NewBooking } from './provider/cal-com.ts';
import type { ProviderFailure } from './provider/failure.ts';
import type { ProviderBooking } from './provider/schemas.ts';
import type { Session } from './provider/session.ts';
import { queryProvider } from './provider-query.ts';
import { type Slot, type SlotRange, slotsOf } from './slot.ts';

/**
 * Free slots of an event type. The provider shows anybody's slots to everybody, so this first checks that one of the organization's
 * accounts owns the event type.
 * @throws as findEventType; invalid when the provider rejects the request; provider when the key or the provider fails
 */
export async function freeSlots(
  app: App,
  orgId: string,
  eventTypeId: number,
  range: SlotRange,
): Promise<{ match: Match; slots: Slot[] }> {
  const match = await findEventTypeById(app, orgId, eventTypeId);
  const days = await queryOwner(app, match, (session) => getSlots(session, eventTypeId, range));
  return { match, slots: slotsOf(days, match.eventType.lengthInMinutes) };
}

export type BookingResult = { match: Match; booking: ProviderBooking; occurrences: number };

/**
 * Books a slot of an event type. Never retried: if the provider does not answer, the booking may exist, and only a person can tell.
 * @throws as findEventType; conflict when the slot is not free; invalid when the provider rejects the request for another reason; provider
 *   when the key or the provider fails
 */
export async function bookSlot(app: App, orgId: string, input: NewBooking): Promise<BookingResult> {
  const match = await findEventTypeById(app, orgId, input.eventTypeId);
  const bookings = await queryOwner(app, match, (session) => createBooking(session, input), bookingError);
  return { match, booking: bookings[0]!, occurrences: bookings.length };
}

/** Queries the provider with the account that owns the event type; `errorFor` may word a failure more precisely than the default. */
async function queryOwner<T>(
  app: App,
  { account }: Match,
  query: (session: Session) => Promise<T>,
  errorFor: (failure: ProviderFailure) => AppError | undefined = () => undefined,
): Promise<T> {
  const result = await queryProvider(app, account, query);
  await recordResults(app, [result]);
  const { failure } = result;
  if (!failure) return result.value;
  if (failure.kind === 'not_found') throw notFound('calendar event type');
  throw errorFor(failure) ?? defaultError(failure, reasonOf(account, failure));
}

const defaultError = (failure: ProviderFailure, reason: string): AppError =>
  failure.kind === 'rejected' ? invalidAt('', reason) : new AppError('provider', reason, { cause: failure });

/** Cal.com's messages for a slot that is booked, reserved, full, or over a person's limit; they come as 400 without a code of their own. */
const slotTakenPattern =
  /already has (a )?booking|already (booked|reserved)|(is|are) not available|unavailable|no more seats|no[_ ]available[_ ]users|maximum number of active bookings/i;

function bookingError(failure: ProviderFailure): AppError | undefined {
  const { providerMessage, statusCode, notSent } = failure.options;
  if (failure.kind === 'rejected') {
    if (statusCode !== 409 && !slotTakenPattern.test(providerMessage ?? '')) return undefined;
    const reason = sentenceOf('The time is not free', providerMessage);
    return new AppError('conflict', `${reason} GET /api/v1/calendar/slots lists free times.`);
  }
  // After a server error or a missing answer the booking may exist; 401, 403 and 429 mean that it does not.
  const mayExist = failure.kind === 'failed' && notSent !== true && statusCode !== 429;
  if (!mayExist) return undefined;
  return new AppError(
    'provider',
    `${failure.message} The booking may have been made; check the calendar before booking again.`,
    { cause: failure },
  );
}
