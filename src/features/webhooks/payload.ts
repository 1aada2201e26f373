import { isoOf } from '../../base/clock.ts';
import { boolean, id, object, oneOf, optional, timestamp } from '../../kernel/schema.ts';
import { type Call, callStatuses, plainOutcome } from '../calls/call.ts';
import { callData, callFields } from '../calls/call-data.ts';

/** The one kind of event there is (interface, Events). */
export const callCompleted = 'call.completed';

/** What is sent when a call has ended (interface, Events), so that how and when it ended is never null. */
export const callCompletedSchema = object(
  {
    event: oneOf([callCompleted]),
    org_id: id('organization'),
    test: optional(boolean({ description: 'A sample: the call never was. Absent from events of real calls' })),
    data: object(
      {
        ...callFields,
        call_id: id('call; the same on every delivery of this event, by which receivers know it again'),
        status: oneOf(callStatuses),
        ended_at: timestamp(),
      },
      { title: 'EndedCall' },
    ),
  },
  { title: 'CallCompleted' },
);

/** The exact text of an event: written once and sent as these bytes on every attempt. */
export const callCompletedBody = (call: Call): string =>
  JSON.stringify({ event: callCompleted, org_id: call.orgId, data: callData(call) });

/** What a sample is made of: everything else in it is invented. */
export type SampleSource = { orgId: string; agentId: string; agentName: string; callId: string; endedAt: number };

/** A complete event of a call that never was, marked `"test": true` (contract, section 12). */
export const sampleBody = (source: SampleSource): string =>
  JSON.stringify({ event: callCompleted, org_id: source.orgId, test: true, data: callData(sampleCall(source)) });

const ringingMs = 5_000;
const talkingMs = 42_000;

function sampleCall({ orgId, agentId, agentName, callId, endedAt }: SampleSource): Call {
  const answeredAt = endedAt - talkingMs;
  const startedAt = answeredAt - ringingMs;
  return {
    id: callId,
    orgId,
    agentId,
    agentName,
    phoneNumberId: callId,
    campaignId: null,
    contactId: null,
    campaignContactId: null,
    attempt: 1,
    // Numbers reserved for fiction (North American Numbering Plan, 555-0100 to 555-0199).
    from: '+12025550100',
    to: '+12025550123',
    callerName: 'Ada Example',
    callerEmail: 'ada@example.com',
    channel: 'voice',
    metadata: {},
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
    durationSec: talkingMs / 1000,
    transcripts: [
      entry(callId, answeredAt, 0, 'agent', `Hello, this is ${agentName}. Is this a good moment?`),
      entry(callId, answeredAt, 4_200, 'user', 'Could you call me again on Thursday?'),
    ],
    createdAt: startedAt,
    startedAt,
    answeredAt,
    endedAt,
  };
}

const entry = (callId: string, answeredAt: number, timestampMs: number, role: 'agent' | 'user', content: string) => ({
  id: `${callId}-${timestampMs}`,
  timestamp_ms: timestampMs,
  role,
  message: { content, format: 'text' },
  created_at: isoOf(answeredAt + timestampMs),
});
