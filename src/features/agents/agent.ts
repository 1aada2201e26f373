/** Voice agents (docs/api/agents.md). An INACTIVE agent places no calls. */

export const agentStatuses = ['ACTIVE', 'INACTIVE'] as const;
export type AgentStatus = (typeof agentStatuses)[number];

/** The events that webhooks can receive; a new agent subscribes to all of them. */
export const webhookEventNames = ['call.completed'] as const;
export type WebhookEventName = (typeof webhookEventNames)[number];

/** The settings of an agent, without its webhooks. */
export type AgentSettings = {
  agentName: string;
  status: AgentStatus;
  /** Name of a model in the catalog. */
  model: string;
  voiceId: string;
  /** 0 to 2. */
  temperature: number;
  /** Silence after which the agent asks whether the other person is still there. */
  reminderTriggerMs: number;
  maxCallDurationMs: number;
  /** An answered call is hung up when the other person was not heard for this long. */
  silenceTimeoutMs: number;
  /** IANA name. */
  calendarTimezone: string;
  emotion: boolean;
  /** Whether the agent waits until it is known that no mailbox has answered; in outbound calls of carriers that hear. */
  voicemailDetection: boolean;
  /** E.164. */
  emergencyFallback: string | null;
  /** E.164; the number to which a call is transferred by default. */
  transferPhone: string | null;
  /** Whether its calls are recorded; only by carriers that have the sound of their calls. */
  recordCalls: boolean;
  /** Said before the first message of a call that is recorded. */
  recordingNotice: string | null;
  prompt: string | null;
  firstMessage: string | null;
  voicemailMessage: string | null;
  knowledgeBaseIds: string[];
};

/** Ended calls by outcome; `total` is their sum. */
export type CallStats = {
  total: number;
  completed: number;
  failed: number;
  noAnswer: number;
  busy: number;
  voicemail: number;
};

/** A stored agent, without its webhook URLs: the feature `endpoints` stores them. */
export type Agent = AgentSettings & {
  id: string;
  orgId: string;
  webhookEvents: WebhookEventName[];
  callStats: CallStats;
  version: number;
  /** The newest edition (editions/edition.ts). */
  edition: number;
  createdAt: number;
  updatedAt: number;
};

/** The final statuses of a call. Repeated here, because agents must not import the feature `calls`. */
export type CountedStatus = 'completed' | 'failed' | 'no_answer' | 'busy' | 'voicemail';

/** Defaults for all settings except name, model and voice, which are required. */
export const agentDefaults: Omit<AgentSettings, 'agentName' | 'model' | 'voiceId'> = {
  status: 'ACTIVE',
  temperature: 0.7,
  reminderTriggerMs: 10_000,
  maxCallDurationMs: 3_600_000,
  silenceTimeoutMs: 30_000,
  calendarTimezone: 'UTC',
  emotion: false,
  voicemailDetection: true,
  emergencyFallback: null,
  transferPhone: null,
  recordCalls: false,
  recordingNotice: null,
  prompt: null,
  firstMessage: null,
  voicemailMessage: null,
  knowledgeBaseIds: [],
};
