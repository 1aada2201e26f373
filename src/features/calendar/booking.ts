import { AppError, invalidAt, notFound } from '../../base/errors.ts';
import type { App } from '../../kernel/app.ts';
import { ask } from './asking.ts';
import { note } from './checks.ts';
import type { Match } from './event-type.ts';
import { findEventTypeById, reasonOf } from './lookup.ts';
import { book, type NewBooking, slots } from './provider/cal-com.ts';
import type { ProviderFailure } from './provider/failure.ts';
import type { ProviderBooking } from './provider/schemas.ts';
import type { Session } from './provider/session.ts';
import { type Slot, type SlotRange, slotsOf } from './slot.ts';

/**
 * Free times of an event type of one of the organization's accounts. The provider would tell anybody those of any event type: so its
 * owner is looked up first.
 * @throws as findEventType; invalid for what the provider rejects
 */
export async function freeSlots(
  app: App,
  orgId: string,
  eventTypeId: number,
  range: SlotRange,
): Promise<{ match: Match; slots: Slot[] }> {
  const match = await findEventTypeById(app, orgId, eventTypeId);
  const days = await askOwner(app, match, (session) => slots(session, eventTypeId, range));
  return { match, slots: slotsOf(days, match.eventType.lengthInMinutes) };
}

export type Booked = { match: Match; booking: ProviderBooking; occurrences: number };

/**
 * Books a time of an event type for somebody. Asked once: whether a booking without an answer was made is for a person to see.
 * @throws as findEventType; conflict when the time is not free; invalid for anything else that the provider rejects
 */
export async function bookSlot(app: App, orgId: string, input: NewBooking): Promise<Booked> {
  const match = await findEventTypeById(app, orgId, input.eventTypeId);
  const made = await askOwner(app, match, (session) => book(session, input), bookingError);
  return { match, booking: made[0]!, occurrences: made.length };
}

async function askOwner<T>(
  app: App,
  { account }: Match,
  question: (session: Session) => Promise<T>,
  wording: (failure: ProviderFailure) => AppError | undefined = () => undefined,
): Promise<T> {
  const asked = await ask(app, account, question);
  await note(app, [asked]);
  const { failure } = asked;
  if (!failure) return asked.value;
  if (failure.kind === 'not_found') throw notFound('calendar event type');
  throw wording(failure) ?? plainError(failure, reasonOf(account, failure));
}

const plainError = (failure: ProviderFailure, reason: string): AppError =>
  failure.kind === 'rejected' ? invalidAt('', reason) : new AppError('provider', reason, { cause: failure });

/** How Cal.com words that a time is not to be had (400, no code of its own): taken, reserved, full, or too many by one person. */
const takenPattern =
  /already has (a )?booking|already (booked|reserved)|(is|are) not available|unavailable|no more seats|no[_ ]available[_ ]users|maximum number of active bookings/i;

function bookingError(failure: ProviderFailure): AppError | undefined {
  const { said, statusCode, unheard } = failure.options;
  if (failure.kind === 'rejected') {
    if (statusCode !== 409 && !takenPattern.test(said ?? '')) return undefined;
    const words = said === undefined ? 'The time is not free.' : `The time is not free: ${said}`;
    return new AppError('conflict', `${words} GET /api/v1/calendar/slots tells which times are.`);
  }
  // A server error or an answer that never came leaves open what was done; 401, 403 and 429 do not.
  const isOpen = failure.kind === 'failed' && unheard !== true && statusCode !== 429;
  if (!isOpen) return undefined;
  return new AppError('provider', `${failure.message} The booking may have been made: look before booking again.`, {
    cause: failure,
  });
}
