import type { JsonObject } from '../../base/json.ts';
import type { SpeechFacts } from '../../telephony/audio/speech.ts';
import type { SipFacts } from '../../telephony/dialog/reports.ts';

/** A call (docs/api/calls.md): one attempt to reach somebody, and the conversation if it succeeds. */

export const callStates = ['queued', 'dialing', 'ringing', 'in_progress', 'ended'] as const;
export type CallState = (typeof callStates)[number];

export const callStatuses = ['completed', 'failed', 'no_answer', 'busy', 'voicemail'] as const;
export type CallStatus = (typeof callStatuses)[number];

export type DisconnectReason = 'customer_hangup' | 'agent_hangup' | 'error';

export type PostCallAnalysis = {
  sentiment: 'positive' | 'neutral' | 'negative';
  disposition: string;
  goals_met: boolean;
  next_steps: string;
};

export type TranscriptEntry = {
  id: string;
  timestamp_ms: number;
  role: 'agent' | 'user';
  message: { content: string; format: 'text' | 'dtmf' };
  created_at: string;
};

/** How a simulated call has to go (scripted-call.ts). */
export type ScriptedCall = {
  outcome: CallStatus;
  ring_ms?: number;
  talk_ms?: number;
  transcript?: Array<{ role: 'agent' | 'user'; text: string }>;
  summary?: string | null;
};

export const callDirections = ['outbound', 'inbound'] as const;

export type Call = {
  id: string;
  orgId: string;
  agentId: string;
  agentName: string;
  /** The agent's edition when the call was made; null for calls that have none. */
  agentEdition: number | null;
  /** Empty for a test call. */
  phoneNumberId: string;
  campaignId: string | null;
  contactId: string | null;
  campaignContactId: string | null;
  attempt: number;
  /** The carrier driver that the call was made for. */
  driver: string;
  direction: (typeof callDirections)[number];
  /** Null for an incoming call without a caller number. */
  from: string | null;
  /** Empty for a test call. */
  to: string;
  /** Whether its end is an event for webhooks. */
  sendsEvent: boolean;
  callerName: string | null;
  callerEmail: string | null;
  channel: 'voice' | 'web' | 'sip';
  /** Null for calls of other carriers. */
  sip: SipFacts | null;
  /** Null before a speech session is opened, and for carriers that do not speak themselves. */
  speech: SpeechFacts | null;
  /** How the simulated carrier lets the call go; null: as the dialed number says. */
  simulate: ScriptedCall | null;
  /** An admin placed it although a limit of calls to one number forbade it. */
  forced: boolean;
  metadata: JsonObject;
  maxDurationMs: number;
  state: CallState;
  status: CallStatus | null;
  disconnectReason: DisconnectReason | null;
  errorMessage: string | null;
  hangupRequested: boolean;
  /** How the call has ended, while its conversation is being analyzed; until then it counts as live. */
  ending: CallOutcome | null;
  durationSec: number;
  summary: string | null;
  recordingUrl: string | null;
  costTotal: number;
  callLatencyMs: number | null;
  analysis: PostCallAnalysis | null;
  transcripts: TranscriptEntry[];
  createdAt: number;
  /** When the limits of calls per second first let the call start. */
  slotAt: number | null;
  /** When the call was last handed to the carrier; null if the carrier certainly does not have it. */
  handedOverAt: number | null;
  startedAt: number | null;
  answeredAt: number | null;
  endedAt: number | null;
};

/** When a call started, or was made if it has not started. */
export const startOf = (call: Pick<Call, 'startedAt' | 'createdAt'>): number => call.startedAt ?? call.createdAt;

/** How a call ended, as the carrier or the engine reports it. */
export type CallOutcome = {
  status: CallStatus;
  disconnectReason: DisconnectReason | null;
  /** Why it failed, as a sentence; null otherwise. */
  errorMessage: string | null;
  /** True if the called number does not exist or can never be called, so that a retry is pointless. */
  invalidNumber: boolean;
  summary: string | null;
  recordingUrl: string | null;
  costTotal: number;
  callLatencyMs: number | null;
  analysis: PostCallAnalysis | null;
  /** Replaces the entries that were reported during the call; null keeps them. */
  transcripts: TranscriptEntry[] | null;
  /** From answer to end, as measured by the carrier; without it, computed from the reported instants. */
  durationSec?: number;
  /** Defaults to the instant of the report. */
  endedAt?: number;
};

/** An outcome with neutral values for everything but the status. */
export const plainOutcome = (status: CallStatus, rest: Partial<Omit<CallOutcome, 'status'>> = {}): CallOutcome => ({
  status,
  disconnectReason: status === 'failed' ? 'error' : null,
  errorMessage: null,
  invalidNumber: false,
  summary: null,
  recordingUrl: null,
  costTotal: 0,
  callLatencyMs: null,
  analysis: null,
  transcripts: null,
  ...rest,
});
