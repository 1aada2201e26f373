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
import type { Booked } from './booking.ts';
import type { CalendarAccount, ConnectionStatus } from './connection.ts';
import { fullTitle, type Match, maxEventTypeId } from './event-type.ts';
import { localText, type Slot } from './slot.ts';

export const connectBody = object({
  org_id: id('organization'),
  // Visible ASCII is what a header can carry.
  api_key: Type.String({ minLength: 1, maxLength: 500, pattern: '^[!-~]*$', description: 'The provider API key' }),
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
    title: Type.String({ description: 'With the account name behind it' }),
    description: nullable(Type.String()),
    duration_minutes: integer(),
    price: nullable(number({ description: 'In major units, as the provider gives it' })),
    currency: nullable(Type.String()),
    is_active: boolean({ description: 'Not hidden at the provider' }),
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
      start: timestamp('ISO 8601, UTC; what a booking takes as its start'),
      end: timestamp(),
      local_start: Type.String({ description: 'The start in the time zone asked for, with its offset' }),
    }),
    { description: 'Free times, earliest first' },
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
    // An event type's `id` is a string here and a number at the provider.
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
        Type.String({ minLength: 2, maxLength: 35, description: 'Of the confirmation, like en or pt-BR' }),
      ),
    }),
    metadata: optional(metadata()),
  },
  { title: 'NewBooking' },
);

export const bookingSchema = object(
  {
    id: Type.String({ description: 'Booking id at the provider' }),
    uid: Type.String({ description: 'What the provider names the booking by to its people' }),
    title: nullable(Type.String()),
    status: Type.String({
      description: 'As the provider says: accepted, or pending while it waits for a confirmation',
    }),
    start: timestamp(),
    end: timestamp(),
    location: nullable(Type.String()),
    occurrences: integer({
      description: 'Bookings made; more than 1 for an event type that recurs, of which this is the first',
    }),
    ...accountOfEventType,
  },
  { title: 'Booking' },
);

export const presentBooking = ({ match, booking, occurrences }: Booked) => ({
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
