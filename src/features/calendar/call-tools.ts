import { AppError, invalidAt, messageOf } from '../../base/errors.ts';
import type { App } from '../../kernel/app.ts';
import { nodeState } from '../../kernel/node.ts';
import type { Agent } from '../agents/agent.ts';
import type { CallTool } from '../calls/tools/tool.ts';
import { findContact } from '../contacts/service.ts';
import { nameOf } from '../contacts/contact.ts';
import type { Call } from '../calls/call.ts';
import { bookSlot, freeSlots } from './booking.ts';
import { findEventType } from './lookup.ts';
import { localText, rangeFaults, slotRange, utcText } from './slot.ts';
import * as store from './store.ts';

/** The calendar as tools of an agent in a call. Event types are named by their id or slug at the provider. */

const eventType = {
  type: 'string',
  minLength: 1,
  maxLength: 200,
  description: 'Id or slug of the kind of appointment',
};
const timezone = { type: 'string', maxLength: 64, description: "IANA time zone; by default the agent's" };

const slotParameters = {
  type: 'object',
  properties: {
    event_type: eventType,
    start: { type: 'string', maxLength: 64, description: 'First day (2026-03-02), or date and time with an offset' },
    end: { type: 'string', maxLength: 64, description: 'Last day, or date and time with an offset' },
    timezone,
  },
  required: ['event_type', 'start', 'end'],
  additionalProperties: false,
};

const bookParameters = {
  type: 'object',
  properties: {
    event_type: eventType,
    start: { type: 'string', maxLength: 64, description: 'Start of a free slot, with its offset' },
    name: { type: 'string', maxLength: 200, description: 'Who comes; by default the person on the phone' },
    email: {
      type: 'string',
      maxLength: 254,
      description: 'Where the confirmation goes; by default that of the contact',
    },
    phone: { type: 'string', maxLength: 32, description: 'Phone number in E.164' },
    timezone,
  },
  required: ['event_type', 'start'],
  additionalProperties: false,
};

async function ifConnected<T>(app: App, agent: Agent, definition: T): Promise<T | null> {
  const accounts = await store.allAccounts(app.db, agent.orgId);
  return accounts.length === 0 ? null : definition;
}

/** More free times are too many to say. */
const maxSlots = 30;

export const findSlots: CallTool = {
  name: 'find_slots',
  define: (app, agent) =>
    ifConnected(app, agent, {
      name: 'find_slots',
      description: 'Lists the free times of a kind of appointment between two days.',
      parameters: slotParameters,
    }),
  async run(app, { call, agent }, args: { event_type: string; start: string; end: string; timezone?: string }) {
    const query = { ...args, timezone: zoneOf(args.timezone, agent) };
    const [fault] = rangeFaults(query);
    if (fault) throw invalidAt(fault.path, fault.message);
    const { eventType: found } = await findEventType(app, call.orgId, args.event_type);
    const { slots } = await freeSlots(app, call.orgId, found.id, slotRange(query));
    return {
      timezone: query.timezone,
      slots: slots.slice(0, maxSlots).map(({ startAt }) => localText(startAt, query.timezone)),
      ...(slots.length > maxSlots ? { more: slots.length - maxSlots } : {}),
    };
  },
};

type Booking = { event_type: string; start: string; name?: string; email?: string; phone?: string; timezone?: string };

/** Bookings that were made or are being made, by call and the model's id of the use: a repeated use books nothing twice. */
const bookings = nodeState('bookings', () => new Map<string, Promise<object>>());
const maxBookings = 1000;

export const bookSlotTool: CallTool = {
  name: 'book_slot',
  define: (app, agent) =>
    ifConnected(app, agent, {
      name: 'book_slot',
      description: 'Books a free time that find_slots has listed, after the person on the phone has agreed to it.',
      parameters: bookParameters,
    }),
  run(app, { call, agent, id }, args: Booking) {
    const known = bookings(app);
    const key = `${call.id} ${id}`;
    const before = known.get(key);
    if (before) return before;
    if (known.size >= maxBookings) known.delete(known.keys().next().value!);
    const made = book(app, call, agent, id, args);
    known.set(key, made);
    return made;
  },
};

async function book(app: App, call: Call, agent: Agent, useId: string, args: Booking): Promise<object> {
  const contact = call.contactId === null ? undefined : await findContact(app.db, call.orgId, call.contactId);
  const timeZone = zoneOf(args.timezone, agent);
  const name = args.name ?? (contact ? nameOf(contact) : null) ?? call.callerName;
  const email = args.email ?? contact?.email ?? call.callerEmail;
  if (name === null) throw new AppError('invalid', 'name is needed: ask for it');
  if (email === null) throw new AppError('invalid', 'email is needed: ask for it');
  const phoneNumber = args.phone ?? contact?.phone ?? undefined;
  const { eventType: found } = await findEventType(app, call.orgId, args.event_type);
  const { booking } = await bookSlot(app, call.orgId, {
    start: startOf(args.start, timeZone),
    eventTypeId: found.id,
    attendee: { name, email, timeZone, ...(phoneNumber === undefined ? {} : { phoneNumber }) },
    metadata: { call_session_id: call.id, tool_call_id: useId.slice(0, 200) } as never,
  });
  return {
    booked: true,
    booking_id: booking.uid,
    start: localText(Temporal.Instant.from(booking.start).epochMilliseconds, timeZone),
  };
}

/** A time without an offset is meant in the time zone. */
function startOf(text: string, timeZone: string): string {
  try {
    return utcText(text);
  } catch {
    try {
      return Temporal.PlainDateTime.from(text).toZonedDateTime(timeZone).toInstant().toString();
    } catch (error) {
      throw invalidAt('start', `must be a date and time like 2026-03-02T09:00:00+01:00 (${messageOf(error)})`);
    }
  }
}

function zoneOf(named: string | undefined, { calendarTimezone }: Agent): string {
  if (named === undefined) return calendarTimezone;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: named }).resolvedOptions().timeZone;
  } catch {
    throw invalidAt('timezone', 'must be an IANA time zone such as Europe/Berlin');
  }
}
