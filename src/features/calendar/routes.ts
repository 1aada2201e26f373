import { invalidAt } from '../../base/errors.ts';
import { isUuid } from '../../base/ids.ts';
import type { JsonObject } from '../../base/json.ts';
import type { App } from '../../kernel/app.ts';
import { operation } from '../../kernel/route.ts';
import { id, integer, object, optional, timeZone, Type } from '../../kernel/schema.ts';
import { bookSlot, freeSlots } from './booking.ts';
import { eventTypeIdOf, maxEventTypeId } from './event-type.ts';
import { findEventType } from './lookup.ts';
import { orgParameters, requireOwn, requireOwnOrg } from '../organizations/org-id.ts';
import type { NewBooking } from './provider/cal-com.ts';
import * as service from './service.ts';
import { rangeFaults, slotRange, utcText } from './slot.ts';
import * as wire from './wire.ts';

const tag = 'Calendar';

/** The interface marks its calendar operations Bearer. Slots and bookings are Bearer too, because the same callers use them. */
const access = 'bearer';

async function status(app: App, orgId: string, agentId: string | null) {
  const connection = await service.connectionStatus(app, orgId, agentId);
  const whose = agentId === null ? '' : ' for this agent';
  return {
    data: wire.presentStatus(connection),
    ...(connection.status === 'active' ? {} : { message: `The calendar provider is not connected${whose}.` }),
  };
}

const agentStatus = {
  method: 'GET',
  tag,
  access,
  role: 'viewer',
  data: wire.statusSchema,
  message: "The agent's calendar connection status was retrieved.",
} as const;

type BookingBody = {
  event_type_id: string | number;
  start: string;
  attendee: { name: string; email: string; timezone: string; phone?: string; language?: string };
  metadata?: JsonObject;
};

/** @throws invalid for an event type id that is too large for the provider */
function bookingOf({ event_type_id: requestedId, start, attendee, metadata }: BookingBody): NewBooking {
  const eventTypeId = eventTypeIdOf(String(requestedId));
  if (eventTypeId === undefined) throw invalidAt('event_type_id', `must be at most ${maxEventTypeId}`);
  const { name, email, timezone, phone, language } = attendee;
  return {
    start: utcText(start),
    eventTypeId,
    attendee: {
      name,
      email,
      timeZone: timezone,
      ...(phone === undefined ? {} : { phoneNumber: phone }),
      ...(language === undefined ? {} : { language }),
    },
    ...(metadata === undefined ? {} : { metadata }),
  };
}

export const getAgentCalendarStatus = operation({
  ...agentStatus,
  operationId: 'getAgentCalendarStatus',
  summary: "Get the status of an agent's own calendar accounts",
  // Without format uuid: an id that is not a UUID is a 400 here, not a 404.
  params: object({ agent_id: Type.String({ description: 'ID of the agent, a UUID' }) }),
  async handle(app, { caller, params }) {
    if (!isUuid(params.agent_id)) throw invalidAt('agent_id', 'must be a UUID');
    return status(app, caller.orgId, params.agent_id.toLowerCase());
  },
});

export const getAgentCalendarStatusWithoutAgent = operation({
  ...agentStatus,
  operationId: 'getAgentCalendarStatusWithoutAgent',
  // The router never matches an empty parameter, and a missing agent_id must be a 400.
  summary: 'The status without an agent id, which is always a 400',
  undocumented: true,
  handle: () => Promise.reject(invalidAt('agent_id', 'is required')),
});

export const connectCalendar = operation({
  operationId: 'connectCalendar',
  tag,
  summary: 'Connect a calendar provider account to the organization or to one agent',
  body: wire.connectBody,
  example: {
    org_id: '019cadc6-9a80-7001-a45e-788430a62e9c',
    api_key: 'cal_live_0123456789abcdef',
    account_name: 'Sales',
  },
  data: wire.connectionSchema,
  ownTransactions: true,
  message: 'Calendar provider connected.',
  errors: ['not_found'],
  additionalFaults: (app, { caller, body }) => service.connectFaults(app.db, caller.orgId, body),
  async handle(app, { caller, body }) {
    const account = await service.connect(app, caller.orgId, body);
    return {
      data: wire.presentConnection(account),
      ...(account.error === null
        ? {}
        : { message: `Calendar provider connected, but the key could not be checked yet. ${account.error}` }),
    };
  },
});

export const disconnectCalendar = operation({
  operationId: 'disconnectCalendar',
  tag,
  summary: 'Disconnect one calendar account, or all accounts of the organization, and delete their keys',
  body: object({ org_id: id('organization'), provider_id: optional(id('calendar account')) }),
  message: 'Calendar provider disconnected successfully.',
  errors: ['not_found'],
  async handle(app, { caller, body }) {
    await service.disconnect(app, caller.orgId, body);
    return {};
  },
});

export const getCalendarStatus = operation({
  operationId: 'getCalendarStatus',
  tag,
  summary: "Get the status of the organization's calendar accounts",
  query: object(orgParameters),
  data: wire.statusSchema,
  message: 'The calendar connection status was retrieved.',
  errors: ['not_found'],
  async handle(app, { caller, query }) {
    requireOwnOrg(caller.orgId, query);
    return status(app, caller.orgId, null);
  },
});

export const lookUpEventType = operation({
  operationId: 'lookUpEventType',
  tag,
  summary: "Find an event type in all connected accounts by the provider's ID or slug",
  params: object({
    platform_id: Type.String({ maxLength: 200, pattern: '\\S', description: "The provider's event type id or slug" }),
  }),
  query: object(orgParameters),
  data: wire.eventTypeSchema,
  message: 'Event type found.',
  errors: ['not_found', 'not_connected', 'provider'],
  async handle(app, { caller, query, params }) {
    requireOwnOrg(caller.orgId, query);
    return { data: wire.presentEventType(await findEventType(app, caller.orgId, params.platform_id)) };
  },
});

export const listCalendarSlots = operation({
  operationId: 'listCalendarSlots',
  tag,
  summary: 'List the free slots of an event type',
  query: object({
    ...orgParameters,
    event_type_id: integer({ minimum: 1, maximum: maxEventTypeId, description: 'Event type id at the provider' }),
    start: Type.String({
      description: 'Date, or date and time with an offset; a date means that whole day in timezone',
    }),
    end: Type.String({ description: 'Date or date and time, like start; a date is included' }),
    timezone: optional(timeZone('IANA time zone; defaults to UTC')),
  }),
  data: wire.slotsSchema,
  message: 'Free slots fetched.',
  errors: ['not_found', 'not_connected', 'provider'],
  async handle(app, { caller, query }) {
    requireOwnOrg(caller.orgId, query, rangeFaults(query));
    const range = slotRange(query);
    const { match, slots } = await freeSlots(app, caller.orgId, query.event_type_id, range);
    return { data: wire.presentSlots(match, slots, range.timeZone) };
  },
});

export const createCalendarBooking = operation({
  operationId: 'createCalendarBooking',
  tag,
  summary: 'Book a free slot of an event type',
  body: wire.bookingBody,
  example: {
    event_type_id: 4711,
    start: '2026-03-03T10:00:00Z',
    attendee: { name: 'Ada Lovelace', email: 'ada@example.com', timezone: 'Europe/Berlin' },
  },
  data: wire.bookingSchema,
  ownTransactions: true,
  message: 'Slot booked.',
  errors: ['not_found', 'not_connected', 'conflict', 'provider'],
  async handle(app, { caller, body }) {
    const booking = bookingOf(body);
    if (body.org_id !== undefined) requireOwn(caller.orgId, body.org_id);
    return { data: wire.presentBooking(await bookSlot(app, caller.orgId, booking)) };
  },
});
