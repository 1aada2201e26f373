import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An event type with the fields of Cal.com's responses in version 2024-06-14. */
export type FakeEventType = {
  id: number;
  slug: string;
  title: string;
  description: string;
  lengthInMinutes: number;
  price: number;
  currency: string;
  hidden?: boolean;
  /** Starts of free slots, UTC. */
  free: string[];
  /** Number of bookings that each booking request makes, for a recurring event type. */
  recurrences?: number;
};

export type FakeUser = {
  id: number;
  name?: string | null;
  username?: string | null;
  email?: string | null;
  eventTypes: FakeEventType[];
};

/** Behaviour of the fake instead of a normal answer: reset the connection, never answer, or send exactly this answer. */
export type FakeFault =
  | { kind: 'reset' }
  | { kind: 'hang' }
  | { kind: 'answer'; status: number; body: string; headers?: Record<string, string> };

export type RecordedRequest = {
  method: string;
  path: string;
  query: URLSearchParams;
  key: string;
  version: string | undefined;
  body: Record<string, unknown> | undefined;
};

export type FakeCal = {
  url: string;
  /** Users by API key; removing a key revokes it. */
  lastBookingId: number;
  users: Map<string, FakeUser>;
  /** Every request received, in order. */
  requests: RecordedRequest[];
  /** Returns the fault for a request, if any; by default there is none. */
  fault: (request: RecordedRequest) => FakeFault | undefined | Promise<undefined>;
  /** Refuses new connections from now on; those that are open stay. */
  stopListening(): void;
  /** Makes the next `times` requests fail with the fault. */
  failNext(times: number, fault: FakeFault): void;
  close(): Promise<void>;
};

const knownVersions = ['2024-04-15', '2024-06-11', '2024-06-14', '2024-08-13', '2024-09-04'];

type Answer = { status: number; data?: unknown; error?: { code: string; message: string } };

const success = (data: unknown, status = 200): Answer => ({ status, data });
const failure = (status: number, code: string, message: string): Answer => ({ status, error: { code, message } });
const notFound = (message: string): Answer => failure(404, 'NotFoundException', message);
const badRequest = (message: string): Answer => failure(400, 'BadRequestException', message);

/** An error answer in Cal.com's JSON format. */
export const errorAnswer = (status: number, headers: Record<string, string> = {}): FakeFault => ({
  kind: 'answer',
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify({
    status: 'error',
    timestamp: '2026-03-02T09:00:00.000Z',
    path: '/v2',
    error: { code: 'Exception', message: 'In trouble' },
  }),
});

/**
 * The part of Cal.com API v2 that parley uses, modelled on its source (apps/api/v2 in calcom/cal.com): a missing or unknown version
 * counts as 2024-04-15, answers depend on the version, and errors are `{status, timestamp, path, error: {code, message}}`.
 */
export async function startFakeCal(): Promise<FakeCal> {
  let failures: FakeFault[] = [];
  const server = http.createServer((request, response) => void serve(request, response));
  const fake: FakeCal = {
    url: '',
    users: new Map(),
    requests: [],
    lastBookingId: 100,
    fault: () => undefined,
    stopListening() {
      server.close();
    },
    failNext(times, fault) {
      failures = Array.from({ length: times }, () => fault);
    },
    async close() {
      server.closeAllConnections();
      if (server.listening) await new Promise((done) => server.close(done));
    },
  };

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const recorded = await read(request);
    fake.requests.push(recorded);
    const fault = failures.shift() ?? (await fake.fault(recorded));
    if (fault?.kind === 'hang') return;
    if (fault?.kind === 'reset') return void request.socket.destroy();
    if (fault) return void response.writeHead(fault.status, fault.headers).end(fault.body);
    const { status, data, error } = answerOf(fake, recorded);
    const body = error
      ? { status: 'error', timestamp: '2026-03-02T09:00:00.000Z', path: request.url, error }
      : { status: 'success', data };
    response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body));
  }

  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  fake.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return fake;
}

async function read(request: IncomingMessage): Promise<RecordedRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  const url = new URL(request.url!, 'http://fake');
  return {
    method: request.method!,
    path: url.pathname,
    query: url.searchParams,
    key: /^Bearer (.*)$/.exec(request.headers.authorization ?? '')?.[1] ?? '',
    version: request.headers['cal-api-version'] as string | undefined,
    body: text === '' ? undefined : (JSON.parse(text) as Record<string, unknown>),
  };
}

function answerOf(fake: FakeCal, request: RecordedRequest): Answer {
  const version = knownVersions.includes(request.version ?? '') ? request.version! : '2024-04-15';
  const operation = `${request.method} ${request.path.replace(/\/\d+$/, '/:id')}`;
  // Cal.com shows slots to everybody, with any key or none.
  if (operation === 'GET /v2/slots' && version === '2024-09-04') return slots(fake, request.query);
  const user = fake.users.get(request.key);
  if (!user) return failure(401, 'UnauthorizedException', 'ApiAuthStrategy - api key - Your api key is not valid');
  const { eventTypes, ...person } = user;
  switch (operation) {
    case 'GET /v2/me':
      return success({ ...person, timeFormat: 12, defaultScheduleId: null, weekStart: 'Sunday', timeZone: 'UTC' });
    case 'GET /v2/event-types':
      if (version !== '2024-06-14') return success({ eventTypeGroups: [{ eventTypes: eventTypes.map(oldEventType) }] });
      // Releases until 2025 answer 404 for a user without event types.
      if (eventTypes.length === 0) return notFound('Event types not found');
      return success(eventTypes.map((one) => newEventType(user, one)));
    case 'GET /v2/event-types/:id': {
      const found = eventTypes.find(({ id }) => request.path.endsWith(`/${id}`));
      if (!found) return notFound(`Event type with id ${request.path.split('/').at(-1)} not found`);
      return success(version === '2024-06-14' ? newEventType(user, found) : { eventType: oldEventType(found) });
    }
    case 'POST /v2/bookings':
      return version === '2024-08-13' ? book(fake, request.body ?? {}) : badRequest('Bad Request Exception');
    default:
      return notFound(`Cannot ${request.method} ${request.path}`);
  }
}

const newEventType = ({ id, name, username }: FakeUser, eventType: FakeEventType) => ({
  ...eventType,
  free: undefined,
  recurrences: undefined,
  ownerId: id,
  locations: [{ type: 'integration', integration: 'cal-video' }],
  bookingFields: [{ type: 'name', slug: 'name', required: true }],
  recurrence: null,
  metadata: {},
  disableGuests: false,
  users: [{ id, name, username }],
});

const oldEventType = ({ id, slug, title, description, lengthInMinutes }: FakeEventType) => ({
  id,
  slug,
  title,
  description,
  length: lengthInMinutes,
});

const findEventType = (fake: FakeCal, id: unknown): FakeEventType | undefined =>
  [...fake.users.values()].flatMap(({ eventTypes }) => eventTypes).find((one) => one.id === id);

function slots(fake: FakeCal, query: URLSearchParams): Answer {
  const eventType = findEventType(fake, Number(query.get('eventTypeId')));
  if (!eventType) return notFound('Event Type not found');
  const [from, to] = [query.get('start'), query.get('end')].map((text) => Temporal.Instant.from(text!));
  if (Temporal.Instant.compare(from!, to!) > 0) {
    return badRequest("Invalid time range given - check the 'start' and 'end' query parameters.");
  }
  const zone = query.get('timeZone') ?? 'UTC';
  const days: Record<string, Array<{ start: string }>> = {};
  for (const start of eventType.free.map((text) => Temporal.Instant.from(text))) {
    if (Temporal.Instant.compare(start, from!) < 0 || Temporal.Instant.compare(start, to!) > 0) continue;
    const local = start.toZonedDateTimeISO(zone);
    const text = local.toString({ timeZoneName: 'never', fractionalSecondDigits: 3 }).replace('+00:00', 'Z');
    (days[local.toPlainDate().toString()] ??= []).push({ start: text });
  }
  return success(days);
}

function book(fake: FakeCal, body: Record<string, unknown>): Answer {
  const eventType = findEventType(fake, body['eventTypeId']);
  if (!eventType) return notFound(`Event type with id ${String(body['eventTypeId'])} not found.`);
  const attendee = body['attendee'] as Record<string, unknown> | undefined;
  if (typeof attendee?.['timeZone'] !== 'string' || typeof attendee['name'] !== 'string') {
    return badRequest('Bad Request Exception');
  }
  if (attendee['language'] === 'xx') return badRequest('attendee.language must be one of the known languages');
  const start = Temporal.Instant.from(String(body['start']));
  const slot = eventType.free.findIndex((text) => Temporal.Instant.from(text).equals(start));
  if (slot === -1) return badRequest('User either already has booking at this time or is not available');
  eventType.free.splice(slot, 1);
  const series = Array.from({ length: eventType.recurrences ?? 1 }, (_, week) => {
    const at = start.add({ hours: week * 7 * 24 });
    return bookingOf(++fake.lastBookingId, eventType, at, attendee['name'] as string, body['metadata']);
  });
  return success(eventType.recurrences === undefined ? series[0] : series, 201);
}

const bookingOf = (id: number, eventType: FakeEventType, start: Temporal.Instant, name: string, metadata: unknown) => ({
  id,
  uid: `booking-${id}`,
  title: `${eventType.title} between Ada and ${name}`,
  description: '',
  hosts: [{ id: 1, name: 'Ada', timeZone: 'UTC' }],
  status: 'accepted',
  start: start.toString({ fractionalSecondDigits: 3 }),
  end: start.add({ minutes: eventType.lengthInMinutes }).toString({ fractionalSecondDigits: 3 }),
  duration: eventType.lengthInMinutes,
  eventTypeId: eventType.id,
  eventType: { id: eventType.id, slug: eventType.slug },
  location: 'integrations:daily',
  absentHost: false,
  attendees: [{ name, absent: false }],
  metadata,
  bookingFieldsResponses: {},
});
