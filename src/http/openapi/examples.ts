import type { Schema } from './schema.ts';

const byFormat: Readonly<Record<string, string>> = {
  uuid: '019cadc6-9a80-7001-a45e-788430a62e9c',
  e164: '+4930901820',
  email: 'ada@example.com',
  'date-time': '2026-03-02T09:00:00.000Z',
  'local-date-time': '2026-03-02T09:00',
  'local-date-or-time': '2026-03-02',
  country: 'DE',
  'time-zone': 'Europe/Berlin',
  'time-of-day': '09:00',
  'http-url': 'https://example.com/recordings/1.mp3',
  'termination-uri': 'sip.example.com',
};

/** Realistic example values, by field name or by schema name and field name. */
const byName: Readonly<Record<string, unknown>> = {
  charset: 'windows-1252',
  mapping: '{"Shoe size":"metadata.size","Remarks":null}',
  'ApiKey.name': 'CI',
  'Booking.id': '101',
  'Booking.status': 'accepted',
  'CalendarEventType.id': '4711',
  'Campaign.name': 'Spring reminders',
  'CampaignInFull.name': 'Spring reminders',
  'CampaignMembership.name': 'Spring reminders',
  'Model.description': 'Demo model of the simulated carrier',
  'NewApiKey.name': 'CI',
  'Passage.heading': 'Returning',
  'Passage.highlights': [[23, 31]],
  'Passage.source_name': 'Returns',
  'Passage.text': 'What you bought may be returned within 30 days.',
  'Organization.name': 'Analytical Engines',
  'PhoneNumber.name': 'Main line',
  'TranscriptEntry.id': '1',
  'Voice.id': '01990000-0000-7000-8000-000000000101',
  access_token: 'eyJhbGciOiJIUzI1NiJ9…',
  account_name: 'Sales',
  agentName: 'Robin',
  agent_id: byFormat['uuid'],
  agent_name: 'Robin',
  api_key: 'pk_0123456789abcdefghijklmnopqrstuvwxyz',
  calendarTimezone: 'Europe/Berlin',
  call_session_id: byFormat['uuid'],
  caller_name: 'Ada Lovelace',
  company: 'Analytical Engines',
  contact_id: byFormat['uuid'],
  content: 'Asked to be called on Thursday.',
  currency: 'usd',
  description: 'Half an hour to get to know each other',
  disposition: 'callback_requested',
  driver: 'simulated',
  duration_minutes: 30,
  duration_sec: 42,
  email: byFormat['email'],
  emergencyFallback: byFormat['e164'],
  end: '2026-03-03',
  error: null,
  error_message: null,
  event: 'call.completed',
  event_type_id: '4711',
  expires_in: 3600,
  firstMessage: 'Hello, this is Robin. Is this a good moment?',
  first_name: 'Ada',
  format: 'text',
  fromPhoneNumber: byFormat['e164'],
  gender: 'female',
  imgUrl: 'https://example.com/voices/ava.png',
  kind: 'webhook.endpoint_failing',
  language: 'en-US',
  last_error: null,
  last_name: 'Lovelace',
  limit: 50,
  llmModel: 'parley-demo',
  local_start: '2026-03-03T11:00:00+01:00',
  location: 'https://example.com/meet/1',
  maxCallDurationMs: 3_600_000,
  model: 'parley-demo',
  name: 'Ada Lovelace',
  next_steps: 'Call back on Thursday.',
  now: byFormat['date-time'],
  phone: byFormat['e164'],
  phone_number: byFormat['e164'],
  platform_id: 'intro',
  prompt: 'You call to remind of an appointment.',
  q: 'Lovelace',
  recordingUrl: 'https://example.com/voices/ava.mp3',
  recording_url: 'https://example.com/recordings/1.mp3',
  reminderTriggerMs: 10_000,
  reason: 'Asked not to be called',
  response_body: '',
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  sip_username: 'parley',
  slug: 'intro',
  start: '2026-03-03',
  status_code: 200,
  subject: 'A webhook endpoint is failing',
  summary: 'Asked to be called on Thursday.',
  tag: 'vip',
  temperature: 0.7,
  termination_uri: 'sip.example.com',
  timezone: 'Europe/Berlin',
  title: 'Introduction (Sales)',
  total: 1,
  uid: 'kx8vQ2LmN4',
  url: 'https://example.com/hooks/parley',
  version: '0.1.0',
  voicemailMessage: 'This is Robin; I shall call again.',
  voiceId: '01990000-0000-7000-8000-000000000101',
  voiceName: 'Ava',
  webhookUrl: 'https://example.com/hooks/parley',
  windowDays: [1, 2, 3, 4, 5],
  windowEnd: '17:00',
  windowStart: '09:00',
  window_days: [1, 2, 3, 4, 5],
  window_end: '17:00',
  window_start: '09:00',
};

const hasType = (type: string, value: unknown): boolean =>
  type === 'array' ? Array.isArray(value) : type === 'integer' ? Number.isInteger(value) : typeof value === type;

function numberFor({ minimum = 0, maximum = Infinity }: Schema): number {
  return Math.min(Math.max(minimum, 1), maximum);
}

type ShownFields = 'all' | 'required';

/** Generates a plausible value that conforms to a schema. `fields` selects which fields of objects it includes. */
export const exampleOf = (schema: object, fields: ShownFields, name = ''): unknown =>
  valueFor(schema, fields, name, '');

function valueFor(schema: Schema, fields: ShownFields, name: string, schemaTitle: string): unknown {
  if (schema.anyOf) return valueFor(schema.anyOf[0]!, fields, name, schemaTitle);
  if (schema.enum) return schema.enum[0];
  const types = [schema.type].flat();
  const type = types[0] ?? 'object';
  if (schema.format !== undefined) return byFormat[schema.format];
  const key = [`${schemaTitle}.${name}`, name].find((candidate) => Object.hasOwn(byName, candidate));
  const named = key === undefined ? undefined : byName[key];
  if (named === null ? types.includes('null') : named !== undefined && hasType(type, named)) return named;
  switch (type) {
    case 'object':
      return objectFor(schema, fields);
    case 'array':
      return fields === 'required' && !schema.minItems
        ? []
        : [valueFor(schema.items!, fields, name.replace(/s$/, ''), schemaTitle)];
    case 'integer':
    case 'number':
      return numberFor(schema);
    case 'boolean':
      return true;
    default:
      return 'text'.padEnd(schema.minLength ?? 0, '.');
  }
}

function objectFor({ title, properties = {}, required = [] }: Schema, fields: ShownFields): unknown {
  const shown = Object.entries(properties).filter(([name]) => fields === 'all' || required.includes(name));
  return Object.fromEntries(shown.map(([name, schema]) => [name, valueFor(schema, fields, name, title ?? '')]));
}
