// Written by .build/generate-client.ts from the OpenAPI document; change the routes and run `npm run generate`.
import { type Answer, call, type CallOptions, type Client, type PagedAnswer } from './client.ts';

export type Organization = {
  /** ID of the organization */
  id: string;
  name: string;
  /** Where notices go, such as that a webhook endpoint is failing */
  notification_emails: Array<string>;
  /** ISO 8601, UTC */
  created_at: string;
};

export type ApiKey = {
  /** ID of the API key */
  id: string;
  name: string;
  role: 'viewer' | 'member' | 'admin';
  /** ISO 8601, UTC */
  created_at: string;
  /** ISO 8601, UTC */
  last_used_at: string | null;
  /** Set while a rotation overlaps */
  expires_at: string | null;
};

export type NewApiKey = {
  /** ID of the API key */
  id: string;
  name: string;
  role: 'viewer' | 'member' | 'admin';
  /** Shown this once */
  api_key: string;
  /** ISO 8601, UTC */
  created_at: string;
};

export type Voice = {
  /** What an agent names as its voiceId */
  id: string;
  /** ID of the model */
  llmModelId: string;
  voiceName: string;
  gender: string | null;
  /** BCP 47, such as en-US */
  language: string;
  /** HTTPS URL of a sample */
  recordingUrl: string | null;
  /** HTTPS URL of an avatar */
  imgUrl: string | null;
};

export type Model = {
  /** ID of the model */
  id: string;
  /** What an agent names as its model */
  llmModel: string;
  description: string;
  /** In the platform's billing units */
  price: number;
  /** Models with false are not offered for new agents */
  isActive: boolean;
  voices: Array<Voice>;
};

export type PageMeta = {
  total: number;
  limit: number;
  offset: number;
};

export type KnowledgeBaseListItem = {
  /** ID of the knowledge base */
  id: string;
  name: string;
  /** ID of the organization */
  org_id: string;
  document_count: number;
  /** ISO 8601, UTC */
  created_at: string;
};

export type NewKnowledgeBase = {
  name: string;
  /** ID of the organization, the caller’s own */
  org_id?: string;
  /** Whether its sites are crawled again every 12 hours */
  enable_auto_refresh?: boolean;
};

export type KnowledgeSource = {
  /** ID of the source */
  source_id: string;
  source_type: 'text' | 'url' | 'file' | 'document';
  /** Title, file name or URL */
  source_name: string;
  source_url: string | null;
  source_status: 'pending' | 'processing' | 'complete' | 'error';
  /** Why it failed */
  error: string | null;
  /** Unix milliseconds */
  created_timestamp: number;
};

export type UrlSource = {
  /** ID of the source */
  source_id: string;
  url: string;
  /** Pages that are kept, so far */
  pages_found: number;
  status: 'pending' | 'processing' | 'complete' | 'error';
  /** Why it failed */
  error: string | null;
};

export type KnowledgeBaseWithSources = {
  /** ID of the knowledge base */
  knowledge_base_id: string;
  knowledge_base_name: string;
  /** in_progress while any source is, error if all failed, else complete */
  status: 'in_progress' | 'error' | 'complete';
  enable_auto_refresh: boolean;
  knowledge_base_sources: Array<KnowledgeSource>;
  /** Unix milliseconds */
  created_timestamp: number;
  /** Unix milliseconds */
  last_updated_timestamp: number;
  url_sources: Array<UrlSource>;
  /** By words alone, or by their meaning as well */
  retrieval: 'full_text' | 'hybrid';
};

export type KnowledgeQuery = {
  query: string;
  /** Passages at most; 5 unless given */
  limit?: number;
};

export type Passage = {
  text: string;
  /** From 0 to 1; where the best is below about 0.5 there is hardly an answer */
  score: number;
  /** ID of the source */
  source_id: string;
  /** Title or file name */
  source_name: string;
  /** The document that it is from */
  doc_id: string;
  url: string | null;
  /** The headings it stands under, from the highest */
  heading: string | null;
  /** Of a paged format */
  page: number | null;
};

export type NewKnowledgeSources = {
  /** Not more than 50 a call, of 1 MiB each, unless configured otherwise */
  knowledge_base_texts?: Array<{
    title: string;
    text: string;
  }>;
  /** Sites to crawl from there, on the same host; not more than 50 a call unless configured otherwise */
  knowledge_base_urls?: Array<string>;
};

export type KnowledgeBase = {
  /** ID of the knowledge base */
  knowledge_base_id: string;
  knowledge_base_name: string;
  /** in_progress while any source is, error if all failed, else complete */
  status: 'in_progress' | 'error' | 'complete';
  enable_auto_refresh: boolean;
  knowledge_base_sources: Array<KnowledgeSource>;
  /** Unix milliseconds */
  created_timestamp: number;
  /** Unix milliseconds */
  last_updated_timestamp: number;
};

export type DocumentToUpsert = {
  /** ID of the knowledge base */
  kb_id: string;
  /** Yours, unique in the organization; made up if it is left out */
  doc_id?: string;
  /** What it says; read as Markdown */
  text?: string | null;
  /** Where it is from; without a text, the page is fetched from there */
  url?: string | null;
  metadata?: Record<string, unknown>;
};

export type KnowledgeDocument = {
  /** Stable id; an upsert with it changes the document */
  doc_id: string;
  /** ID of the knowledge base */
  kb_id: string;
  /** ID of the organization */
  org_id: string;
  text: string | null;
  url: string | null;
  status: 'pending' | 'processing' | 'complete' | 'error';
  /** Why it failed */
  error: string | null;
  metadata: Record<string, unknown>;
  /** ISO 8601, UTC */
  created_at: string;
  /** ISO 8601, UTC */
  updated_at: string;
};

export type NewAgent = {
  agentName: string;
  /** Model name: the llmModel of an available model */
  model: string;
  /** Id of one of the voices of the model */
  voiceId: string;
  /** An INACTIVE agent places no calls */
  status?: 'ACTIVE' | 'INACTIVE';
  temperature?: number;
  reminderTriggerMs?: number;
  maxCallDurationMs?: number;
  /** IANA time zone */
  calendarTimezone?: string;
  emotion?: boolean;
  /** Telephone number, E.164 */
  emergencyFallback?: string | null;
  prompt?: string | null;
  firstMessage?: string | null;
  voicemailMessage?: string | null;
  knowledgeBaseIds?: Array<string>;
  /** Sets a single webhook URL (HTTPS); null removes all */
  webhook_url?: string | null;
  /** Sets all webhook URLs (HTTPS); null or [] removes all */
  webhook_urls?: Array<string> | null;
  webhook_events?: Array<'call.completed'>;
};

export type Agent = {
  /** ID of the agent */
  id: string;
  /** ID of the organization */
  organizationId: string;
  agentName: string;
  /** An INACTIVE agent places no calls */
  status: 'ACTIVE' | 'INACTIVE';
  model: string;
  voiceId: string;
  temperature: number;
  reminderTriggerMs: number;
  maxCallDurationMs: number;
  calendarTimezone: string;
  emotion: boolean;
  emergencyFallback: string | null;
  prompt: string | null;
  firstMessage: string | null;
  voicemailMessage: string | null;
  knowledgeBaseIds: Array<string>;
  webhookUrls: Array<string>;
  webhookEvents: Array<'call.completed'>;
  /** Counts of ended calls; counters that are zero are left out */
  callStats: {
    totalCalls?: number;
    completedCalls?: number;
    failedCalls?: number;
    noAnswerCalls?: number;
    busyCalls?: number;
    voicemailCalls?: number;
  };
  /** ISO 8601, UTC */
  createdAt: string;
  /** ISO 8601, UTC */
  updatedAt: string;
};

export type AgentChanges = {
  agentName?: string;
  /** Model name: the llmModel of an available model */
  model?: string;
  /** Id of one of the voices of the model */
  voiceId?: string;
  /** An INACTIVE agent places no calls */
  status?: 'ACTIVE' | 'INACTIVE';
  temperature?: number;
  reminderTriggerMs?: number;
  maxCallDurationMs?: number;
  /** IANA time zone */
  calendarTimezone?: string;
  emotion?: boolean;
  /** Telephone number, E.164 */
  emergencyFallback?: string | null;
  prompt?: string | null;
  firstMessage?: string | null;
  voicemailMessage?: string | null;
  knowledgeBaseIds?: Array<string>;
  /** Sets a single webhook URL (HTTPS); null removes all */
  webhook_url?: string | null;
  /** Sets all webhook URLs (HTTPS); null or [] removes all */
  webhook_urls?: Array<string> | null;
  webhook_events?: Array<'call.completed'>;
};

export type ContactInput = {
  first_name?: string | null;
  last_name?: string | null;
  email?: string | null;
  /** Telephone number, E.164 */
  phone?: string | null;
  company?: string | null;
  metadata?: Record<string, unknown> | null;
  /** IANA time zone whose wall clock calling windows follow */
  timezone?: string | null;
  do_not_call?: boolean;
};

export type Contact = {
  /** ID of the contact */
  id: string;
  first_name: string | null;
  last_name: string | null;
  email: string | null;
  phone: string | null;
  company: string | null;
  metadata: Record<string, unknown>;
  timezone: string | null;
  do_not_call: boolean;
  /** ISO 8601, UTC */
  created_at: string;
  /** ISO 8601, UTC */
  updated_at: string;
};

export type ContactNote = {
  /** ID of the note */
  id: string;
  content: string;
  /** ISO 8601, UTC */
  created_at: string;
};

export type NumberToImport = {
  /** Telephone number, E.164 */
  phone: string;
  name?: string | null;
  /** Where calls go: a SIP host with or without port, or a sip: or sips: URI */
  termination_uri: string;
  sip_username?: string | null;
  sip_password?: string | null;
  transport?: 'udp' | 'tcp' | 'tls' | null;
};

export type PhoneNumber = {
  /** ID of the phone number */
  id: string;
  phone: string;
  name: string | null;
  type: 'sip' | 'purchased';
  termination_uri: string | null;
  sip_username: string | null;
  transport: 'udp' | 'tcp' | 'tls' | null;
  status: 'active' | 'released';
  /** Maximum calls at the same time */
  max_concurrent: number;
  /** Maximum calls started per second */
  max_cps: number;
  /** ISO 8601, UTC */
  created_at: string;
};

export type TranscriptEntry = {
  id: string;
  timestamp_ms: number;
  role: 'agent' | 'user';
  message: {
    content: string;
    format: string;
  };
  /** ISO 8601, UTC */
  created_at: string;
};

export type Call = {
  /** ID of the call */
  call_id: string;
  /** ID of the call */
  call_session_id: string;
  /** ID of the campaign */
  campaign_id: string | null;
  /** ID of the contact */
  contact_id: string | null;
  /** ID of the agent */
  agent_id: string;
  agent_name: string;
  /** Telephone number, E.164 */
  phone: string;
  status: 'completed' | 'failed' | 'no_answer' | 'busy' | 'voicemail' | null;
  /** Seconds from the answer; 0 without one */
  duration_sec: number;
  attempt: number;
  summary: string | null;
  recording_url: string | null;
  /** Telephone number, E.164 */
  caller_number: string;
  /** Telephone number, E.164 */
  callee_number: string;
  caller_name: string | null;
  caller_email: string | null;
  channel: 'voice' | 'web' | 'sip';
  disconnect_reason: 'customer_hangup' | 'agent_hangup' | 'error' | null;
  cost_total: number;
  call_latency_ms: number | null;
  /** The instant of dialing */
  started_at: string | null;
  /** ISO 8601, UTC */
  ended_at: string | null;
  /** ISO 8601, UTC */
  created_at: string;
  post_call_analysis: {
    sentiment: 'positive' | 'neutral' | 'negative';
    disposition: string;
    goals_met: boolean;
    next_steps: string;
  } | null;
  transcripts: Array<TranscriptEntry>;
  metadata: Record<string, unknown>;
  state: 'queued' | 'dialing' | 'ringing' | 'in_progress' | 'ended';
  /** ISO 8601, UTC */
  answered_at: string | null;
  error_message: string | null;
};

export type CallToPlace = {
  /** ID of the agent */
  agent_id: string;
  /** Telephone number, E.164 */
  to: string;
  /** One of your active numbers */
  from?: string;
  /** ID of the phone number */
  phone_number_id?: string;
  /** ID of the contact */
  contact_id?: string;
  metadata?: Record<string, unknown>;
};

export type CallEvent = {
  type: 'ringing' | 'answered' | 'transcript' | 'ended';
  /** The call of the path: signatures cover the body alone */
  call_session_id: string;
  /** When it happened, if that was earlier than it is told */
  at?: string;
  /** transcript: new entries; ended: all of them */
  entries?: Array<{
    id?: string | null;
    /** Milliseconds since the answer */
    timestamp_ms: number;
    role: 'agent' | 'user';
    content: string;
  }> | null;
  /** How it ended; required of ended */
  status?: 'completed' | 'failed' | 'no_answer' | 'busy' | 'voicemail' | null;
  disconnect_reason?: 'customer_hangup' | 'agent_hangup' | 'error' | null;
  error_message?: string | null;
  /** Never call it again */
  invalid_number?: boolean | null;
  summary?: string | null;
  recording_url?: string | null;
  cost_total?: number | null;
  call_latency_ms?: number | null;
  post_call_analysis?: {
    sentiment: 'positive' | 'neutral' | 'negative';
    disposition: string;
    goals_met: boolean;
    next_steps: string;
  } | null;
  duration_sec?: number | null;
};

export type CallKnowledgeQuery = {
  /** The call of the path: signatures cover the body alone */
  call_session_id: string;
  query: string;
  /** Passages at most; 5 unless given */
  limit?: number;
};

export type ScheduleChanges = {
  /** Without an offset: local to timezone */
  start?: string | null;
  /** Without an offset: local to timezone */
  end?: string | null;
  windowStart?: string | null;
  windowEnd?: string | null;
  windowDays?: Array<number> | null;
  /** IANA time zone */
  timezone?: string | null;
  maxConcurrent?: number | null;
  retryAttempts?: number | null;
  /** Minutes */
  retryGapMin?: number | null;
};

export type NewCampaign = {
  name: string;
  /** ID of the agent */
  agentId?: string | null;
  /** ID of the phone number */
  phoneNumberId?: string | null;
  /** One of your active numbers */
  fromPhoneNumber?: string | null;
  schedule?: ScheduleChanges;
  /** Calls started per second */
  maxCps?: number | null;
  retryOn?: Array<'busy' | 'no_answer' | 'failed' | 'voicemail'> | null;
  status?: 'draft' | 'active' | 'paused' | 'completed';
  executionStatus?: 'draft' | 'running' | 'paused' | 'completed';
};

export type Schedule = {
  /** ISO 8601, UTC */
  start: string | null;
  /** ISO 8601, UTC */
  end: string | null;
  windowStart: string | null;
  windowEnd: string | null;
  windowDays: Array<number>;
  timezone: string;
  maxConcurrent: number;
  retryAttempts: number;
  retryGapMin: number;
};

export type Campaign = {
  /** ID of the campaign */
  id: string;
  name: string;
  status: 'draft' | 'active' | 'paused' | 'completed';
  /** ID of the organization */
  organizationId: string;
  /** ID of the agent */
  agentId: string | null;
  /** ID of the phone number */
  phoneNumberId: string | null;
  /** Telephone number, E.164 */
  fromPhoneNumber: string | null;
  executionStatus: 'draft' | 'running' | 'paused' | 'completed';
  schedule: Schedule;
  maxCps: number;
  retryOn: Array<'busy' | 'no_answer' | 'failed' | 'voicemail'>;
  contactStats: {
    total: number;
    contacted: number;
    successful: number;
    failed: number;
    pending: number;
    noAnswer: number;
    inProgress: number;
  };
  /** The least of the limits of campaign, number and organization */
  outboundMaxConcurrent: number;
  /** Calls started per second at most, likewise */
  outboundMaxCps: number;
  /** ISO 8601, UTC */
  startedAt: string | null;
  /** ISO 8601, UTC */
  completedAt: string | null;
  /** ISO 8601, UTC */
  createdAt: string;
  /** ISO 8601, UTC */
  updatedAt: string;
};

export type CampaignChanges = {
  /** ID of the campaign */
  id?: string;
  name?: string;
  /** ID of the agent */
  agentId?: string | null;
  /** ID of the phone number */
  phoneNumberId?: string | null;
  /** One of your active numbers */
  fromPhoneNumber?: string | null;
  schedule?: ScheduleChanges;
  /** Calls started per second */
  maxCps?: number | null;
  retryOn?: Array<'busy' | 'no_answer' | 'failed' | 'voicemail'> | null;
  status?: 'draft' | 'active' | 'paused' | 'completed';
  executionStatus?: 'draft' | 'running' | 'paused' | 'completed';
};

export type CampaignPlan = {
  openings: Array<{
    /** ISO 8601, UTC */
    opens_at: string;
    /** ISO 8601, UTC */
    closes_at: string;
    capacity: number;
  }>;
  eligible: number;
  skipped: Array<{
    reason: string;
    count: number;
  }>;
  /** ISO 8601, UTC */
  finishes_at: string | null;
};

export type CampaignContact = {
  /** Id of the campaign contact */
  id: string;
  /** ID of the contact */
  contact_id: string | null;
  name: string | null;
  /** Telephone number, E.164 */
  phone: string;
  email: string | null;
  status:
    | 'pending'
    | 'in_progress'
    | 'completed'
    | 'failed'
    | 'no_answer'
    | 'busy'
    | 'voicemail'
    | 'cancelled'
    | 'expired';
  attempt_count: number;
  /** ISO 8601, UTC */
  last_attempted_at: string | null;
  /** ISO 8601, UTC */
  next_retry_at: string | null;
  call_duration_sec: number | null;
  error_message: string | null;
  call_session_id: string | null;
  tags: Array<string>;
};

export type CampaignMembership = {
  /** ID of the campaign */
  campaign_id: string;
  name: string;
  status:
    | 'pending'
    | 'in_progress'
    | 'completed'
    | 'failed'
    | 'no_answer'
    | 'busy'
    | 'voicemail'
    | 'cancelled'
    | 'expired';
  /** ISO 8601, UTC */
  last_attempt_at: string | null;
};

export type CampaignInFull = {
  /** ID of the campaign */
  id: string;
  name: string;
  status: 'draft' | 'active' | 'paused' | 'completed';
  /** ID of the organization */
  organization_id: string;
  /** ID of the agent */
  agent_id: string | null;
  /** ID of the phone number */
  phone_number_id: string | null;
  /** Telephone number, E.164 */
  from_phone_number: string | null;
  execution_status: 'draft' | 'running' | 'paused' | 'completed';
  schedule: {
    /** ISO 8601, UTC */
    start: string | null;
    /** ISO 8601, UTC */
    end: string | null;
    window_start: string | null;
    window_end: string | null;
    window_days: Array<number>;
    timezone: string;
    max_concurrent: number;
    retry_attempts: number;
    retry_gap_min: number;
  };
  contact_stats: {
    total: number;
    contacted: number;
    successful: number;
    failed: number;
    pending: number;
    no_answer: number;
    in_progress: number;
  };
  /** ISO 8601, UTC */
  started_at: string | null;
  /** ISO 8601, UTC */
  completed_at: string | null;
  /** ISO 8601, UTC */
  created_at: string;
  /** ISO 8601, UTC */
  updated_at: string;
};

export type CalendarStatus = {
  connected: boolean;
  status: 'active' | 'not_connected';
  accounts: Array<{
    /** ID of the calendar account */
    id: string;
    account_name: string;
    status: 'active';
    /** Why the last check failed; null when it succeeded */
    error: string | null;
  }>;
};

export type CalendarConnection = {
  /** ID of the calendar account */
  provider_id: string;
  /** ID of the organization */
  org_id: string;
  account_name: string;
  status: 'active';
  /** ISO 8601, UTC */
  connected_at: string;
};

export type CalendarEventType = {
  /** Event type id at the provider */
  id: string;
  slug: string;
  /** Title of the event type, followed by the account name in parentheses */
  title: string;
  description: string | null;
  duration_minutes: number;
  /** In major currency units, as the provider returns it */
  price: number | null;
  currency: string | null;
  /** False for an event type that is hidden at the provider */
  is_active: boolean;
  /** ID of the calendar account */
  calendar_account_id: string;
  account_name: string;
};

export type NewBooking = {
  /** ID of the organization */
  org_id?: string;
  /** Event type id at the provider */
  event_type_id: number | string;
  /** Start of a free slot */
  start: string;
  attendee: {
    name: string;
    email: string;
    /** IANA time zone */
    timezone: string;
    /** Telephone number, E.164 */
    phone?: string;
    /** Language of the confirmation, like en or pt-BR */
    language?: string;
  };
  metadata?: Record<string, unknown>;
};

export type Booking = {
  /** Booking id at the provider */
  id: string;
  /** Public booking id at the provider, as in links and e-mails to attendees */
  uid: string;
  title: string | null;
  /** Status at the provider: accepted, or pending while it awaits confirmation */
  status: string;
  /** ISO 8601, UTC */
  start: string;
  /** ISO 8601, UTC */
  end: string;
  location: string | null;
  /** Number of bookings made; more than 1 for a recurring event type, of which this is the first */
  occurrences: number;
  event_type_id: string;
  /** ID of the calendar account */
  calendar_account_id: string;
};

export type WebhookEndpoint = {
  /** ID of the webhook endpoint */
  id: string;
  /** ID of the agent */
  agent_id: string;
  url: string;
  /** A failing endpoint is paused until a probe succeeds or its URL is saved again */
  status: 'delivering' | 'failing';
  /** ISO 8601, UTC */
  failing_since: string | null;
  last_error: string | null;
  /** Number of deliveries that wait until the endpoint recovers */
  held: number;
  /** ISO 8601, UTC */
  created_at: string;
};

export type WebhookDelivery = {
  /** ID of the webhook delivery */
  id: string;
  /** Id of the Id of the event; every attempt sends it as webhook-id header */
  event_id: string;
  /** ID of the webhook endpoint */
  endpoint_id: string;
  /** ID of the agent */
  agent_id: string;
  url: string;
  event: string;
  status: 'pending' | 'delivering' | 'delivered' | 'retrying' | 'held' | 'exhausted' | 'cancelled';
  attempt_count: number;
  /** ISO 8601, UTC */
  next_attempt_at: string | null;
  /** ISO 8601, UTC */
  created_at: string;
  /** ISO 8601, UTC */
  delivered_at: string | null;
};

export type WebhookAttempt = {
  number: number;
  /** ISO 8601, UTC */
  at: string;
  duration_ms: number;
  status_code: number | null;
  error: string | null;
  /** The first 4 KiB of the response */
  response_body: string | null;
};

export type WebhookDeliveryInDetail = {
  /** ID of the webhook delivery */
  id: string;
  /** Id of the Id of the event; every attempt sends it as webhook-id header */
  event_id: string;
  /** ID of the webhook endpoint */
  endpoint_id: string;
  /** ID of the agent */
  agent_id: string;
  url: string;
  event: string;
  status: 'pending' | 'delivering' | 'delivered' | 'retrying' | 'held' | 'exhausted' | 'cancelled';
  attempt_count: number;
  /** ISO 8601, UTC */
  next_attempt_at: string | null;
  /** ISO 8601, UTC */
  created_at: string;
  /** ISO 8601, UTC */
  delivered_at: string | null;
  /** The request body of every attempt */
  payload: Record<string, unknown>;
  attempts: Array<WebhookAttempt>;
};

export type Notice = {
  /** ID of the notice */
  id: string;
  /** Topic, such as webhook.endpoint_failing */
  kind: string;
  subject: string;
  body: string;
  /** ISO 8601, UTC */
  created_at: string;
  /** When its e-mail was sent */
  sent_at: string | null;
  /** Why the last attempt to send its e-mail failed */
  last_error: string | null;
};

export type AuditEntry = {
  /** ID of the audit entry */
  id: string;
  /** ISO 8601, UTC */
  at: string;
  actor: {
    /** operator: by the command line, on the machine */
    kind: 'api_key' | 'token' | 'operator';
    /** Of the key or, behind a token, of the key or user it was made for */
    id: string | null;
  };
  /** An operationId of this document, or a command such as keys.create */
  operation: string;
  /** What it was done to and what it made: ids by name */
  target: Record<string, string>;
  request_id: string | null;
  /** Where the request came from; behind a proxy, the proxy */
  ip: string | null;
};

export type EndedCall = {
  /** Id of the call. It is the same in every delivery of this event, so use it to detect duplicates */
  call_id: string;
  /** ID of the call */
  call_session_id: string;
  /** ID of the campaign */
  campaign_id: string | null;
  /** ID of the contact */
  contact_id: string | null;
  /** ID of the agent */
  agent_id: string;
  agent_name: string;
  /** Telephone number, E.164 */
  phone: string;
  status: 'completed' | 'failed' | 'no_answer' | 'busy' | 'voicemail';
  /** Seconds from the answer; 0 without one */
  duration_sec: number;
  attempt: number;
  summary: string | null;
  recording_url: string | null;
  /** Telephone number, E.164 */
  caller_number: string;
  /** Telephone number, E.164 */
  callee_number: string;
  caller_name: string | null;
  caller_email: string | null;
  channel: 'voice' | 'web' | 'sip';
  disconnect_reason: 'customer_hangup' | 'agent_hangup' | 'error' | null;
  cost_total: number;
  call_latency_ms: number | null;
  /** The instant of dialing */
  started_at: string | null;
  /** ISO 8601, UTC */
  ended_at: string;
  /** ISO 8601, UTC */
  created_at: string;
  post_call_analysis: {
    sentiment: 'positive' | 'neutral' | 'negative';
    disposition: string;
    goals_met: boolean;
    next_steps: string;
  } | null;
  transcripts: Array<TranscriptEntry>;
  metadata: Record<string, unknown>;
};

export type CallCompleted = {
  event: 'call.completed';
  /** ID of the organization */
  org_id: string;
  /** True for a sample event, whose call never took place; absent from events of real calls */
  test?: boolean;
  data: EndedCall;
};

/** Check whether the server accepts requests: GET /ready */
export const getReadiness = (
  client: Client,
  request?: CallOptions,
): Promise<{
  status: 'ready';
}> => call(client, { method: 'GET', path: '/ready', access: 'public', answer: 'bare' }, request);

/** Check whether the process is running: GET /livez */
export const getLiveness = (
  client: Client,
  request?: CallOptions,
): Promise<{
  status: 'alive';
}> => call(client, { method: 'GET', path: '/livez', access: 'public', answer: 'bare' }, request);

/** Fetch the caller's organization: GET /api/v1/organization */
export const getOrganization = (client: Client, request?: CallOptions): Promise<Answer<Organization>> =>
  call(client, { method: 'GET', path: '/api/v1/organization', access: 'any', answer: 'enveloped' }, request);

/** Change the settings of the caller's organization: PATCH /api/v1/organization */
export const updateOrganization = (
  client: Client,
  request: CallOptions & {
    body: {
      name?: string;
      notification_emails?: Array<string>;
    };
  },
): Promise<Answer<Organization>> =>
  call(client, { method: 'PATCH', path: '/api/v1/organization', access: 'any', answer: 'enveloped' }, request);

/** Make an access token with the rights of the key: POST /api/v1/auth/token */
export const createAccessToken = (
  client: Client,
  request?: CallOptions & {
    body?: Record<string, never>;
  },
): Promise<
  Answer<{
    access_token: string;
    token_type: 'Bearer';
    /** Seconds */
    expires_in: number;
    /** ID of the organization */
    org_id: string;
  }>
> => call(client, { method: 'POST', path: '/api/v1/auth/token', access: 'any', answer: 'enveloped' }, request);

/** Make an access token for a person: POST /api/v1/auth/login */
export const logIn = (
  client: Client,
  request: CallOptions & {
    body: {
      email: string;
      password: string;
    };
  },
): Promise<
  Answer<{
    access_token: string;
    token_type: 'Bearer';
    /** Seconds */
    expires_in: number;
    /** ID of the organization */
    org_id: string;
  }>
> => call(client, { method: 'POST', path: '/api/v1/auth/login', access: 'public', answer: 'enveloped' }, request);

/** List the API keys: GET /api/v1/api-keys */
export const listApiKeys = (client: Client, request?: CallOptions): Promise<Answer<Array<ApiKey>>> =>
  call(client, { method: 'GET', path: '/api/v1/api-keys', access: 'any', answer: 'enveloped' }, request);

/** Make an API key; its text is shown once: POST /api/v1/api-keys */
export const createApiKey = (
  client: Client,
  request: CallOptions & {
    body: {
      name: string;
      role: 'viewer' | 'member' | 'admin';
    };
  },
): Promise<Answer<NewApiKey>> =>
  call(client, { method: 'POST', path: '/api/v1/api-keys', access: 'any', answer: 'enveloped' }, request);

/** Revoke an API key at once: DELETE /api/v1/api-keys/{id} */
export const revokeApiKey = (
  client: Client,
  request: CallOptions & {
    params: {
      /** ID of the API key */
      id: string;
    };
  },
): Promise<Answer<undefined>> =>
  call(client, { method: 'DELETE', path: '/api/v1/api-keys/{id}', access: 'any', answer: 'enveloped' }, request);

/** Replace an API key by a new one of the same name and role: POST /api/v1/api-keys/{id}/rotate */
export const rotateApiKey = (
  client: Client,
  request: CallOptions & {
    params: {
      /** ID of the API key */
      id: string;
    };
    body?: {
      overlap_seconds?: number;
    };
  },
): Promise<Answer<NewApiKey>> =>
  call(client, { method: 'POST', path: '/api/v1/api-keys/{id}/rotate', access: 'any', answer: 'enveloped' }, request);

/** List the models and their voices: GET /api/v1/available-llm-models/with-voices */
export const listModelsWithVoices = (
  client: Client,
  request?: CallOptions & {
    query?: {
      /** Maximum number of items to return. Defaults to 50; values above 500 are treated as 500. */
      limit?: number;
      /** Number of items to skip. Defaults to 0. */
      offset?: number;
    };
  },
): Promise<PagedAnswer<Array<Model>>> =>
  call(
    client,
    { method: 'GET', path: '/api/v1/available-llm-models/with-voices', access: 'any', answer: 'enveloped' },
    request,
  );

/** List the knowledge bases, newest first: GET /api/v1/rag/knowledgebases */
export const listKnowledgeBases = (
  client: Client,
  request?: CallOptions & {
    query?: {
      /** ID of the organization, required under one of its names */
      org_id?: string;
      /** ID of the organization; the same as org_id */
      organization_id?: string;
      /** ID of the organization; the same as org_id */
      orgId?: string;
      /** ID of the organization; the same as org_id */
      organizationId?: string;
    };
  },
): Promise<Answer<Array<KnowledgeBaseListItem>>> =>
  call(client, { method: 'GET', path: '/api/v1/rag/knowledgebases', access: 'any', answer: 'enveloped' }, request);

/** Create a knowledge base: POST /api/v1/rag/knowledgebases */
export const createKnowledgeBase = (
  client: Client,
  request: CallOptions & {
    body: NewKnowledgeBase;
  },
): Promise<Answer<KnowledgeBaseWithSources>> =>
  call(client, { method: 'POST', path: '/api/v1/rag/knowledgebases', access: 'any', answer: 'enveloped' }, request);

/** Get a knowledge base with its sources, and how far they are: GET /api/v1/rag/knowledge-base/{kb_id} */
export const getKnowledgeBase = (
  client: Client,
  request: CallOptions & {
    params: {
      /** ID of the knowledge base */
      kb_id: string;
    };
  },
): Promise<Answer<KnowledgeBaseWithSources>> =>
  call(
    client,
    { method: 'GET', path: '/api/v1/rag/knowledge-base/{kb_id}', access: 'any', answer: 'enveloped' },
    request,
  );

/** Delete a knowledge base with all that is in it; agents that use it do without: DELETE /api/v1/rag/knowledge-base/{kb_id} */
export const deleteKnowledgeBase = (
  client: Client,
  request: CallOptions & {
    params: {
      /** ID of the knowledge base */
      kb_id: string;
    };
  },
): Promise<Answer<undefined>> =>
  call(
    client,
    { method: 'DELETE', path: '/api/v1/rag/knowledge-base/{kb_id}', access: 'any', answer: 'enveloped' },
    request,
  );

/** Find the passages of a knowledge base that answer a question best: POST /api/v1/rag/knowledge-base/{kb_id}/query */
export const queryKnowledgeBase = (
  client: Client,
  request: CallOptions & {
    params: {
      /** ID of the knowledge base */
      kb_id: string;
    };
    body: KnowledgeQuery;
  },
): Promise<Answer<Array<Passage>>> =>
  call(
    client,
    { method: 'POST', path: '/api/v1/rag/knowledge-base/{kb_id}/query', access: 'any', answer: 'enveloped' },
    request,
  );

/** Add texts and sites, or a file; they are read afterwards: POST /api/v1/rag/knowledge-base/{kb_id}/add-sources */
export const addKnowledgeSources = (
  client: Client,
  request: CallOptions & {
    params: {
      /** ID of the knowledge base */
      kb_id: string;
    };
    body: NewKnowledgeSources | FormData;
  },
): Promise<
  Answer<{
    knowledge_base: KnowledgeBase;
    url_sources: Array<UrlSource>;
  }>
> =>
  call(
    client,
    { method: 'POST', path: '/api/v1/rag/knowledge-base/{kb_id}/add-sources', access: 'any', answer: 'enveloped' },
    request,
  );

/** Delete a source with its documents: DELETE /api/v1/rag/knowledge-base/{kb_id}/sources/{source_id} */
export const deleteKnowledgeSource = (
  client: Client,
  request: CallOptions & {
    params: {
      /** ID of the knowledge base */
      kb_id: string;
      /** ID of the source */
      source_id: string;
    };
  },
): Promise<Answer<undefined>> =>
  call(
    client,
    {
      method: 'DELETE',
      path: '/api/v1/rag/knowledge-base/{kb_id}/sources/{source_id}',
      access: 'any',
      answer: 'enveloped',
    },
    request,
  );

/** Make a document, or change what is given of the one with its doc_id: POST /api/v1/rag/document */
export const upsertKnowledgeDocument = (
  client: Client,
  request: CallOptions & {
    body: DocumentToUpsert;
  },
): Promise<Answer<KnowledgeDocument>> =>
  call(client, { method: 'POST', path: '/api/v1/rag/document', access: 'any', answer: 'enveloped' }, request);

/** Get a document: GET /api/v1/rag/document */
export const getKnowledgeDocument = (
  client: Client,
  request?: CallOptions & {
    query?: {
      /** ID of the organization, required under one of its names */
      org_id?: string;
      /** ID of the organization; the same as org_id */
      organization_id?: string;
      /** ID of the organization; the same as org_id */
      orgId?: string;
      /** ID of the organization; the same as org_id */
      organizationId?: string;
      /** Of the document, required under one of its names */
      doc_id?: string;
      /** The same as doc_id */
      document_id?: string;
      /** The same as doc_id */
      docId?: string;
    };
  },
): Promise<Answer<KnowledgeDocument>> =>
  call(client, { method: 'GET', path: '/api/v1/rag/document', access: 'any', answer: 'enveloped' }, request);

/** Delete a document: DELETE /api/v1/rag/document */
export const deleteKnowledgeDocument = (
  client: Client,
  request?: CallOptions & {
    query?: {
      /** ID of the organization, required under one of its names */
      org_id?: string;
      /** ID of the organization; the same as org_id */
      organization_id?: string;
      /** ID of the organization; the same as org_id */
      orgId?: string;
      /** ID of the organization; the same as org_id */
      organizationId?: string;
      /** Of the document, required under one of its names */
      doc_id?: string;
      /** The same as doc_id */
      document_id?: string;
      /** The same as doc_id */
      docId?: string;
    };
  },
): Promise<Answer<undefined>> =>
  call(client, { method: 'DELETE', path: '/api/v1/rag/document', access: 'any', answer: 'enveloped' }, request);

/** List the documents, newest first, with the first 2000 characters of their texts: GET /api/v1/rag/documents */
export const listKnowledgeDocuments = (
  client: Client,
  request?: CallOptions & {
    query?: {
      /** ID of the organization, required under one of its names */
      org_id?: string;
      /** ID of the organization; the same as org_id */
      organization_id?: string;
      /** ID of the organization; the same as org_id */
      orgId?: string;
      /** ID of the organization; the same as org_id */
      organizationId?: string;
      /** ID of the knowledge base; documents of all without it */
      kb_id?: string;
      /** Maximum number of items to return. Defaults to 50; values above 500 are treated as 500. */
      limit?: number;
      /** Number of items to skip. Defaults to 0. */
      offset?: number;
    };
  },
): Promise<PagedAnswer<Array<KnowledgeDocument>>> =>
  call(client, { method: 'GET', path: '/api/v1/rag/documents', access: 'any', answer: 'enveloped' }, request);

/** Create an agent: POST /api/v1/agents/ */
export const createAgent = (
  client: Client,
  request: CallOptions & {
    body: NewAgent;
  },
): Promise<Answer<Agent>> =>
  call(client, { method: 'POST', path: '/api/v1/agents/', access: 'any', answer: 'enveloped' }, request);

/** List agents, newest first: GET /api/v1/agents/ */
export const listAgents = (
  client: Client,
  request?: CallOptions & {
    query?: {
      /** Maximum number of items to return. Defaults to 50; values above 500 are treated as 500. */
      limit?: number;
      /** Number of items to skip. Defaults to 0. */
      offset?: number;
    };
  },
): Promise<PagedAnswer<Array<Agent>>> =>
  call(client, { method: 'GET', path: '/api/v1/agents/', access: 'any', answer: 'enveloped' }, request);

/** Get an agent: GET /api/v1/agents/{agent_id} */
export const getAgent = (
  client: Client,
  request: CallOptions & {
    params: {
      /** ID of the agent */
      agent_id: string;
    };
  },
): Promise<Answer<Agent>> =>
  call(client, { method: 'GET', path: '/api/v1/agents/{agent_id}', access: 'any', answer: 'enveloped' }, request);

/** Update an agent; fields left out keep their value: PUT /api/v1/agents/{agent_id} */
export const updateAgent = (
  client: Client,
  request: CallOptions & {
    params: {
      /** ID of the agent */
      agent_id: string;
    };
    body: AgentChanges;
  },
): Promise<Answer<Agent>> =>
  call(client, { method: 'PUT', path: '/api/v1/agents/{agent_id}', access: 'any', answer: 'enveloped' }, request);

/** Delete an agent; refused while a running campaign uses it: DELETE /api/v1/agents/{agent_id} */
export const deleteAgent = (
  client: Client,
  request: CallOptions & {
    params: {
      /** ID of the agent */
      agent_id: string;
    };
  },
): Promise<Answer<undefined>> =>
  call(client, { method: 'DELETE', path: '/api/v1/agents/{agent_id}', access: 'any', answer: 'enveloped' }, request);

/** Create a contact: POST /api/v1/contacts/ */
export const createContact = (
  client: Client,
  request: CallOptions & {
    body: ContactInput;
  },
): Promise<Answer<Contact>> =>
  call(client, { method: 'POST', path: '/api/v1/contacts/', access: 'any', answer: 'enveloped' }, request);

/** List or search contacts, newest first: GET /api/v1/contacts/ */
export const listContacts = (
  client: Client,
  request?: CallOptions & {
    query?: {
      /** Text to find in name, e-mail, phone or company; case is ignored */
      q?: string;
      /** Maximum number of items to return. Defaults to 50; values above 500 are treated as 500. */
      limit?: number;
      /** Number of items to skip. Defaults to 0. */
      offset?: number;
    };
  },
): Promise<PagedAnswer<Array<Contact>>> =>
  call(client, { method: 'GET', path: '/api/v1/contacts/', access: 'any', answer: 'enveloped' }, request);

/** Get a contact: GET /api/v1/contacts/{id} */
export const getContact = (
  client: Client,
  request: CallOptions & {
    params: {
      /** ID of the contact */
      id: string;
    };
  },
): Promise<Answer<Contact>> =>
  call(client, { method: 'GET', path: '/api/v1/contacts/{id}', access: 'any', answer: 'enveloped' }, request);

/** Update a contact; fields left out keep their value, null clears one: PATCH /api/v1/contacts/{id} */
export const updateContact = (
  client: Client,
  request: CallOptions & {
    params: {
      /** ID of the contact */
      id: string;
    };
    body: ContactInput;
  },
): Promise<Answer<Contact>> =>
  call(client, { method: 'PATCH', path: '/api/v1/contacts/{id}', access: 'any', answer: 'enveloped' }, request);

/** Delete a contact; refused while the contact is on a call: DELETE /api/v1/contacts/{id} */
export const deleteContact = (
  client: Client,
  request: CallOptions & {
    params: {
      /** ID of the contact */
      id: string;
    };
  },
): Promise<Answer<undefined>> =>
  call(client, { method: 'DELETE', path: '/api/v1/contacts/{id}', access: 'any', answer: 'enveloped' }, request);

/** Create and update contacts from a CSV file: POST /api/v1/contacts/import */
export const importContacts = (
  client: Client,
  request: CallOptions & {
    query?: {
      /** phone (the default): a row updates the contact with the same phone, if there is one; none: every row creates a contact */
      dedupe?: 'phone' | 'none';
    };
    body: string | Blob | ArrayBuffer;
  },
): Promise<
  Answer<{
    created: number;
    updated: number;
    /** The first 1000 rejected rows; total - created - updated is how many there are in all */
    rejected: Array<{
      /** Row number, from 1 after the header; empty lines are not counted */
      row: number;
      reason: string;
    }>;
    /** Rows in the file */
    total: number;
  }>
> =>
  call(
    client,
    { method: 'POST', path: '/api/v1/contacts/import', access: 'any', contentType: 'text/csv', answer: 'enveloped' },
    request,
  );

/** Download all contacts as a CSV file, oldest first: GET /api/v1/contacts/export */
export const exportContacts = (client: Client, request?: CallOptions): Promise<Answer<string>> =>
  call(client, { method: 'GET', path: '/api/v1/contacts/export', access: 'any', answer: 'text' }, request);

/** List the notes of a contact, newest first: GET /api/v1/contacts/{id}/notes */
export const listContactNotes = (
  client: Client,
  request: CallOptions & {
    params: {
      /** ID of the contact */
      id: string;
    };
    query?: {
      /** Maximum number of items to return. Defaults to 50; values above 500 are treated as 500. */
      limit?: number;
      /** Number of items to skip. Defaults to 0. */
      offset?: number;
    };
  },
): Promise<PagedAnswer<Array<ContactNote>>> =>
  call(client, { method: 'GET', path: '/api/v1/contacts/{id}/notes', access: 'any', answer: 'enveloped' }, request);

/** Add a note to a contact: POST /api/v1/contacts/{id}/notes */
export const createContactNote = (
  client: Client,
  request: CallOptions & {
    params: {
      /** ID of the contact */
      id: string;
    };
    body: {
      content: string;
    };
  },
): Promise<Answer<ContactNote>> =>
  call(client, { method: 'POST', path: '/api/v1/contacts/{id}/notes', access: 'any', answer: 'enveloped' }, request);

/** Delete a note of a contact: DELETE /api/v1/contacts/{id}/notes/{note_id} */
export const deleteContactNote = (
  client: Client,
  request: CallOptions & {
    params: {
      /** ID of the contact */
      id: string;
      /** ID of the note */
      note_id: string;
    };
  },
): Promise<Answer<undefined>> =>
  call(
    client,
    { method: 'DELETE', path: '/api/v1/contacts/{id}/notes/{note_id}', access: 'any', answer: 'enveloped' },
    request,
  );

/** List the phone numbers on the do-not-call list, newest first: GET /api/v1/do-not-call */
export const listDoNotCall = (
  client: Client,
  request?: CallOptions & {
    query?: {
      /** Maximum number of items to return. Defaults to 50; values above 500 are treated as 500. */
      limit?: number;
      /** Number of items to skip. Defaults to 0. */
      offset?: number;
    };
  },
): Promise<
  PagedAnswer<
    Array<{
      phone: string;
      reason: string | null;
      /** ISO 8601, UTC */
      created_at: string;
    }>
  >
> => call(client, { method: 'GET', path: '/api/v1/do-not-call', access: 'any', answer: 'enveloped' }, request);

/** Add one or more phone numbers to the do-not-call list: POST /api/v1/do-not-call */
export const addDoNotCall = (
  client: Client,
  request: CallOptions & {
    body: {
      /** Telephone number, E.164 */
      phone?: string;
      phones?: Array<string>;
      reason?: string | null;
    };
  },
): Promise<
  Answer<{
    /** Phone numbers that were not on the list before */
    added: number;
  }>
> => call(client, { method: 'POST', path: '/api/v1/do-not-call', access: 'any', answer: 'enveloped' }, request);

/** Remove a phone number from the do-not-call list: DELETE /api/v1/do-not-call/{phone} */
export const removeDoNotCall = (
  client: Client,
  request: CallOptions & {
    params: {
      /** Telephone number, E.164 */
      phone: string;
    };
  },
): Promise<Answer<undefined>> =>
  call(client, { method: 'DELETE', path: '/api/v1/do-not-call/{phone}', access: 'any', answer: 'enveloped' }, request);

/** Import a phone number from a SIP trunk: POST /api/v1/phone-numbers/import */
export const importPhoneNumber = (
  client: Client,
  request: CallOptions & {
    body: NumberToImport;
  },
): Promise<Answer<PhoneNumber>> =>
  call(client, { method: 'POST', path: '/api/v1/phone-numbers/import', access: 'any', answer: 'enveloped' }, request);

/** List phone numbers, including released ones, newest first: GET /api/v1/phone-numbers */
export const listPhoneNumbers = (
  client: Client,
  request?: CallOptions & {
    query?: {
      /** Maximum number of items to return. Defaults to 50; values above 500 are treated as 500. */
      limit?: number;
      /** Number of items to skip. Defaults to 0. */
      offset?: number;
    };
  },
): Promise<PagedAnswer<Array<PhoneNumber>>> =>
  call(client, { method: 'GET', path: '/api/v1/phone-numbers', access: 'any', answer: 'enveloped' }, request);

/** Get a phone number: GET /api/v1/phone-numbers/import/{id} */
export const getImportedPhoneNumber = (
  client: Client,
  request: CallOptions & {
    params: {
      /** ID of the phone number */
      id: string;
    };
  },
): Promise<Answer<PhoneNumber>> =>
  call(
    client,
    { method: 'GET', path: '/api/v1/phone-numbers/import/{id}', access: 'any', answer: 'enveloped' },
    request,
  );

/** Update the name or limits of a phone number: PATCH /api/v1/phone-numbers/{id} */
export const updatePhoneNumber = (
  client: Client,
  request: CallOptions & {
    params: {
      /** ID of the phone number */
      id: string;
    };
    body: {
      name?: string | null;
      /** Maximum calls at the same time */
      max_concurrent?: number;
      /** Maximum calls started per second */
      max_cps?: number;
    };
  },
): Promise<Answer<PhoneNumber>> =>
  call(client, { method: 'PATCH', path: '/api/v1/phone-numbers/{id}', access: 'any', answer: 'enveloped' }, request);

/** List phone numbers available for purchase: GET /api/v1/phone-numbers/available */
export const listAvailablePhoneNumbers = (
  client: Client,
  request?: CallOptions,
): Promise<
  Answer<
    Array<{
      phone: string;
      name: string | null;
      monthly_price: number | null;
    }>
  >
> =>
  call(client, { method: 'GET', path: '/api/v1/phone-numbers/available', access: 'any', answer: 'enveloped' }, request);

/** Buy an available phone number: POST /api/v1/phone-numbers/purchase */
export const purchasePhoneNumber = (
  client: Client,
  request: CallOptions & {
    body: {
      /** Telephone number, E.164 */
      phone: string;
    };
  },
): Promise<Answer<PhoneNumber>> =>
  call(client, { method: 'POST', path: '/api/v1/phone-numbers/purchase', access: 'any', answer: 'enveloped' }, request);

/** Release a phone number; refused while a running campaign uses it: DELETE /api/v1/phone-numbers/{phone_number}/release/ */
export const releasePhoneNumber = (
  client: Client,
  request: CallOptions & {
    params: {
      /** Phone number in E.164; write the + as is or as %2B */
      phone_number: string;
    };
  },
): Promise<
  Answer<{
    phone_number: string;
    status: 'released';
    /** ISO 8601, UTC */
    released_at: string;
  }>
> =>
  call(
    client,
    { method: 'DELETE', path: '/api/v1/phone-numbers/{phone_number}/release/', access: 'any', answer: 'enveloped' },
    request,
  );

/** List calls, newest first: GET /api/v1/calls */
export const listCalls = (
  client: Client,
  request?: CallOptions & {
    query?: {
      /** ID of the agent */
      agent_id?: string;
      /** ID of the campaign */
      campaign_id?: string;
      /** ID of the contact */
      contact_id?: string;
      /** Ended so */
      status?: 'completed' | 'failed' | 'no_answer' | 'busy' | 'voicemail';
      /** Maximum number of items to return. Defaults to 50; values above 500 are treated as 500. */
      limit?: number;
      /** Number of items to skip. Defaults to 0. */
      offset?: number;
    };
  },
): Promise<PagedAnswer<Array<Call>>> =>
  call(client, { method: 'GET', path: '/api/v1/calls', access: 'any', answer: 'enveloped' }, request);

/** Place one call, outside any campaign: POST /api/v1/calls */
export const createCall = (
  client: Client,
  request: CallOptions & {
    body: CallToPlace;
  },
): Promise<Answer<Call>> =>
  call(client, { method: 'POST', path: '/api/v1/calls', access: 'any', answer: 'enveloped' }, request);

/** One call: GET /api/v1/calls/{id} */
export const getCall = (
  client: Client,
  request: CallOptions & {
    params: {
      /** ID of the call */
      id: string;
    };
  },
): Promise<Answer<Call>> =>
  call(client, { method: 'GET', path: '/api/v1/calls/{id}', access: 'any', answer: 'enveloped' }, request);

/** Hang up a call that has not ended: POST /api/v1/calls/{id}/hangup */
export const hangUpCall = (
  client: Client,
  request: CallOptions & {
    params: {
      /** ID of the call */
      id: string;
    };
    body?: Record<string, never>;
  },
): Promise<Answer<Call>> =>
  call(client, { method: 'POST', path: '/api/v1/calls/{id}/hangup', access: 'any', answer: 'enveloped' }, request);

/** What the voice runtime reports of a call (carrier http); repeated and out-of-order reports are harmless: POST /api/v1/calls/{id}/events */
export const reportCallEvent = (
  client: Client,
  request: CallOptions & {
    params: {
      /** ID of the call */
      id: string;
    };
    headers: {
      /** ID of the message, the same on every attempt (Standard Webhooks 1.0). */
      'webhook-id': string;
      /** Time of this attempt in Unix seconds. */
      'webhook-timestamp': string;
      /** v1,<signature> */
      'webhook-signature': string;
    };
    body: CallEvent;
  },
): Promise<
  Answer<{
    /** ID of the call */
    call_session_id: string;
    /** ended: hang up, if it goes on */
    state: 'queued' | 'dialing' | 'ringing' | 'in_progress' | 'ended';
  }>
> =>
  call(client, { method: 'POST', path: '/api/v1/calls/{id}/events', access: 'public', answer: 'enveloped' }, request);

/** What the voice runtime looks up during a call (carrier http), in the knowledge bases of its agent: POST /api/v1/calls/{id}/knowledge */
export const queryCallKnowledge = (
  client: Client,
  request: CallOptions & {
    params: {
      /** ID of the call */
      id: string;
    };
    headers: {
      /** ID of the message, the same on every attempt (Standard Webhooks 1.0). */
      'webhook-id': string;
      /** Time of this attempt in Unix seconds. */
      'webhook-timestamp': string;
      /** v1,<signature> */
      'webhook-signature': string;
    };
    body: CallKnowledgeQuery;
  },
): Promise<Answer<Array<Passage>>> =>
  call(
    client,
    { method: 'POST', path: '/api/v1/calls/{id}/knowledge', access: 'public', answer: 'enveloped' },
    request,
  );

/** Create a campaign: POST /api/v1/campaigns/ */
export const createCampaign = (
  client: Client,
  request: CallOptions & {
    body: NewCampaign;
  },
): Promise<Answer<Campaign>> =>
  call(client, { method: 'POST', path: '/api/v1/campaigns/', access: 'any', answer: 'enveloped' }, request);

/** List campaigns, newest first: GET /api/v1/campaigns/ */
export const listCampaigns = (
  client: Client,
  request?: CallOptions & {
    query?: {
      /** Only campaigns with this status */
      status?: 'draft' | 'active' | 'paused' | 'completed';
      /** Maximum number of items to return. Defaults to 50; values above 500 are treated as 500. */
      limit?: number;
      /** Number of items to skip. Defaults to 0. */
      offset?: number;
    };
  },
): Promise<PagedAnswer<Array<Campaign>>> =>
  call(client, { method: 'GET', path: '/api/v1/campaigns/', access: 'any', answer: 'enveloped' }, request);

/** One campaign: GET /api/v1/campaigns/{id} */
export const getCampaign = (
  client: Client,
  request: CallOptions & {
    params: {
      /** ID of the campaign */
      id: string;
    };
  },
): Promise<Answer<Campaign>> =>
  call(client, { method: 'GET', path: '/api/v1/campaigns/{id}', access: 'any', answer: 'enveloped' }, request);

/** Delete a campaign that is not running: DELETE /api/v1/campaigns/{id} */
export const deleteCampaign = (
  client: Client,
  request: CallOptions & {
    params: {
      /** ID of the campaign */
      id: string;
    };
  },
): Promise<Answer<undefined>> =>
  call(client, { method: 'DELETE', path: '/api/v1/campaigns/{id}', access: 'any', answer: 'enveloped' }, request);

/** Change a campaign, or start, pause or complete it: PATCH /api/v1/campaigns/{id}/ */
export const updateCampaign = (
  client: Client,
  request: CallOptions & {
    params: {
      /** ID of the campaign */
      id: string;
    };
    body: CampaignChanges;
  },
): Promise<Answer<Campaign>> =>
  call(client, { method: 'PATCH', path: '/api/v1/campaigns/{id}/', access: 'any', answer: 'enveloped' }, request);

/** What the next 14 days would bring: GET /api/v1/campaigns/{id}/plan */
export const planCampaign = (
  client: Client,
  request: CallOptions & {
    params: {
      /** ID of the campaign */
      id: string;
    };
  },
): Promise<Answer<CampaignPlan>> =>
  call(client, { method: 'GET', path: '/api/v1/campaigns/{id}/plan', access: 'any', answer: 'enveloped' }, request);

/** Why a contact is not being called now, and when it will be: GET /api/v1/campaigns/{id}/contacts/{contact_id}/why */
export const explainCampaignContact = (
  client: Client,
  request: CallOptions & {
    params: {
      /** ID of the campaign */
      id: string;
      /** ID of the contact in this campaign */
      contact_id: string;
    };
  },
): Promise<
  Answer<{
    status: string;
    dialable_now: boolean;
    reasons: Array<string>;
    /** ISO 8601, UTC */
    next_attempt_at: string | null;
  }>
> =>
  call(
    client,
    { method: 'GET', path: '/api/v1/campaigns/{id}/contacts/{contact_id}/why', access: 'any', answer: 'enveloped' },
    request,
  );

/** Add contacts, existing ones by id and new ones by their fields: POST /api/v1/campaigns/{id}/contacts */
export const addCampaignContacts = (
  client: Client,
  request: CallOptions & {
    params: {
      /** ID of the campaign */
      id: string;
    };
    body: {
      contact_ids?: Array<string>;
      contacts?: Array<{
        first_name?: string | null;
        last_name?: string | null;
        email?: string | null;
        /** Telephone number, E.164 */
        phone?: string | null;
        company?: string | null;
        metadata?: Record<string, unknown> | null;
        /** IANA time zone whose wall clock calling windows follow */
        timezone?: string | null;
        do_not_call?: boolean;
        tags?: Array<string>;
      }>;
    };
  },
): Promise<
  Answer<{
    added: number;
    skipped: Array<{
      contact_id?: string;
      /** Place in `contacts` */
      index?: number;
      reason: string;
    }>;
  }>
> =>
  call(
    client,
    { method: 'POST', path: '/api/v1/campaigns/{id}/contacts', access: 'any', answer: 'enveloped' },
    request,
  );

/** The contacts of a campaign, in the order of its queue: GET /api/v1/campaigns/{id}/contacts */
export const listCampaignContacts = (
  client: Client,
  request: CallOptions & {
    params: {
      /** ID of the campaign */
      id: string;
    };
    query?: {
      /** Only contacts with this status */
      status?:
        | 'pending'
        | 'in_progress'
        | 'completed'
        | 'failed'
        | 'no_answer'
        | 'busy'
        | 'voicemail'
        | 'cancelled'
        | 'expired';
      /** Maximum number of items to return. Defaults to 50; values above 500 are treated as 500. */
      limit?: number;
      /** Number of items to skip. Defaults to 0. */
      offset?: number;
    };
  },
): Promise<PagedAnswer<Array<CampaignContact>>> =>
  call(client, { method: 'GET', path: '/api/v1/campaigns/{id}/contacts', access: 'any', answer: 'enveloped' }, request);

/** Cancel the future attempts of a contact: DELETE /api/v1/campaigns/{id}/contacts/{contact_id} */
export const removeCampaignContact = (
  client: Client,
  request: CallOptions & {
    params: {
      /** ID of the campaign */
      id: string;
      /** ID of the contact in this campaign */
      contact_id: string;
    };
  },
): Promise<Answer<undefined>> =>
  call(
    client,
    { method: 'DELETE', path: '/api/v1/campaigns/{id}/contacts/{contact_id}', access: 'any', answer: 'enveloped' },
    request,
  );

/** The campaigns of a contact: compact, or whole with view=full: GET /api/v1/contacts/{id}/campaigns */
export const listContactCampaigns = (
  client: Client,
  request: CallOptions & {
    params: {
      /** ID of the contact */
      id: string;
    };
    query?: {
      /** compact if left out */
      view?: 'compact' | 'full';
    };
  },
): Promise<Answer<Array<CampaignMembership | CampaignInFull>>> =>
  call(client, { method: 'GET', path: '/api/v1/contacts/{id}/campaigns', access: 'any', answer: 'enveloped' }, request);

/** Get the status of an agent's own calendar accounts: GET /api/v1/calendar/agents/{agent_id}/status */
export const getAgentCalendarStatus = (
  client: Client,
  request: CallOptions & {
    params: {
      /** Agent id, a UUID */
      agent_id: string;
    };
  },
): Promise<Answer<CalendarStatus>> =>
  call(
    client,
    { method: 'GET', path: '/api/v1/calendar/agents/{agent_id}/status', access: 'bearer', answer: 'enveloped' },
    request,
  );

/** Connect a calendar provider account to the organization or to one agent: POST /api/v1/calendar/connect */
export const connectCalendar = (
  client: Client,
  request: CallOptions & {
    body: {
      /** ID of the organization */
      org_id: string;
      /** The provider API key */
      api_key: string;
      account_name?: string;
      /** ID of the agent */
      agent_id?: string;
    };
  },
): Promise<Answer<CalendarConnection>> =>
  call(client, { method: 'POST', path: '/api/v1/calendar/connect', access: 'any', answer: 'enveloped' }, request);

/** Disconnect one calendar account, or all of the organization itself, and erase the keys: POST /api/v1/calendar/disconnect */
export const disconnectCalendar = (
  client: Client,
  request: CallOptions & {
    body: {
      /** ID of the organization */
      org_id: string;
      /** ID of the calendar account */
      provider_id?: string;
    };
  },
): Promise<Answer<undefined>> =>
  call(client, { method: 'POST', path: '/api/v1/calendar/disconnect', access: 'bearer', answer: 'enveloped' }, request);

/** Get the status of the organization's calendar accounts: GET /api/v1/calendar/status */
export const getCalendarStatus = (
  client: Client,
  request?: CallOptions & {
    query?: {
      /** ID of the organization, required under one of its names */
      org_id?: string;
      /** ID of the organization; the same as org_id */
      organization_id?: string;
      /** ID of the organization; the same as org_id */
      orgId?: string;
      /** ID of the organization; the same as org_id */
      organizationId?: string;
    };
  },
): Promise<Answer<CalendarStatus>> =>
  call(client, { method: 'GET', path: '/api/v1/calendar/status', access: 'bearer', answer: 'enveloped' }, request);

/** Find an event type by the provider's id or slug in all connected accounts: GET /api/v1/calendar/event-types/lookup/{platform_id} */
export const lookUpEventType = (
  client: Client,
  request: CallOptions & {
    params: {
      /** The provider's event type id or slug */
      platform_id: string;
    };
    query?: {
      /** ID of the organization, required under one of its names */
      org_id?: string;
      /** ID of the organization; the same as org_id */
      organization_id?: string;
      /** ID of the organization; the same as org_id */
      orgId?: string;
      /** ID of the organization; the same as org_id */
      organizationId?: string;
    };
  },
): Promise<Answer<CalendarEventType>> =>
  call(
    client,
    { method: 'GET', path: '/api/v1/calendar/event-types/lookup/{platform_id}', access: 'bearer', answer: 'enveloped' },
    request,
  );

/** List the free slots of an event type: GET /api/v1/calendar/slots */
export const listCalendarSlots = (
  client: Client,
  request: CallOptions & {
    query: {
      /** ID of the organization, required under one of its names */
      org_id?: string;
      /** ID of the organization; the same as org_id */
      organization_id?: string;
      /** ID of the organization; the same as org_id */
      orgId?: string;
      /** ID of the organization; the same as org_id */
      organizationId?: string;
      /** Event type id at the provider */
      event_type_id: number;
      /** Date, or date and time with an offset; a date means that whole day in timezone */
      start: string;
      /** Date or date and time, like start; a date is included */
      end: string;
      /** IANA time zone; defaults to UTC */
      timezone?: string;
    };
  },
): Promise<
  Answer<{
    event_type_id: string;
    /** ID of the calendar account */
    calendar_account_id: string;
    /** IANA time zone */
    timezone: string;
    /** Free slots, earliest first */
    slots: Array<{
      /** ISO 8601, UTC; pass it as the start of a booking */
      start: string;
      /** ISO 8601, UTC */
      end: string;
      /** The start in the requested time zone, with its offset */
      local_start: string;
    }>;
  }>
> => call(client, { method: 'GET', path: '/api/v1/calendar/slots', access: 'bearer', answer: 'enveloped' }, request);

/** Book a free slot of an event type: POST /api/v1/calendar/bookings */
export const createCalendarBooking = (
  client: Client,
  request: CallOptions & {
    body: NewBooking;
  },
): Promise<Answer<Booking>> =>
  call(client, { method: 'POST', path: '/api/v1/calendar/bookings', access: 'bearer', answer: 'enveloped' }, request);

/** List webhook endpoints and their health, newest first: GET /api/v1/webhooks/endpoints */
export const listWebhookEndpoints = (
  client: Client,
  request?: CallOptions & {
    query?: {
      /** Maximum number of items to return. Defaults to 50; values above 500 are treated as 500. */
      limit?: number;
      /** Number of items to skip. Defaults to 0. */
      offset?: number;
    };
  },
): Promise<PagedAnswer<Array<WebhookEndpoint>>> =>
  call(client, { method: 'GET', path: '/api/v1/webhooks/endpoints', access: 'any', answer: 'enveloped' }, request);

/** Send a sample event, marked "test": true, to an endpoint: POST /api/v1/webhooks/endpoints/{id}/test */
export const testWebhookEndpoint = (
  client: Client,
  request: CallOptions & {
    params: {
      /** ID of the webhook endpoint */
      id: string;
    };
    body?: Record<string, never>;
  },
): Promise<Answer<WebhookDelivery>> =>
  call(
    client,
    { method: 'POST', path: '/api/v1/webhooks/endpoints/{id}/test', access: 'any', answer: 'enveloped' },
    request,
  );

/** Retry the failed deliveries of an endpoint: POST /api/v1/webhooks/endpoints/{id}/retry-failed */
export const retryFailedWebhookDeliveries = (
  client: Client,
  request: CallOptions & {
    params: {
      /** ID of the webhook endpoint */
      id: string;
    };
    body?: {
      /** ISO 8601, UTC */
      since?: string;
      /** ISO 8601, UTC */
      until?: string;
    };
  },
): Promise<
  Answer<{
    queued: number;
  }>
> =>
  call(
    client,
    { method: 'POST', path: '/api/v1/webhooks/endpoints/{id}/retry-failed', access: 'any', answer: 'enveloped' },
    request,
  );

/** List webhook deliveries, newest first: GET /api/v1/webhooks/deliveries */
export const listWebhookDeliveries = (
  client: Client,
  request?: CallOptions & {
    query?: {
      /** Only deliveries with this status */
      status?: 'pending' | 'delivering' | 'delivered' | 'retrying' | 'held' | 'exhausted' | 'cancelled';
      /** ID of the webhook endpoint */
      endpoint_id?: string;
      /** ID of the event */
      event_id?: string;
      /** Maximum number of items to return. Defaults to 50; values above 500 are treated as 500. */
      limit?: number;
      /** Number of items to skip. Defaults to 0. */
      offset?: number;
    };
  },
): Promise<PagedAnswer<Array<WebhookDelivery>>> =>
  call(client, { method: 'GET', path: '/api/v1/webhooks/deliveries', access: 'any', answer: 'enveloped' }, request);

/** Get a webhook delivery with its payload and all attempts: GET /api/v1/webhooks/deliveries/{id} */
export const getWebhookDelivery = (
  client: Client,
  request: CallOptions & {
    params: {
      /** ID of the webhook delivery */
      id: string;
    };
  },
): Promise<Answer<WebhookDeliveryInDetail>> =>
  call(
    client,
    { method: 'GET', path: '/api/v1/webhooks/deliveries/{id}', access: 'any', answer: 'enveloped' },
    request,
  );

/** Retry a webhook delivery now, whatever its status: POST /api/v1/webhooks/deliveries/{id}/retry */
export const retryWebhookDelivery = (
  client: Client,
  request: CallOptions & {
    params: {
      /** ID of the webhook delivery */
      id: string;
    };
    body?: Record<string, never>;
  },
): Promise<Answer<WebhookDelivery>> =>
  call(
    client,
    { method: 'POST', path: '/api/v1/webhooks/deliveries/{id}/retry', access: 'any', answer: 'enveloped' },
    request,
  );

/** Get the secret that signs the webhook events of an agent: GET /api/v1/agents/{id}/webhook-secret */
export const getWebhookSecret = (
  client: Client,
  request: CallOptions & {
    params: {
      /** ID of the agent */
      id: string;
    };
  },
): Promise<
  Answer<{
    secret: string;
  }>
> =>
  call(
    client,
    { method: 'GET', path: '/api/v1/agents/{id}/webhook-secret', access: 'any', answer: 'enveloped' },
    request,
  );

/** Rotate the secret that signs the webhook events of an agent: POST /api/v1/agents/{id}/webhook-secret/rotate */
export const rotateWebhookSecret = (
  client: Client,
  request: CallOptions & {
    params: {
      /** ID of the agent */
      id: string;
    };
    body?: {
      overlap_seconds?: number;
    };
  },
): Promise<
  Answer<{
    secret: string;
    /** When the previous secret stops signing; null: it stopped immediately */
    previous_expires_at: string | null;
  }>
> =>
  call(
    client,
    { method: 'POST', path: '/api/v1/agents/{id}/webhook-secret/rotate', access: 'any', answer: 'enveloped' },
    request,
  );

/** List notices to the organization, newest first: GET /api/v1/notices */
export const listNotices = (
  client: Client,
  request?: CallOptions & {
    query?: {
      /** Maximum number of items to return. Defaults to 50; values above 500 are treated as 500. */
      limit?: number;
      /** Number of items to skip. Defaults to 0. */
      offset?: number;
    };
  },
): Promise<PagedAnswer<Array<Notice>>> =>
  call(client, { method: 'GET', path: '/api/v1/notices', access: 'any', answer: 'enveloped' }, request);

/** List who changed what, newest first: GET /api/v1/audit */
export const listAuditLog = (
  client: Client,
  request?: CallOptions & {
    query?: {
      /** Maximum number of items to return. Defaults to 50; values above 500 are treated as 500. */
      limit?: number;
      /** Number of items to skip. Defaults to 0. */
      offset?: number;
    };
  },
): Promise<PagedAnswer<Array<AuditEntry>>> =>
  call(client, { method: 'GET', path: '/api/v1/audit', access: 'any', answer: 'enveloped' }, request);

/** Get system information: GET /api/v1/system */
export const getSystem = (
  client: Client,
  request?: CallOptions,
): Promise<
  Answer<{
    version: string;
    carrier: {
      driver: string;
      /** Whether calls are simulated, so that no telephone rings */
      simulated: boolean;
    };
    storage: 'sqlite';
    clock: {
      /** ISO 8601, UTC */
      now: string;
      test: boolean;
    };
    email: {
      configured: boolean;
    };
  }>
> => call(client, { method: 'GET', path: '/api/v1/system', access: 'any', answer: 'enveloped' }, request);

/** Get the test clock: GET /api/v1/test-clock */
export const getTestClock = (
  client: Client,
  request?: CallOptions,
): Promise<
  Answer<{
    /** Current time of the test clock */
    now: string;
  }>
> => call(client, { method: 'GET', path: '/api/v1/test-clock', access: 'any', answer: 'enveloped' }, request);

/** Advance the test clock and run everything that falls due, each at its own time: POST /api/v1/test-clock/advance */
export const advanceTestClock = (
  client: Client,
  request: CallOptions & {
    body: {
      ms?: number;
      /** ISO 8601, UTC */
      to?: string;
    };
  },
): Promise<
  Answer<{
    /** Current time of the test clock */
    now: string;
    ran: Record<string, number>;
  }>
> => call(client, { method: 'POST', path: '/api/v1/test-clock/advance', access: 'any', answer: 'enveloped' }, request);
