import { isoOf, isoOrNull } from '../../base/clock.ts';
import {
  boolean,
  email,
  id,
  integer,
  list,
  metadata,
  nullable,
  number,
  object,
  oneOf,
  phone,
  timestamp,
  Type,
} from '../../kernel/schema.ts';
import { type Call, callDirections, callStatuses } from './call.ts';

/** `post_call_analysis`. */
export const analysisSchema = object(
  {
    sentiment: oneOf(['positive', 'neutral', 'negative']),
    disposition: Type.String({
      description: 'Such as meeting_booked, not_interested or callback_requested; a voice runtime may report others',
    }),
    goals_met: boolean(),
    next_steps: Type.String(),
  },
  { title: 'CallAnalysis' },
);

const transcriptSchema = object(
  {
    id: Type.String(),
    timestamp_ms: integer(),
    role: oneOf(['agent', 'user']),
    message: object({ content: Type.String(), format: oneOf(['text', 'dtmf']) }),
    created_at: timestamp(),
  },
  { title: 'TranscriptEntry' },
);

/** Fields of `data` in `call.completed`. A field that has no value before the call ends is null until then. */
export const callFields = {
  call_id: id('call'),
  call_session_id: id('call'),
  campaign_id: nullable(id('campaign')),
  contact_id: nullable(id('contact')),
  agent_id: id('agent'),
  agent_name: Type.String(),
  direction: oneOf(callDirections),
  phone: nullable(phone()),
  status: nullable(oneOf(callStatuses)),
  duration_sec: integer({ description: 'Seconds since the answer; 0 if unanswered' }),
  attempt: integer(),
  summary: nullable(Type.String()),
  recording_url: nullable(Type.String()),
  caller_number: nullable(phone()),
  callee_number: nullable(phone()),
  caller_name: nullable(Type.String()),
  caller_email: nullable(email()),
  channel: oneOf(['voice', 'web', 'sip']),
  disconnect_reason: nullable(oneOf(['customer_hangup', 'agent_hangup', 'error'])),
  cost_total: number(),
  call_latency_ms: nullable(integer()),
  started_at: nullable(timestamp('Time of dialing')),
  ended_at: nullable(timestamp()),
  created_at: timestamp(),
  post_call_analysis: nullable(analysisSchema),
  transcripts: list(transcriptSchema),
  metadata: metadata(),
};

/** A test call has no numbers, and an outgoing call to an erased person not theirs. */
const phoneOrNull = (phoneNumber: string): string | null => (phoneNumber === '' ? null : phoneNumber);

/**
 * The `data` object of `call.completed`, also answered by `GET /calls/{id}`. The id appears twice, as `call_id` and `call_session_id`,
 * because receivers are told to use either.
 */
export const callData = (call: Call) => ({
  call_id: call.id,
  call_session_id: call.id,
  campaign_id: call.campaignId,
  contact_id: call.contactId,
  agent_id: call.agentId,
  agent_name: call.agentName,
  direction: call.direction,
  phone: call.direction === 'inbound' ? call.from : phoneOrNull(call.to),
  status: call.status,
  duration_sec: call.durationSec,
  attempt: call.attempt,
  summary: call.summary,
  recording_url: call.recordingUrl,
  caller_number: call.from,
  callee_number: phoneOrNull(call.to),
  caller_name: call.callerName,
  caller_email: call.callerEmail,
  channel: call.channel,
  disconnect_reason: call.disconnectReason,
  cost_total: call.costTotal,
  call_latency_ms: call.callLatencyMs,
  started_at: isoOrNull(call.startedAt),
  ended_at: isoOrNull(call.endedAt),
  created_at: isoOf(call.createdAt),
  post_call_analysis: call.analysis,
  transcripts: call.transcripts,
  metadata: call.metadata,
});
