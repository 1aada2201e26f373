-- Times are INTEGER Unix milliseconds. Ids are UUIDv7, so ordering by id is ordering by creation time.
-- Every table with customer data has organization_id, and every list query has its index below.

CREATE TABLE organizations (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  notification_emails TEXT NOT NULL DEFAULT '[]',
  in_flight INTEGER NOT NULL DEFAULT 0 CHECK (in_flight >= 0),
  pace_at REAL NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE api_keys (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  name TEXT NOT NULL,
  role TEXT NOT NULL CHECK (role IN ('admin', 'member', 'viewer')),
  key_hash TEXT NOT NULL UNIQUE,
  created_at INTEGER NOT NULL,
  last_used_at INTEGER,
  expires_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX api_keys_of_organization ON api_keys (organization_id, id);

CREATE TABLE llm_models (
  id TEXT PRIMARY KEY,
  llm_model TEXT NOT NULL UNIQUE,
  description TEXT NOT NULL,
  price REAL NOT NULL CHECK (price >= 0),
  is_active INTEGER NOT NULL,
  position INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX llm_models_in_order ON llm_models (position, id);

-- Every start rewrites the catalogue, so foreign keys to it are checked only at the end of that transaction.
CREATE TABLE voices (
  id TEXT PRIMARY KEY,
  llm_model_id TEXT NOT NULL REFERENCES llm_models (id) DEFERRABLE INITIALLY DEFERRED,
  voice_name TEXT NOT NULL,
  gender TEXT,
  language TEXT NOT NULL,
  recording_url TEXT,
  img_url TEXT,
  position INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX voices_of_model ON voices (llm_model_id, position);

CREATE TABLE agents (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  agent_name TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('ACTIVE', 'INACTIVE')),
  model TEXT NOT NULL REFERENCES llm_models (llm_model) DEFERRABLE INITIALLY DEFERRED,
  voice_id TEXT NOT NULL REFERENCES voices (id) DEFERRABLE INITIALLY DEFERRED,
  temperature REAL NOT NULL,
  reminder_trigger_ms INTEGER NOT NULL,
  max_call_duration_ms INTEGER NOT NULL,
  calendar_timezone TEXT NOT NULL,
  emotion INTEGER NOT NULL,
  emergency_fallback TEXT,
  prompt TEXT,
  first_message TEXT,
  voicemail_message TEXT,
  knowledge_base_ids TEXT NOT NULL DEFAULT '[]',
  webhook_urls TEXT NOT NULL DEFAULT '[]',
  webhook_events TEXT NOT NULL DEFAULT '["call.completed"]',
  total_calls INTEGER NOT NULL DEFAULT 0,
  completed_calls INTEGER NOT NULL DEFAULT 0,
  failed_calls INTEGER NOT NULL DEFAULT 0,
  no_answer_calls INTEGER NOT NULL DEFAULT 0,
  busy_calls INTEGER NOT NULL DEFAULT 0,
  voicemail_calls INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX agents_of_organization ON agents (organization_id, id);
CREATE INDEX agents_of_voice ON agents (voice_id);
CREATE INDEX agents_of_model ON agents (model);

CREATE TABLE contacts (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  first_name TEXT,
  last_name TEXT,
  email TEXT,
  phone TEXT,
  company TEXT,
  metadata TEXT NOT NULL DEFAULT '{}',
  timezone TEXT,
  do_not_call INTEGER NOT NULL DEFAULT 0,
  -- The text that contact search matches: name, e-mail, phone and company, case-folded.
  search TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX contacts_of_organization ON contacts (organization_id, id);
CREATE INDEX contacts_search ON contacts (organization_id, id, search);
CREATE INDEX contacts_by_phone ON contacts (organization_id, phone, id) WHERE phone IS NOT NULL;

CREATE TABLE contact_notes (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  contact_id TEXT NOT NULL REFERENCES contacts (id) ON DELETE CASCADE,
  content TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX contact_notes_of_contact ON contact_notes (contact_id, id);

CREATE TABLE do_not_call (
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  phone TEXT NOT NULL,
  reason TEXT,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (organization_id, phone)
) STRICT, WITHOUT ROWID;
CREATE INDEX do_not_call_by_age ON do_not_call (organization_id, created_at, phone);

CREATE TABLE phone_numbers (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  phone TEXT NOT NULL,
  name TEXT,
  type TEXT NOT NULL CHECK (type IN ('sip', 'purchased')),
  termination_uri TEXT,
  sip_username TEXT,
  sip_password_sealed TEXT,
  transport TEXT CHECK (transport IN ('udp', 'tcp', 'tls')),
  status TEXT NOT NULL CHECK (status IN ('active', 'released')),
  max_concurrent INTEGER NOT NULL,
  max_cps INTEGER NOT NULL,
  in_flight INTEGER NOT NULL DEFAULT 0 CHECK (in_flight >= 0),
  pace_at REAL NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  released_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX phone_numbers_of_organization ON phone_numbers (organization_id, id);
CREATE UNIQUE INDEX phone_numbers_active ON phone_numbers (phone) WHERE status = 'active';
CREATE INDEX phone_numbers_by_phone ON phone_numbers (organization_id, phone, id);

CREATE TABLE campaigns (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  name TEXT NOT NULL,
  agent_id TEXT REFERENCES agents (id),
  phone_number_id TEXT REFERENCES phone_numbers (id),
  from_phone_number TEXT,
  status TEXT NOT NULL CHECK (status IN ('draft', 'active', 'paused', 'completed')),
  execution_status TEXT NOT NULL CHECK (execution_status IN ('draft', 'running', 'paused', 'completed')),
  starts_at TEXT,
  ends_at TEXT,
  window_start TEXT,
  window_end TEXT,
  window_days TEXT NOT NULL,
  timezone TEXT NOT NULL,
  max_concurrent INTEGER NOT NULL,
  max_cps INTEGER NOT NULL,
  retry_attempts INTEGER NOT NULL,
  retry_gap_min INTEGER NOT NULL,
  retry_on TEXT NOT NULL,
  pace_at REAL NOT NULL DEFAULT 0,
  -- Whose capacity for concurrent calls stopped the last dialer tick: 'campaign', 'number' or 'organization'; null if none did.
  waiting_for TEXT,
  next_position INTEGER NOT NULL DEFAULT 0,
  total INTEGER NOT NULL DEFAULT 0,
  contacted INTEGER NOT NULL DEFAULT 0,
  successful INTEGER NOT NULL DEFAULT 0,
  failed INTEGER NOT NULL DEFAULT 0,
  no_answer INTEGER NOT NULL DEFAULT 0,
  pending INTEGER NOT NULL DEFAULT 0,
  in_progress INTEGER NOT NULL DEFAULT 0,
  started_at INTEGER,
  completed_at INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  CHECK (total = contacted + failed + no_answer + pending + in_progress),
  CHECK (successful <= contacted)
) STRICT, WITHOUT ROWID;
CREATE INDEX campaigns_of_organization ON campaigns (organization_id, id);
CREATE INDEX campaigns_by_status ON campaigns (organization_id, status, id);
CREATE INDEX campaigns_of_agent ON campaigns (agent_id, execution_status);
CREATE INDEX campaigns_of_number ON campaigns (phone_number_id, execution_status);
CREATE INDEX campaigns_waiting ON campaigns (organization_id, waiting_for) WHERE waiting_for IS NOT NULL;

CREATE TABLE campaign_contacts (
  id TEXT PRIMARY KEY,
  campaign_id TEXT NOT NULL REFERENCES campaigns (id) ON DELETE CASCADE,
  contact_id TEXT REFERENCES contacts (id) ON DELETE SET NULL,
  position INTEGER NOT NULL,
  name TEXT,
  phone TEXT NOT NULL,
  email TEXT,
  -- Time zone of the contact, in which calling windows apply; '' means the campaign's time zone.
  timezone TEXT NOT NULL,
  tags TEXT NOT NULL DEFAULT '[]',
  status TEXT NOT NULL,
  attempt_count INTEGER NOT NULL DEFAULT 0,
  last_attempted_at INTEGER,
  next_retry_at INTEGER,
  call_duration_sec INTEGER,
  error_message TEXT,
  call_session_id TEXT,
  UNIQUE (campaign_id, phone),
  UNIQUE (campaign_id, position)
) STRICT, WITHOUT ROWID;
CREATE INDEX campaign_contacts_of_contact ON campaign_contacts (contact_id) WHERE contact_id IS NOT NULL;
CREATE INDEX campaign_contacts_by_status ON campaign_contacts (campaign_id, status, position);
-- The dialer's two queues in each time zone: retries in order of their due time, first attempts in the order they were added.
CREATE INDEX campaign_contacts_retries ON campaign_contacts (campaign_id, timezone, next_retry_at, position)
  WHERE status = 'pending' AND next_retry_at IS NOT NULL;
CREATE INDEX campaign_contacts_first ON campaign_contacts (campaign_id, timezone, position)
  WHERE status = 'pending' AND next_retry_at IS NULL;

-- Number of pending contacts per time zone of a campaign, so that a dialer tick reads zones instead of contacts.
CREATE TABLE campaign_zones (
  campaign_id TEXT NOT NULL REFERENCES campaigns (id) ON DELETE CASCADE,
  timezone TEXT NOT NULL,
  pending INTEGER NOT NULL CHECK (pending >= 0),
  PRIMARY KEY (campaign_id, timezone)
) STRICT, WITHOUT ROWID;

CREATE TABLE calls (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  agent_id TEXT NOT NULL,
  agent_name TEXT NOT NULL,
  phone_number_id TEXT NOT NULL REFERENCES phone_numbers (id),
  campaign_id TEXT,
  contact_id TEXT,
  campaign_contact_id TEXT,
  attempt INTEGER NOT NULL,
  from_phone TEXT NOT NULL,
  to_phone TEXT NOT NULL,
  caller_name TEXT,
  caller_email TEXT,
  channel TEXT NOT NULL DEFAULT 'voice',
  metadata TEXT NOT NULL DEFAULT '{}',
  max_duration_ms INTEGER NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('queued', 'dialing', 'ringing', 'in_progress', 'ended')),
  status TEXT CHECK (status IN ('completed', 'failed', 'no_answer', 'busy', 'voicemail')),
  disconnect_reason TEXT,
  error_message TEXT,
  hangup_requested INTEGER NOT NULL DEFAULT 0,
  duration_sec INTEGER NOT NULL DEFAULT 0,
  summary TEXT,
  recording_url TEXT,
  cost_total REAL NOT NULL DEFAULT 0,
  call_latency_ms INTEGER,
  analysis TEXT,
  transcripts TEXT NOT NULL DEFAULT '[]',
  created_at INTEGER NOT NULL,
  started_at INTEGER,
  answered_at INTEGER,
  ended_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX calls_attempts ON calls (campaign_contact_id, attempt) WHERE campaign_contact_id IS NOT NULL;
CREATE INDEX calls_of_organization ON calls (organization_id, id);
CREATE INDEX calls_of_agent ON calls (agent_id, id);
CREATE INDEX calls_of_campaign ON calls (campaign_id, id) WHERE campaign_id IS NOT NULL;
CREATE INDEX calls_of_contact ON calls (contact_id, id) WHERE contact_id IS NOT NULL;
CREATE INDEX calls_by_status ON calls (organization_id, status, id);

-- Secrets are encrypted with the installation's key, so that a stolen copy of the database cannot sign webhooks.
CREATE TABLE webhook_secrets (
  agent_id TEXT PRIMARY KEY REFERENCES agents (id) ON DELETE CASCADE,
  secret_sealed TEXT NOT NULL,
  previous_secret_sealed TEXT,
  previous_expires_at INTEGER,
  CHECK ((previous_secret_sealed IS NULL) = (previous_expires_at IS NULL))
) STRICT, WITHOUT ROWID;

CREATE TABLE webhook_endpoints (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  agent_id TEXT NOT NULL,
  url TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('delivering', 'failing')),
  failing_since INTEGER,
  last_error TEXT,
  held INTEGER NOT NULL DEFAULT 0 CHECK (held >= 0),
  created_at INTEGER NOT NULL,
  removed_at INTEGER,
  CHECK ((status = 'failing') = (failing_since IS NOT NULL))
) STRICT, WITHOUT ROWID;
CREATE INDEX webhook_endpoints_of_organization ON webhook_endpoints (organization_id, id) WHERE removed_at IS NULL;
CREATE UNIQUE INDEX webhook_endpoints_live ON webhook_endpoints (agent_id, url) WHERE removed_at IS NULL;
CREATE INDEX webhook_endpoints_removed ON webhook_endpoints (removed_at) WHERE removed_at IS NOT NULL;

-- One row per ended call whose agent has webhooks. body is the exact text sent on every attempt. A row is deleted with its last delivery.
CREATE TABLE webhook_events (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  agent_id TEXT NOT NULL,
  event TEXT NOT NULL,
  body TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE webhook_deliveries (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  event_id TEXT NOT NULL REFERENCES webhook_events (id) ON DELETE CASCADE,
  endpoint_id TEXT NOT NULL REFERENCES webhook_endpoints (id),
  -- 'delivering' is not stored: only the running process knows which deliveries it is sending.
  status TEXT NOT NULL CHECK (status IN ('pending', 'retrying', 'held', 'delivered', 'exhausted', 'cancelled')),
  -- attempt_count counts all attempts ever made; failures only those since the last restart, which set the next retry delay.
  attempt_count INTEGER NOT NULL DEFAULT 0,
  failures INTEGER NOT NULL DEFAULT 0,
  next_attempt_at INTEGER,
  created_at INTEGER NOT NULL,
  delivered_at INTEGER,
  -- When the delivery reached a final status, from which retention counts; null before that.
  settled_at INTEGER,
  CHECK ((settled_at IS NOT NULL) = (status IN ('delivered', 'exhausted', 'cancelled')))
) STRICT, WITHOUT ROWID;
CREATE INDEX webhook_deliveries_of_organization ON webhook_deliveries (organization_id, id);
CREATE INDEX webhook_deliveries_by_status ON webhook_deliveries (organization_id, status, id);
CREATE INDEX webhook_deliveries_of_endpoint ON webhook_deliveries (endpoint_id, id);
CREATE INDEX webhook_deliveries_of_endpoint_by_status ON webhook_deliveries (endpoint_id, status, id);
CREATE INDEX webhook_deliveries_of_event ON webhook_deliveries (event_id, id);
CREATE INDEX webhook_deliveries_settled ON webhook_deliveries (settled_at) WHERE settled_at IS NOT NULL;

CREATE TABLE webhook_attempts (
  delivery_id TEXT NOT NULL REFERENCES webhook_deliveries (id) ON DELETE CASCADE,
  number INTEGER NOT NULL,
  at INTEGER NOT NULL,
  duration_ms INTEGER NOT NULL,
  status_code INTEGER,
  error TEXT,
  response_body TEXT,
  PRIMARY KEY (delivery_id, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE notices (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  kind TEXT NOT NULL,
  subject TEXT NOT NULL,
  body TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  sent_at INTEGER,
  last_error TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX notices_of_organization ON notices (organization_id, id);

-- Jobs to run after the commit that added them. A job without a lane runs in one transaction with its own removal (exactly once).
-- A job with a lane calls an external service (at least once); each lane has its own limit of concurrent jobs.
CREATE TABLE outbox (
  id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,
  key TEXT NOT NULL,
  lane TEXT,
  due_at INTEGER NOT NULL,
  payload TEXT NOT NULL,
  attempt INTEGER NOT NULL DEFAULT 0,
  lease_until INTEGER,
  last_error TEXT,
  UNIQUE (kind, key)
) STRICT;
CREATE INDEX outbox_due ON outbox (due_at, id) WHERE lane IS NULL;
CREATE INDEX outbox_lanes ON outbox (lane, due_at, id) WHERE lane IS NOT NULL AND lease_until IS NULL;
CREATE INDEX outbox_lanes_due ON outbox (due_at) WHERE lane IS NOT NULL AND lease_until IS NULL;
CREATE INDEX outbox_leased ON outbox (lease_until) WHERE lease_until IS NOT NULL;
