import { isoOf, isoOrNull } from '../../base/clock.ts';
import type { Call } from './call.ts';

/**
 * The `data` object of `call.completed` (interface, Events), which `GET /calls/{id}` answers too. Both names for the idempotency
 * key are there: the interface's text says `call_id`, its payload `call_session_id` (contract, section 11).
 */
export const callData = (call: Call) => ({
  call_id: call.id,
  call_session_id: call.id,
  campaign_id: call.campaignId,
  contact_id: call.contactId,
  agent_id: call.agentId,
  agent_name: call.agentName,
  phone: call.to,
  status: call.status,
  duration_sec: call.durationSec,
  attempt: call.attempt,
  summary: call.summary,
  recording_url: call.recordingUrl,
  caller_number: call.from,
  callee_number: call.to,
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
