import { dayMs } from '../../../../base/clock.ts';
import { type Fault, invalid } from '../../../../base/errors.ts';
import { operation, type Operation } from '../../../../kernel/route.ts';
import {
  boolean,
  httpUrl,
  id,
  list,
  nullable,
  number,
  object,
  oneOf,
  optional,
  type Static,
  text,
  timestamp,
  Type,
} from '../../../../kernel/schema.ts';
import { callStates, callStatuses } from '../../call.ts';
import { analysisSchema } from '../../call-data.ts';
import { type CallEvent, receiveEvent } from './events.ts';
import type { HttpSettings } from './settings.ts';
import { checkCallback } from './signature.ts';

/** Bounds reported durations, so that the sum of an instant and a duration can still be represented as a date. */
const maxDurationMs = 7 * dayMs;
const measure = (maximum: number) => optional(nullable(number({ minimum: 0, maximum })));

const entrySchema = object({
  id: optional(nullable(Type.String({ minLength: 1, maxLength: 100 }))),
  timestamp_ms: number({ minimum: 0, maximum: maxDurationMs, description: 'Milliseconds since the answer' }),
  role: oneOf(['agent', 'user']),
  content: text(20_000),
});

const eventSchema = object(
  {
    type: oneOf(['ringing', 'answered', 'transcript', 'ended']),
    call_session_id: id('The call in the path, repeated because the signature covers only the body'),
    at: optional(timestamp('When it happened; the time of this request if left out')),
    entries: optional(
      nullable(
        list(entrySchema, {
          maxItems: 10_000,
          description: 'With type transcript the new entries, with type ended all entries',
        }),
      ),
    ),
    status: optional(nullable(oneOf(callStatuses, { description: 'How it ended; required with ended' }))),
    disconnect_reason: optional(nullable(oneOf(['customer_hangup', 'agent_hangup', 'error']))),
    error_message: optional(nullable(text(2000))),
    invalid_number: optional(nullable(boolean({ description: 'The number can never be reached: do not retry' }))),
    summary: optional(nullable(text(20_000))),
    recording_url: optional(nullable(httpUrl(2000))),
    cost_total: measure(1_000_000),
    call_latency_ms: measure(maxDurationMs),
    post_call_analysis: optional(nullable(analysisSchema)),
    duration_sec: measure(maxDurationMs / 1000),
  },
  { title: 'CallEvent' },
);

type EventBody = Static<typeof eventSchema>;

export const reportCallEvent = (settings: HttpSettings): Operation =>
  operation({
    operationId: 'reportCallEvent',
    tag: 'Calls',
    summary:
      'Report the progress or end of a call, in any order and as often as you like; for the voice runtime of the carrier http',
    verifySignature: (app, header) => checkCallback(settings, app, header),
    params: object({ id: id('call') }),
    body: eventSchema,
    example: {
      type: 'ended',
      call_session_id: '019cadc6-9a80-7001-a45e-788430a62e9c',
      status: 'completed',
      disconnect_reason: 'customer_hangup',
      duration_sec: 42,
      summary: 'Confirmed the appointment.',
      entries: [{ timestamp_ms: 0, role: 'agent', content: 'Hello, this is Robin.' }],
    },
    data: object({
      call_session_id: id('call'),
      state: oneOf(callStates, { description: 'ended: hang up if the call is still live' }),
    }),
    message: 'Event received.',
    async handle(app, { params, body }) {
      const call = await receiveEvent(app, params.id, eventOf(params.id, body));
      return { data: { call_session_id: call.id, state: call.state } };
    },
  });

/** @throws invalid when fields contradict each other or the path */
function eventOf(callId: string, body: EventBody): CallEvent {
  const { type, call_session_id: named, at: atText, status, entries, ...rest } = body;
  const faults: Fault[] = [];
  if (named !== callId) faults.push({ path: 'call_session_id', message: 'is not the call in the path' });
  if (type === 'ended' && !status) faults.push({ path: 'status', message: 'is required when type is ended' });
  if (type === 'transcript' && !entries)
    faults.push({ path: 'entries', message: 'is required when type is transcript' });
  if (faults.length > 0) throw invalid(faults);
  const at = atText === undefined ? {} : { at: Temporal.Instant.from(atText).epochMilliseconds };
  if (type === 'ended') return { ...rest, ...at, type, status: status!, entries: entries ?? null };
  return type === 'transcript' ? { ...at, type, entries: entries ?? [] } : { ...at, type };
}
