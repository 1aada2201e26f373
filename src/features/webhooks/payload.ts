import { isoOf } from '../../base/clock.ts';
import { emptyObject, stringify } from '../../base/json.ts';
import { boolean, id, object, oneOf, optional, timestamp } from '../../kernel/schema.ts';
import { type Call, type CallStatus, callStatuses, plainOutcome, type TranscriptEntry } from '../calls/call.ts';
import { callData, callFields } from '../calls/call-data.ts';

/** The only event type. */
export const callCompleted = 'call.completed';

/**
 * The event of an ended call (docs/api/webhooks.md, "Events and deliveries"). Unlike in the answers of the API, `status` and `ended_at`
 * are never null.
 */
export const callCompletedSchema = object(
  {
    event: oneOf([callCompleted]),
    org_id: id('organization'),
    test: optional(
      boolean({
        description: 'True for a sample event, whose call never took place; absent from events of real calls',
      }),
    ),
    data: object(
      {
        ...callFields,
        call_id: id('call. It is the same in every delivery of this event, so use it to detect duplicates'),
        status: oneOf(callStatuses),
        ended_at: timestamp(),
      },
      { title: 'EndedCall' },
    ),
  },
  { title: 'CallCompleted' },
);

/** Fields that may replace those of a sample event; the same as in events of real calls. */
export const sampleDataSchema = object(
  Object.fromEntries(
    Object.entries({ ...callFields, status: oneOf(callStatuses), ended_at: timestamp() }).map(([name, schema]) => [
      name,
      optional(schema),
    ]),
  ),
  { title: 'SampleEventData' },
);

/** The JSON text of an event. It is stored, so that every attempt sends the same bytes. */
export const callCompletedBody = (call: Call): string =>
  stringify({ event: callCompleted, org_id: call.orgId, data: callData(call) });

/** The real values in a sample event; everything else in it is invented. */
export type SampleInput = {
  orgId: string;
  agentId: string;
  agentName: string;
  callId: string;
  endedAt: number;
  /** Default: completed. */
  outcome?: CallStatus;
  /** Fields of `data` that replace those of the sample. */
  data?: object;
};

/** A complete event of an invented call, marked `"test": true`. */
export const sampleBody = (source: SampleInput): string =>
  stringify({
    event: callCompleted,
    org_id: source.orgId,
    test: true,
    data: { ...callData(withOutcome(sampleCall(source), source.outcome)), ...source.data },
  });

/** The sample call, or one to the same person that ended otherwise: nobody answered it. */
function withOutcome(call: Call, outcome: CallStatus = 'completed'): Call {
  if (outcome === 'completed') return call;
  const errorMessage = outcome === 'failed' ? 'A sample: the network could not complete the call.' : null;
  const unanswered = { durationSec: 0, answeredAt: null, transcripts: [] };
  return { ...call, ...plainOutcome(outcome, { errorMessage }), ...unanswered, endedAt: call.answeredAt };
}

const sampleRingingMs = 5_000;
const sampleTalkingMs = 42_000;

function sampleCall({ orgId, agentId, agentName, callId, endedAt }: SampleInput): Call {
  const answeredAt = endedAt - sampleTalkingMs;
  const startedAt = answeredAt - sampleRingingMs;
  return {
    id: callId,
    orgId,
    agentId,
    agentName,
    agentEdition: null,
    phoneNumberId: callId,
    campaignId: null,
    contactId: null,
    campaignContactId: null,
    attempt: 1,
    // Numbers reserved for fictional use (North American Numbering Plan, 555-0100 to 555-0199).
    from: '+12025550100',
    to: '+12025550123',
    callerName: 'Ada Example',
    callerEmail: 'ada@example.com',
    driver: 'simulated',
    direction: 'outbound',
    sip: null,
    speech: null,
    simulate: null,
    forced: false,
    sendsEvent: true,
    channel: 'voice',
    metadata: emptyObject,
    maxDurationMs: 3_600_000,
    state: 'ended',
    ...plainOutcome('completed', {
      disconnectReason: 'customer_hangup',
      summary: 'A sample: the customer asked for a call back on Thursday.',
      recordingUrl: 'https://example.com/recordings/sample.mp3',
      costTotal: 0.07,
      callLatencyMs: 620,
      analysis: {
        sentiment: 'positive',
        disposition: 'callback_requested',
        goals_met: true,
        next_steps: 'Call back on Thursday.',
      },
    }),
    hangupRequested: false,
    ending: null,
    durationSec: sampleTalkingMs / 1000,
    transcripts: [
      transcriptEntry(callId, answeredAt, 0, 'agent', `Hello, this is ${agentName}. Is this a good moment?`),
      transcriptEntry(callId, answeredAt, 4_200, 'user', 'Could you call me again on Thursday?'),
    ],
    createdAt: startedAt,
    slotAt: startedAt,
    handedOverAt: startedAt,
    startedAt,
    answeredAt,
    endedAt,
  };
}

const transcriptEntry = (
  callId: string,
  answeredAt: number,
  timestampMs: number,
  role: 'agent' | 'user',
  content: string,
): TranscriptEntry => ({
  id: `${callId}-${timestampMs}`,
  timestamp_ms: timestampMs,
  role,
  message: { content, format: 'text' },
  created_at: isoOf(answeredAt + timestampMs),
});
