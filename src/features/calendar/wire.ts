import { isoOf } from '../../base/clock.ts';
import {
  boolean,
  email,
  id,
  integer,
  label,
  list,
  metadata,
  nullable,
  number,
  object,
  oneOf,
  optional,
  phone,
  timestamp,
  timeZone,
  Type,
} from '../../kernel/schema.ts';
import type { BookingResult } from './booking.ts';
import type { CalendarAccount, ConnectionStatus } from './connection.ts';
import { fullTitle, type Match, maxEventTypeId } from './event-type.ts';
import { localText, type Slot } from './slot.ts';

export const connectBody = object({
  org_id: id('organization'),
  // The key is sent in a header, which carries visible ASCII only.
  api_key: Type.String({
    minLength: 1,
    maxLength: 500,
    pattern: '^[!-~]*$',
    description: 'API key of the calendar provider',
  }),
  account_name: optional(label()),
  agent_id: optional(id('agent')),
});

export const connectionSchema = object(
  {
    provider_id: id('calendar account'),
    org_id: id('organization'),
    account_name: Type.String(),
    status: oneOf(['active']),
    connected_at: timestamp(),
  },
  { title: 'CalendarConnection' },
);

export const presentConnection = (account: CalendarAccount) => ({
  provider_id: account.id,
  org_id: account.orgId,
  account_name: account.accountName,
  status: 'active' as const,
  connected_at: isoOf(account.connectedAt),
});

export const statusSchema = object(
  {
    connected: boolean(),
    status: oneOf(['active', 'not_connected']),
    accounts: list(
      object({
        id: id('calendar account'),
        account_name: Type.String(),
        status: oneOf(['active']),
        error: nullable(Type.String({ description: 'Why the last check failed; null when it succeeded' })),
      }),
    ),
  },
  { title: 'CalendarStatus' },
);

export const presentStatus = ({ status, accounts }: ConnectionStatus) => ({
  connected: status === 'active',
  status,
  accounts: accounts.map((account) => ({
    id: account.id,
    account_name: account.accountName,
    status: 'active' as const,
    error: account.error,
  })),
});

export const eventTypeSchema = object(
  {
    id: Type.String({ description: 'Event type id at the provider' }),
    slug: Type.String(),
    title: Type.String({ description: 'Title of the event type, followed by the account name in parentheses' }),
    description: nullable(Type.String()),
    duration_minutes: integer(),
    price: nullable(number({ description: 'In major currency units, as the provider returns it' })),
    currency: nullable(Type.String()),
    is_active: boolean({ description: 'False for an event type that is hidden at the provider' }),
    calendar_account_id: id('calendar account'),
    account_name: Type.String(),
  },
  { title: 'CalendarEventType' },
);

export function presentEventType(match: Match) {
  const { account, eventType } = match;
  return {
    id: String(eventType.id),
    slug: eventType.slug,
    title: fullTitle(match),
    description: eventType.description ?? null,
    duration_minutes: eventType.lengthInMinutes,
    price: eventType.price ?? null,
    currency: eventType.currency ?? null,
    is_active: eventType.hidden !== true,
    calendar_account_id: account.id,
    account_name: account.accountName,
  };
}

const accountOfEventType = { event_type_id: Type.String(), calendar_account_id: id('calendar account') };
const presentOwner = ({ account, eventType }: Match) => ({
  event_type_id: String(eventType.id),
  calendar_account_id: account.id,
});

export const slotsSchema = object({
  ...accountOfEventType,
  timezone: timeZone(),
  slots: list(
    object({
      start: timestamp('ISO 8601, UTC; pass it as the start of a booking'),
      end: timestamp(),
      local_start: Type.String({ description: 'The start in the requested time zone, with its offset' }),
    }),
    { description: 'Free slots, earliest first' },
  ),
});

export const presentSlots = (match: Match, slots: readonly Slot[], zone: string) => ({
  ...presentOwner(match),
  timezone: zone,
  slots: slots.map(({ startAt, endAt }) => ({
    start: isoOf(startAt),
    end: isoOf(endAt),
    local_start: localText(startAt, zone),
  })),
});

export const bookingBody = object(
  {
    org_id: optional(id('organization')),
    // Our responses give an event type's id as a string, the provider's as a number; accept both.
    event_type_id: Type.Unsafe<string | number>({
      type: ['integer', 'string'],
      minimum: 1,
      maximum: maxEventTypeId,
      pattern: '^[1-9]\\d{0,9}$',
      description: 'Event type id at the provider',
    }),
    start: timestamp('Start of a free slot'),
    attendee: object({
      name: label(),
      email: email(),
      timezone: timeZone(),
      phone: optional(phone()),
      language: optional(
        Type.String({ minLength: 2, maxLength: 35, description: 'Language of the confirmation, like en or pt-BR' }),
      ),
    }),
    metadata: optional(metadata()),
  },
  { title: 'NewBooking' },
);

export const bookingSchema = object(
  {
    id: Type.String({ description: 'Booking id at the provider' }),
    uid: Type.String({ description: 'Public booking id at the provider, as in links and e-mails to attendees' }),
    title: nullable(Type.String()),
    status: Type.String({
      description: 'Status at the provider: accepted, or pending while it awaits confirmation',
    }),
    start: timestamp(),
    end: timestamp(),
    location: nullable(Type.String()),
    occurrences: integer({
      description: 'Number of bookings made; more than 1 for a recurring event type, of which this is the first',
    }),
    ...accountOfEventType,
  },
  { title: 'Booking' },
);

export const presentBooking = ({ match, booking, occurrences }: BookingResult) => ({
  id: String(booking.id),
  uid: booking.uid,
  title: booking.title ?? null,
  status: booking.status,
  start: utcOf(booking.start),
  end: utcOf(booking.end),
  location: booking.location ?? booking.meetingUrl ?? null,
  occurrences,
  ...presentOwner(match),
});

const utcOf = (instant: string): string => isoOf(Temporal.Instant.from(instant).epochMilliseconds);
