import type { JsonObject } from '../../../base/json.ts';
import type { Agent } from '../../agents/agent.ts';
import { type Contact, nameOf } from '../../contacts/contact.ts';
import type { Call } from '../call.ts';

type Input = { id: string; agent: Agent; contact: Contact | undefined; metadata: JsonObject; now: number };

/** The call that a conversation stands for. It is not stored, so nobody can look it up. */
export const standInCall = ({ id, agent, contact, metadata, now }: Input): Call => ({
  id,
  orgId: agent.orgId,
  agentId: agent.id,
  agentName: agent.agentName,
  agentEdition: agent.edition,
  phoneNumberId: '',
  campaignId: null,
  contactId: contact?.id ?? null,
  campaignContactId: null,
  attempt: 1,
  driver: 'web',
  direction: 'outbound',
  from: null,
  to: contact?.phone ?? '',
  sendsEvent: false,
  callerName: contact ? nameOf(contact) : null,
  callerEmail: contact?.email ?? null,
  channel: 'web',
  sip: null,
  speech: null,
  simulate: null,
  forced: false,
  metadata,
  maxDurationMs: agent.maxCallDurationMs,
  state: 'in_progress',
  status: null,
  disconnectReason: null,
  errorMessage: null,
  hangupRequested: false,
  ending: null,
  durationSec: 0,
  summary: null,
  recordingUrl: null,
  costTotal: 0,
  callLatencyMs: null,
  analysis: null,
  transcripts: [],
  createdAt: now,
  slotAt: now,
  handedOverAt: now,
  startedAt: now,
  answeredAt: now,
  endedAt: null,
});
