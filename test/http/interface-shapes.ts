/** The wire shapes of all resources. A string names a type; a trailing `?` means "or null". An object must have exactly these fields. */
export type Shape = string | readonly [Shape] | { readonly [field: string]: Shape };

const schedule = {
  start: 'time?',
  end: 'time?',
  windowStart: 'string?',
  windowEnd: 'string?',
  windowDays: ['integer'],
  timezone: 'string',
  maxConcurrent: 'integer',
  retryAttempts: 'integer',
  retryGapMin: 'integer',
} as const;

const counters = {
  total: 'integer',
  contacted: 'integer',
  successful: 'integer',
  failed: 'integer',
  pending: 'integer',
} as const;

export const agent = {
  id: 'uuid',
  organizationId: 'uuid',
  agentName: 'string',
  status: 'string',
  model: 'string',
  voiceId: 'string',
  temperature: 'number',
  reminderTriggerMs: 'integer',
  maxCallDurationMs: 'integer',
  webhookUrls: ['string'],
  callStats: 'object',
  calendarTimezone: 'string',
  emotion: 'boolean',
  voicemailDetection: 'boolean',
  emergencyFallback: 'string?',
  // Beyond the first description of the interface.
  silenceTimeoutMs: 'integer',
  transferPhone: 'string?',
  recordCalls: 'boolean',
  recordingNotice: 'string?',
  prompt: 'string?',
  firstMessage: 'string?',
  voicemailMessage: 'string?',
  knowledgeBaseIds: ['uuid'],
  webhookEvents: ['string'],
  version: 'integer',
  edition: 'integer',
  createdAt: 'time',
  updatedAt: 'time',
} as const;

export const model = {
  id: 'uuid',
  llmModel: 'string',
  description: 'string',
  price: 'number',
  isActive: 'boolean',
  voices: [
    {
      id: 'string',
      llmModelId: 'uuid',
      voiceName: 'string',
      gender: 'string?',
      language: 'string',
      recordingUrl: 'string?',
      imgUrl: 'string?',
    },
  ],
} as const;

const doNotCallState = {
  may_be_called: 'boolean',
  on_list: 'boolean',
  opted_out: 'boolean',
  since: 'time?',
  reason: 'string?',
  by: 'object?',
} as const;

export const contact = {
  id: 'uuid',
  first_name: 'string?',
  last_name: 'string?',
  email: 'string?',
  phone: 'string?',
  company: 'string?',
  metadata: 'object',
  created_at: 'time',
  updated_at: 'time',
  // Beyond the first description of the interface.
  timezone: 'string?',
  do_not_call: 'boolean',
  do_not_call_state: doNotCallState,
  version: 'integer',
} as const;

export const erasure = {
  id: 'uuid',
  state: 'string',
  counts: 'object',
  requested_at: 'time',
  done_at: 'time?',
} as const;

export const everything = {
  contact: 'object',
  notes: 'list',
  campaigns: 'list',
  calls: 'list',
  deliveries: 'list',
  import_rows: 'list',
  changes: 'list',
} as const;

export const note = { id: 'uuid', content: 'string', created_at: 'time' } as const;

export const campaign = {
  id: 'uuid',
  organizationId: 'uuid',
  name: 'string',
  agentId: 'uuid?',
  phoneNumberId: 'uuid?',
  fromPhoneNumber: 'string?',
  phoneNumberIds: 'uuids?',
  localPresence: 'boolean',
  status: 'string',
  executionStatus: 'string',
  schedule,
  contactStats: { ...counters, noAnswer: 'integer', inProgress: 'integer' },
  startedAt: 'time?',
  completedAt: 'time?',
  createdAt: 'time',
  updatedAt: 'time',
  outboundMaxConcurrent: 'integer',
  outboundMaxCps: 'integer',
  // Beyond the first description of the interface.
  version: 'integer',
  maxCps: 'integer',
  retryOn: ['string'],
} as const;

export const snakeCampaign = {
  id: 'uuid',
  organization_id: 'uuid',
  name: 'string',
  agent_id: 'uuid?',
  phone_number_id: 'uuid?',
  from_phone_number: 'string?',
  phone_number_ids: 'uuids?',
  local_presence: 'boolean',
  status: 'string',
  execution_status: 'string',
  schedule: {
    start: 'time?',
    end: 'time?',
    window_start: 'string?',
    window_end: 'string?',
    window_days: ['integer'],
    timezone: 'string',
    max_concurrent: 'integer',
    retry_attempts: 'integer',
    retry_gap_min: 'integer',
  },
  contact_stats: { ...counters, no_answer: 'integer', in_progress: 'integer' },
  version: 'integer',
  started_at: 'time?',
  completed_at: 'time?',
  created_at: 'time',
  updated_at: 'time',
} as const;

export const membership = { campaign_id: 'uuid', name: 'string', status: 'string', last_attempt_at: 'time?' } as const;

export const campaignContact = {
  id: 'uuid',
  contact_id: 'uuid?',
  name: 'string?',
  phone: 'string',
  email: 'string?',
  status: 'string',
  attempt_count: 'integer',
  last_attempted_at: 'time?',
  next_retry_at: 'time?',
  call_duration_sec: 'integer?',
  error_message: 'string?',
  call_session_id: 'string?',
  tags: ['string'],
  // Beyond the first description of the interface.
  do_not_call_state: doNotCallState,
} as const;

export const calendarStatus = {
  connected: 'boolean',
  status: 'string',
  accounts: [{ id: 'uuid', account_name: 'string', status: 'string', error: 'string?' }],
} as const;

export const connection = {
  provider_id: 'uuid',
  org_id: 'uuid',
  account_name: 'string',
  status: 'string',
  connected_at: 'time',
} as const;

export const eventType = {
  id: 'string',
  slug: 'string',
  title: 'string',
  description: 'string?',
  duration_minutes: 'integer',
  price: 'number?',
  currency: 'string?',
  is_active: 'boolean',
  calendar_account_id: 'uuid',
  account_name: 'string',
} as const;

export const phoneNumber = {
  id: 'uuid',
  phone: 'string',
  name: 'string?',
  type: 'string',
  termination_uri: 'string?',
  sip_username: 'string?',
  status: 'string',
  created_at: 'time',
  // Beyond the first description of the interface.
  transport: 'string?',
  carrier: 'string?',
  dial_format: 'string',
  register: 'boolean',
  registration: { state: 'string', expires_at: 'time?', contact: 'string?', detail: 'string?' },
  sip_from: 'string',
  inbound_agent_id: 'uuid?',
  max_concurrent: 'integer',
  max_cps: 'integer',
  version: 'integer',
  paused_until: 'time?',
  last_error: 'string?',
} as const;

export const releasedNumber = { phone_number: 'string', status: 'string', released_at: 'time' } as const;

export const call = {
  call_id: 'uuid',
  call_session_id: 'uuid',
  campaign_id: 'uuid?',
  contact_id: 'uuid?',
  agent_id: 'uuid',
  agent_name: 'string',
  phone: 'string',
  status: 'string?',
  duration_sec: 'integer',
  attempt: 'integer',
  summary: 'string?',
  recording_url: 'string?',
  caller_number: 'string',
  callee_number: 'string',
  caller_name: 'string?',
  caller_email: 'string?',
  channel: 'string',
  disconnect_reason: 'string?',
  cost_total: 'number',
  call_latency_ms: 'integer?',
  started_at: 'time?',
  ended_at: 'time?',
  created_at: 'time',
  post_call_analysis: 'object?',
  transcripts: ['object'],
  metadata: 'object',
  state: 'string',
  answered_at: 'time?',
  error_message: 'string?',
  agent_edition: 'integer?',
  direction: 'string',
  speech: 'object?',
  sip: 'object?',
  do_not_call_state: doNotCallState,
} as const;

export const knowledgeBaseItem = {
  id: 'uuid',
  name: 'string',
  org_id: 'uuid',
  document_count: 'integer',
  version: 'integer',
  created_at: 'time',
} as const;

export const knowledgeBase = {
  knowledge_base_id: 'uuid',
  knowledge_base_name: 'string',
  status: 'string',
  enable_auto_refresh: 'boolean',
  version: 'integer',
  knowledge_base_sources: [
    {
      source_id: 'uuid',
      source_type: 'string',
      source_name: 'string',
      source_url: 'string?',
      source_status: 'string',
      created_timestamp: 'integer',
      // Beyond the first description of the interface.
      error: 'string?',
      pages_waiting: 'integer',
      updated_timestamp: 'integer',
    },
  ],
  created_timestamp: 'integer',
  last_updated_timestamp: 'integer',
} as const;

export const urlSource = {
  source_id: 'uuid',
  url: 'string',
  pages_found: 'integer',
  status: 'string',
  // Beyond the first description of the interface.
  error: 'string?',
  pages_waiting: 'integer',
  updated_timestamp: 'integer',
} as const;

export const knowledgeBaseWithSources = {
  ...knowledgeBase,
  source_count: 'integer',
  url_sources: [urlSource],
  retrieval: 'string',
  pending_embeddings: 'integer',
} as const;

export const knowledgeDocument = {
  doc_id: 'string',
  kb_id: 'uuid',
  org_id: 'uuid',
  text: 'string?',
  url: 'string?',
  status: 'string',
  metadata: 'object',
  created_at: 'time',
  updated_at: 'time',
  // Beyond the first description of the interface.
  error: 'string?',
} as const;

export const passage = {
  text: 'string',
  highlights: [['integer']],
  score: 'number',
  source_id: 'uuid',
  source_name: 'string',
  doc_id: 'string',
  url: 'string?',
  heading: 'string?',
  page: 'integer?',
} as const;

export const endpoint = {
  id: 'uuid',
  agent_id: 'uuid',
  url: 'string',
  status: 'string',
  failing_since: 'time?',
  paused_at: 'time?',
  pause_reason: 'string?',
  last_error: 'string?',
  agent_name: 'string',
  failures: 'integer',
  next_attempt_at: 'time?',
  last_delivered_at: 'time?',
  held: 'integer',
  exhausted: 'integer',
  created_at: 'time',
} as const;

export const listedEndpoint = { ...endpoint, delivered_by_hour: ['integer'] } as const;

export const delivery = {
  id: 'uuid',
  event_id: 'uuid',
  endpoint_id: 'uuid',
  agent_id: 'uuid',
  url: 'string',
  event: 'string',
  status: 'string',
  attempt_count: 'integer',
  next_attempt_at: 'time?',
  schedule: ['time'],
  created_at: 'time',
  delivered_at: 'time?',
} as const;

export const accessToken = {
  access_token: 'string',
  token_type: 'string',
  expires_in: 'integer',
  org_id: 'uuid',
} as const;

export const newApiKey = { id: 'uuid', name: 'string', role: 'string', api_key: 'string', created_at: 'time' } as const;

export const organization = {
  id: 'uuid',
  name: 'string',
  notification_emails: ['string'],
  timezone: 'string',
  contact_limits: { max_per_day: 'integer?', max_per_week: 'integer?', min_gap_min: 'integer?' },
  guard_hours: 'object?',
  version: 'integer',
  created_at: 'time',
} as const;

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

const types: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  boolean: (value) => typeof value === 'boolean',
  number: (value) => typeof value === 'number',
  integer: (value) => Number.isInteger(value),
  uuid: (value) => typeof value === 'string' && uuid.test(value),
  time: (value) => typeof value === 'string' && time.test(value),
  object: (value) => isObject(value),
  changes: (value) => Array.isArray(value),
  list: (value) => Array.isArray(value),
  uuids: (value) => Array.isArray(value) && value.every((item) => uuid.test(String(item))),
};

const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

/** Compares a value with a shape; returns one sentence per mismatch. */
export function mismatches(shape: Shape, value: unknown, path = 'data'): string[] {
  if (typeof shape === 'string') {
    if (value === null && shape.endsWith('?')) return [];
    return types[shape.replace('?', '')]!(value) ? [] : [`${path} is ${JSON.stringify(value)}, not ${shape}`];
  }
  if (Array.isArray(shape)) {
    if (!Array.isArray(value)) return [`${path} is not an array`];
    return value.flatMap((item, index) => mismatches(shape[0] as Shape, item, `${path}[${index}]`));
  }
  if (!isObject(value)) return [`${path} is not an object`];
  const fields = shape as Readonly<Record<string, Shape>>;
  const names = new Set([...Object.keys(fields), ...Object.keys(value)]);
  return [...names].flatMap((name) => {
    if (!(name in fields)) return [`${path}.${name} is not in the table`];
    return name in value ? mismatches(fields[name]!, value[name], `${path}.${name}`) : [`${path}.${name} is missing`];
  });
}

export const session = {
  id: 'uuid',
  user: { id: 'uuid', email: 'string', role: 'string' },
  organization: { id: 'uuid', name: 'string' },
  expires_at: 'time',
} as const;

export const user = {
  id: 'uuid',
  email: 'string',
  role: 'string',
  created_at: 'time',
  last_login_at: 'time?',
  disabled: 'boolean',
  status: 'string',
  link: 'string?',
} as const;
