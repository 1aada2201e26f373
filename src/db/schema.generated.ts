// Written by .build/generate-sql.ts from sql/sqlite; change the migrations and run `npm run generate`.
import type { Generated } from 'kysely';

export type AgentEditionsTable = {
  agent_id: string;
  edition: number;
  at: number;
  made_by: string | null;
  note: string | null;
  fields: string;
  calls: Generated<number>;
  settings: string;
};

export type AgentsTable = {
  id: string;
  organization_id: string;
  agent_name: string;
  status: 'ACTIVE' | 'INACTIVE';
  model: string;
  voice_id: string;
  temperature: number;
  reminder_trigger_ms: number;
  silence_timeout_ms: Generated<number>;
  max_call_duration_ms: number;
  calendar_timezone: string;
  emotion: number;
  voicemail_detection: Generated<number>;
  emergency_fallback: string | null;
  transfer_phone: string | null;
  recording: Generated<number>;
  recording_notice: string | null;
  prompt: string | null;
  first_message: string | null;
  voicemail_message: string | null;
  knowledge_base_ids: Generated<string>;
  webhook_events: Generated<string>;
  total_calls: Generated<number>;
  completed_calls: Generated<number>;
  failed_calls: Generated<number>;
  no_answer_calls: Generated<number>;
  busy_calls: Generated<number>;
  voicemail_calls: Generated<number>;
  version: Generated<number>;
  edition: Generated<number>;
  created_at: number;
  updated_at: number;
  removed_at: number | null;
};

export type ApiKeysTable = {
  id: string;
  organization_id: string;
  name: string;
  role: 'admin' | 'member' | 'viewer';
  key_hash: string;
  created_at: number;
  last_used_at: number | null;
  expires_at: number | null;
};

export type AuditChangesTable = {
  audit_id: string;
  target_id: string;
  version: number | null;
  target_name: string | null;
  changes: string | null;
};

export type AuditLogTable = {
  id: string;
  organization_id: string;
  at: number;
  actor_kind: string;
  actor_id: string | null;
  actor_name: string | null;
  operation: string;
  target: string;
  request_id: string | null;
  ip: string | null;
  verb: string | null;
  target_kind: string | null;
  target_id: string | null;
  target_name: string | null;
};

export type CalendarAccountsTable = {
  id: string;
  organization_id: string;
  agent_id: string | null;
  account_name: string;
  status: 'active' | 'inactive';
  key_sealed: string | null;
  key_digest: string | null;
  error: string | null;
  connected_at: number;
  disconnected_at: number | null;
};

export type CallCountsTable = {
  organization_id: string;
  agent_id: string;
  campaign_id: string;
  status: string;
  calls: number;
};

export type CallCountsByEndTable = {
  campaign_id: string;
  quarter: number;
  outcome: string;
  calls: number;
};

export type CallCountsByStartTable = {
  campaign_id: string;
  quarter: number;
  outcome: string;
  answered: number;
  calls: number;
};

export type CallFiguresTable = {
  organization_id: string;
  quarter: number;
  agent_id: string;
  edition: number;
  campaign_id: string;
  phone_number_id: string;
  direction: string;
  calls: Generated<number>;
  answered: Generated<number>;
  completed: Generated<number>;
  voicemail: Generated<number>;
  no_answer: Generated<number>;
  busy: Generated<number>;
  failed: Generated<number>;
  goals_met: Generated<number>;
  goals_judged: Generated<number>;
  talk_sec: Generated<number>;
  cost: Generated<number>;
  latency_0: Generated<number>;
  latency_1: Generated<number>;
  latency_2: Generated<number>;
  latency_3: Generated<number>;
  latency_4: Generated<number>;
  latency_5: Generated<number>;
  latency_6: Generated<number>;
  latency_7: Generated<number>;
  latency_8: Generated<number>;
  latency_9: Generated<number>;
  latency_10: Generated<number>;
  latency_11: Generated<number>;
  latency_12: Generated<number>;
  latency_13: Generated<number>;
  latency_14: Generated<number>;
  latency_15: Generated<number>;
  latency_16: Generated<number>;
  latency_17: Generated<number>;
  latency_18: Generated<number>;
  latency_19: Generated<number>;
};

export type CallRecordingsTable = {
  call_id: string;
  organization_id: string;
  month: string;
  ended_at: number | null;
};

export type CallTimelineTable = {
  call_id: string;
  number: number;
  at: number;
  type: string;
  detail: string | null;
};

export type CallsTable = {
  id: string;
  organization_id: string;
  agent_id: string;
  agent_name: string;
  agent_edition: number | null;
  phone_number_id: string | null;
  campaign_id: string | null;
  contact_id: string | null;
  campaign_contact_id: string | null;
  attempt: number;
  direction: Generated<'outbound' | 'inbound'>;
  driver: string;
  from_phone: string;
  to_phone: string;
  caller_name: string | null;
  caller_email: string | null;
  channel: Generated<string>;
  max_duration_ms: number;
  state: 'queued' | 'dialing' | 'ringing' | 'in_progress' | 'ended';
  status: 'completed' | 'failed' | 'no_answer' | 'busy' | 'voicemail' | null;
  disconnect_reason: string | null;
  error_message: string | null;
  sends_event: Generated<number>;
  hangup_requested: Generated<number>;
  duration_sec: Generated<number>;
  recording_url: string | null;
  cost_total: Generated<number>;
  call_latency_ms: number | null;
  created_at: number;
  slot_at: number | null;
  handed_over_at: number | null;
  started_at: number | null;
  answered_at: number | null;
  ended_at: number | null;
  sip: string | null;
  speech: string | null;
  simulate: string | null;
  forced: Generated<number>;
  metadata: Generated<string>;
  ending: string | null;
  summary: string | null;
  analysis: string | null;
  transcripts: Generated<string>;
};

export type CampaignContactsTable = {
  id: string;
  campaign_id: string;
  contact_id: string | null;
  position: number;
  name: string | null;
  phone: string;
  email: string | null;
  timezone: string;
  tags: Generated<string>;
  status: string;
  attempt_count: Generated<number>;
  last_attempted_at: number | null;
  next_retry_at: number | null;
  call_duration_sec: number | null;
  error_message: string | null;
  number_invalid: Generated<number>;
  call_session_id: string | null;
  unreachable_count: Generated<number>;
  unreachable_resumptions: number | null;
  unreachable_tries: Generated<number>;
  cause: string | null;
  simulate: string | null;
};

export type CampaignEventsTable = {
  campaign_id: string;
  number: number;
  at: number;
  type: string;
  actor_kind: string | null;
  actor_id: string | null;
  actor_name: string | null;
  detail: string;
};

export type CampaignJoinsTable = {
  id: string;
  part: number;
  entries: string;
};

export type CampaignLeftOutTable = {
  campaign_id: string;
  contact_id: string;
  at: number;
  cause: string;
};

export type CampaignZonesTable = {
  campaign_id: string;
  timezone: string;
  pending: number;
};

export type CampaignsTable = {
  id: string;
  organization_id: string;
  name: string;
  agent_id: string | null;
  phone_number_id: string | null;
  from_phone_number: string | null;
  number_ids: string | null;
  number_use: string | null;
  local_presence: Generated<number>;
  status: 'draft' | 'active' | 'paused' | 'completed';
  execution_status: 'draft' | 'running' | 'paused' | 'completed';
  starts_at: string | null;
  ends_at: string | null;
  window_start: string | null;
  window_end: string | null;
  window_days: string;
  timezone: string;
  max_concurrent: number;
  max_cps: number;
  retry_attempts: number;
  retry_gap_min: number;
  retry_on: string;
  pace_at: Generated<number>;
  waiting_for: string | null;
  wake_at: number | null;
  next_position: Generated<number>;
  total: Generated<number>;
  contacted: Generated<number>;
  successful: Generated<number>;
  failed: Generated<number>;
  no_answer: Generated<number>;
  pending: Generated<number>;
  in_progress: Generated<number>;
  busy: Generated<number>;
  voicemail: Generated<number>;
  cancelled: Generated<number>;
  expired: Generated<number>;
  started_at: number | null;
  completed_at: number | null;
  contacts_change: 'expiring' | 'reopening' | null;
  version: Generated<number>;
  created_at: number;
  updated_at: number;
  removed_at: number | null;
};

export type CarrierPausesTable = {
  phone_number_id: string;
  organization_id: string;
  paused_at: number | null;
  probe_at: number;
  probes: number;
  reason: string;
  resumptions: Generated<number>;
  noticed_at: number | null;
  recent_failures: Generated<number>;
};

export type ContactNotesTable = {
  id: string;
  organization_id: string;
  contact_id: string;
  content: string;
  created_at: number;
};

export type ContactSearchEntriesTable = {
  number: Generated<number>;
  id: string;
};

export type ContactSearchPendingTable = {
  organization_id: string;
  campaign_id: string;
  id: string;
};

export type ContactsTable = {
  id: string;
  organization_id: string;
  first_name: string | null;
  last_name: string | null;
  email: string | null;
  phone: string | null;
  company: string | null;
  metadata: Generated<string>;
  timezone: string | null;
  do_not_call: Generated<number>;
  opted_out_at: number | null;
  opted_out_reason: string | null;
  opted_out_by: string | null;
  search: string;
  note_count: Generated<number>;
  version: Generated<number>;
  created_at: number;
  updated_at: number;
  removed_at: number | null;
};

export type DeliveriesByHourTable = {
  hour: number;
  organization_id: string;
  endpoint_id: string;
  delivered: Generated<number>;
};

export type DeliveryCountsTable = {
  organization_id: string;
  endpoint_id: string;
  total: Generated<number>;
  retrying: Generated<number>;
  held: Generated<number>;
  delivered: Generated<number>;
  exhausted: Generated<number>;
  cancelled: Generated<number>;
  last_delivered_at: number | null;
};

export type DoNotCallTable = {
  organization_id: string;
  phone: string;
  reason: string | null;
  added_by: string | null;
  created_at: number;
};

export type ErasuresTable = {
  id: string;
  organization_id: string;
  requested_at: number;
  done_at: number | null;
  keep_do_not_call: number;
  contact_hash: string;
  phone_hash: string | null;
  counts: Generated<string>;
  subject_sealed: string | null;
};

export type HeldCampaignsTable = {
  organization_id: string;
  campaign_id: string;
  name: string;
  paused: Generated<number>;
};

export type IdempotencyKeysTable = {
  organization_id: string;
  caller: string;
  key: string;
  request_hash: string;
  status: number;
  body_sealed: string | null;
  created_at: number;
};

export type ImportRowsTable = {
  organization_id: string;
  import_id: string;
  kind: 'rejected' | 'warnings';
  row: number;
  reason: string;
  cells: string;
};

export type ImportedChangesTable = {
  contact_id: string;
  version: number;
  at: number;
  actor_kind: string;
  actor_id: string | null;
  actor_name: string | null;
  operation: string;
  changes: string;
};

export type ImportsTable = {
  organization_id: string;
  id: string;
  header: string;
  started_at: number;
  rows_read: Generated<number>;
  created: Generated<number>;
  updated: Generated<number>;
  rejected_count: Generated<number>;
  warning_count: Generated<number>;
  ended_at: number;
  is_done: Generated<number>;
};

export type KnowledgeBasesTable = {
  id: string;
  organization_id: string;
  name: string;
  enable_auto_refresh: number;
  document_count: Generated<number>;
  version: Generated<number>;
  created_at: number;
  updated_at: number;
  removed_at: number | null;
};

export type KnowledgeCrawlsTable = {
  source_id: string;
  document_id: string | null;
  host: string;
  round: number;
  max_pages: number;
  max_depth: number;
  requests: Generated<number>;
  pages_found: Generated<number>;
  pages_kept: Generated<number>;
  pages_new: Generated<number>;
  pages_requested: Generated<number>;
  files_requested: Generated<number>;
  sitemaps: Generated<number>;
  finished_at: number | null;
};

export type KnowledgeDocumentsTable = {
  id: string;
  organization_id: string;
  knowledge_base_id: string;
  source_id: string;
  doc_id: string;
  name: string;
  url: string | null;
  metadata: Generated<string>;
  status: 'pending' | 'processing' | 'complete' | 'error';
  error: string | null;
  version: Generated<number>;
  content_hash: string | null;
  created_at: number;
  updated_at: number;
  removed_at: number | null;
};

export type KnowledgeExcerptsTable = {
  document_id: string;
  excerpt: string;
};

export type KnowledgeFilePiecesTable = {
  document_id: string;
  position: number;
  bytes: Buffer;
};

export type KnowledgeHostsTable = {
  host: string;
  next_at: number;
};

export type KnowledgePagesTable = {
  id: string;
  source_id: string;
  kind: 'robots' | 'sitemap' | 'page';
  url: string;
  depth: number;
  is_start: number;
  redirects: number;
  state: 'found' | 'blocked' | 'asking' | 'kept' | 'followed' | 'unreachable' | 'dropped';
  reason: string | null;
  excluded: Generated<number>;
  round: number;
  canonical: string | null;
  document_id: string | null;
  etag: string | null;
  last_modified: string | null;
};

export type KnowledgeRobotsTable = {
  source_id: string;
  origin: string;
  delay_ms: Generated<number>;
  rules: string | null;
  reason: string | null;
};

export type KnowledgeSourceCountsTable = {
  knowledge_base_id: string;
  type: string;
  status: string;
  sources: number;
};

export type KnowledgeSourcesTable = {
  id: string;
  organization_id: string;
  knowledge_base_id: string;
  type: 'text' | 'url' | 'file' | 'document';
  name: string;
  url: string | null;
  status: 'pending' | 'processing' | 'complete' | 'error';
  error: string | null;
  created_at: number;
  updated_at: number;
  removed_at: number | null;
};

export type KnowledgeTextsTable = {
  document_id: string;
  text: string;
};

export type LastBackupTable = {
  id: Generated<number>;
  completed_at: number | null;
  path: string | null;
  error: string | null;
};

export type LiveCallCountsTable = {
  organization_id: string;
  driver: string;
  calls: number;
};

export type LlmModelsTable = {
  id: string;
  llm_model: string;
  description: string;
  price: number;
  is_active: number;
  position: number;
};

export type LoginAddressesTable = {
  user_id: string;
  address: string;
  last_login_at: number;
};

export type MovedToTable = {
  id: Generated<number>;
  url: string;
  moved_at: number;
};

export type NoticesTable = {
  id: string;
  organization_id: string;
  kind: string;
  subject: string;
  body: string;
  created_at: number;
  sent_at: number | null;
  last_error: string | null;
  read_at: number | null;
};

export type OrganizationCountsTable = {
  number: Generated<number>;
  organization_id: string;
  contacts: Generated<number>;
  do_not_call: Generated<number>;
  audit_entries: Generated<number>;
  notices: Generated<number>;
};

export type OrganizationsTable = {
  id: string;
  name: string;
  notification_emails: Generated<string>;
  in_flight: Generated<number>;
  pace_at: Generated<number>;
  timezone: Generated<string>;
  version: Generated<number>;
  stopped_at: number | null;
  stopped_reason: string | null;
  stopped_by: string | null;
  created_at: number;
  contact_limits: string | null;
  guard_hours: string | null;
  events_followed_at: number | null;
};

export type OutboxTable = {
  id: Generated<number>;
  kind: string;
  key: string;
  scope: Generated<string>;
  lane: string | null;
  exclusive: string | null;
  due_at: number;
  payload: string;
  attempt: Generated<number>;
  starts: Generated<number>;
  lease_until: number | null;
  last_error: string | null;
};

export type PhoneNumbersTable = {
  id: string;
  organization_id: string;
  phone: string;
  name: string | null;
  type: 'sip' | 'purchased';
  carrier: string | null;
  termination_uri: string | null;
  sip_username: string | null;
  sip_password_sealed: string | null;
  transport: 'udp' | 'tcp' | 'tls' | null;
  dial_format: Generated<string>;
  register: Generated<number>;
  sip_from: Generated<'number' | 'username'>;
  inbound_agent_id: string | null;
  status: 'active' | 'released';
  max_concurrent: number;
  max_cps: number;
  in_flight: Generated<number>;
  pace_at: Generated<number>;
  version: Generated<number>;
  created_at: number;
  released_at: number | null;
};

export type RetrievalBasesTable = {
  id: Generated<number>;
  organization_id: string;
  knowledge_base_id: string;
  passages: Generated<number>;
  words: Generated<number>;
  pending: Generated<number>;
};

export type RetrievalEmbeddingsTable = {
  id: Generated<number>;
  organization_id: string;
  space_id: number;
  content_hash: string;
  vector: Buffer;
};

export type RetrievalPassagesTable = {
  id: Generated<number>;
  base_id: number;
  document_id: string;
  title: string;
  heading: string | null;
  page: number | null;
  length: number;
  content_hash: string;
  text: string;
};

export type RetrievalSpacesTable = {
  id: Generated<number>;
  model: string;
  requested_dimensions: number;
  dimensions: number | null;
  is_current: Generated<number>;
};

export type RetrievalUnembeddedTable = {
  base_id: number;
  passage_id: number;
  due_at: Generated<number>;
  refusals: Generated<number>;
};

export type RetrievalVectorsTable = {
  base_id: number;
  passage_id: number;
  embedding_id: number;
};

export type RetrievalVocabularyTable = {
  id: Generated<number>;
  base_id: number;
  word: string;
};

export type SavedViewsTable = {
  id: string;
  organization_id: string;
  owner: string;
  user_id: string | null;
  page: string;
  name: string;
  query: string;
  shared: Generated<number>;
  version: Generated<number>;
  created_at: number;
  updated_at: number;
};

export type SecretsCheckTable = {
  id: Generated<number>;
  fingerprint: string;
  encrypted: string;
};

export type SessionsTable = {
  id: string;
  organization_id: string;
  user_id: string;
  secret_hash: string;
  created_at: number;
  last_used_at: number;
  ip: string;
  user_agent: string | null;
};

export type SetupLinksTable = {
  token_hash: string;
  organization_id: string;
  user_id: string | null;
  expires_at: number;
};

export type UsersTable = {
  id: string;
  organization_id: string;
  email: string;
  role: 'admin' | 'member' | 'viewer';
  password_hash: string | null;
  created_at: number;
  last_login_at: number | null;
  disabled_at: number | null;
  disabled_count: Generated<number>;
};

export type VoicesTable = {
  id: string;
  llm_model_id: string;
  voice_name: string;
  gender: string | null;
  language: string;
  recording_url: string | null;
  img_url: string | null;
  position: number;
};

export type WebhookAttemptsTable = {
  delivery_id: string;
  number: number;
  at: number;
  duration_ms: number;
  status_code: number | null;
  error: string | null;
  request_headers: string | null;
  response_headers: string | null;
  response_body: string | null;
};

export type WebhookDeliveriesTable = {
  id: string;
  organization_id: string;
  event_id: string;
  endpoint_id: string;
  status: 'pending' | 'retrying' | 'held' | 'delivered' | 'exhausted' | 'cancelled';
  attempt_count: Generated<number>;
  failures: Generated<number>;
  swept: Generated<number>;
  next_attempt_at: number | null;
  created_at: number;
  delivered_at: number | null;
  settled_at: number | null;
};

export type WebhookEndpointsTable = {
  id: string;
  organization_id: string;
  agent_id: string;
  url: string;
  position: Generated<number>;
  status: 'delivering' | 'failing' | 'paused';
  failing_since: number | null;
  paused_at: number | null;
  pause_reason: string | null;
  failures: Generated<number>;
  last_error: string | null;
  held: Generated<number>;
  sweep: 'hold' | 'release' | 'cancel' | null;
  sweeps: Generated<number>;
  created_at: number;
  removed_at: number | null;
};

export type WebhookEventsTable = {
  number: Generated<number>;
  id: string;
  organization_id: string;
  agent_id: string;
  event: string;
  subject: string | null;
  created_at: number;
  for_followers: Generated<number>;
  body: string;
};

export type WebhookSecretsTable = {
  agent_id: string;
  secret_sealed: string;
  previous_secret_sealed: string | null;
  previous_expires_at: number | null;
};

export type Tables = {
  agent_editions: AgentEditionsTable;
  agents: AgentsTable;
  api_keys: ApiKeysTable;
  audit_changes: AuditChangesTable;
  audit_log: AuditLogTable;
  calendar_accounts: CalendarAccountsTable;
  call_counts: CallCountsTable;
  call_counts_by_end: CallCountsByEndTable;
  call_counts_by_start: CallCountsByStartTable;
  call_figures: CallFiguresTable;
  call_recordings: CallRecordingsTable;
  call_timeline: CallTimelineTable;
  calls: CallsTable;
  campaign_contacts: CampaignContactsTable;
  campaign_events: CampaignEventsTable;
  campaign_joins: CampaignJoinsTable;
  campaign_left_out: CampaignLeftOutTable;
  campaign_zones: CampaignZonesTable;
  campaigns: CampaignsTable;
  carrier_pauses: CarrierPausesTable;
  contact_notes: ContactNotesTable;
  contact_search_entries: ContactSearchEntriesTable;
  contact_search_pending: ContactSearchPendingTable;
  contacts: ContactsTable;
  deliveries_by_hour: DeliveriesByHourTable;
  delivery_counts: DeliveryCountsTable;
  do_not_call: DoNotCallTable;
  erasures: ErasuresTable;
  held_campaigns: HeldCampaignsTable;
  idempotency_keys: IdempotencyKeysTable;
  import_rows: ImportRowsTable;
  imported_changes: ImportedChangesTable;
  imports: ImportsTable;
  knowledge_bases: KnowledgeBasesTable;
  knowledge_crawls: KnowledgeCrawlsTable;
  knowledge_documents: KnowledgeDocumentsTable;
  knowledge_excerpts: KnowledgeExcerptsTable;
  knowledge_file_pieces: KnowledgeFilePiecesTable;
  knowledge_hosts: KnowledgeHostsTable;
  knowledge_pages: KnowledgePagesTable;
  knowledge_robots: KnowledgeRobotsTable;
  knowledge_source_counts: KnowledgeSourceCountsTable;
  knowledge_sources: KnowledgeSourcesTable;
  knowledge_texts: KnowledgeTextsTable;
  last_backup: LastBackupTable;
  live_call_counts: LiveCallCountsTable;
  llm_models: LlmModelsTable;
  login_addresses: LoginAddressesTable;
  moved_to: MovedToTable;
  notices: NoticesTable;
  organization_counts: OrganizationCountsTable;
  organizations: OrganizationsTable;
  outbox: OutboxTable;
  phone_numbers: PhoneNumbersTable;
  retrieval_bases: RetrievalBasesTable;
  retrieval_embeddings: RetrievalEmbeddingsTable;
  retrieval_passages: RetrievalPassagesTable;
  retrieval_spaces: RetrievalSpacesTable;
  retrieval_unembedded: RetrievalUnembeddedTable;
  retrieval_vectors: RetrievalVectorsTable;
  retrieval_vocabulary: RetrievalVocabularyTable;
  saved_views: SavedViewsTable;
  secrets_check: SecretsCheckTable;
  sessions: SessionsTable;
  setup_links: SetupLinksTable;
  users: UsersTable;
  voices: VoicesTable;
  webhook_attempts: WebhookAttemptsTable;
  webhook_deliveries: WebhookDeliveriesTable;
  webhook_endpoints: WebhookEndpointsTable;
  webhook_events: WebhookEventsTable;
  webhook_secrets: WebhookSecretsTable;
};
