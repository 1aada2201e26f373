/** A voice agent (interface, Agent; contract, section 4). An INACTIVE one places no calls. */

export const agentStatuses = ['ACTIVE', 'INACTIVE'] as const;
export type AgentStatus = (typeof agentStatuses)[number];

/** What an agent can be told of; an agent is subscribed to all of them unless it says otherwise. */
export const webhookEventNames = ['call.completed'] as const;
export type WebhookEventName = (typeof webhookEventNames)[number];

/** What people set, apart from webhooks. */
export type AgentSettings = {
  agentName: string;
  status: AgentStatus;
  /** Name of a model of the catalogue. */
  model: string;
  voiceId: string;
  /** 0 to 2. */
  temperature: number;
  /** Silence after which the agent asks whether anybody is there. */
  reminderTriggerMs: number;
  maxCallDurationMs: number;
  /** IANA name. */
  calendarTimezone: string;
  emotion: boolean;
  /** E.164. */
  emergencyFallback: string | null;
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

export type Agent = AgentSettings & {
  id: string;
  orgId: string;
  webhookUrls: string[];
  webhookEvents: WebhookEventName[];
  callStats: CallStats;
  createdAt: number;
  updatedAt: number;
};

/** How a call can end (interface, Call status); calls are a later feature, which these words must match. */
export type CountedStatus = 'completed' | 'failed' | 'no_answer' | 'busy' | 'voicemail';

/** What an agent has that was made with a name, a model and a voice alone (contract, section 4). */
export const agentDefaults: Omit<AgentSettings, 'agentName' | 'model' | 'voiceId'> = {
  status: 'ACTIVE',
  temperature: 0.7,
  reminderTriggerMs: 10_000,
  maxCallDurationMs: 3_600_000,
  calendarTimezone: 'UTC',
  emotion: false,
  emergencyFallback: null,
  prompt: null,
  firstMessage: null,
  voicemailMessage: null,
  knowledgeBaseIds: [],
};
