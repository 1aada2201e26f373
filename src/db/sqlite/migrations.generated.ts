// Written by .build/generate-sql.ts from sql/sqlite; change those files and run `npm run generate`.
export type Migration = { id: number; name: string; sql: string; sha256: string; textSha256?: string };

export const migrations: readonly Migration[] = [
  {
    id: 1,
    name: 'spine',
    sha256: 'b98ee0e51c1f774fb784fe262ef3ad9ec38efbef6aa6427ffd6f25806a03bb77',
    textSha256: '41368c66944ff0a6936a85405346252cfbfebaedadc384636142c1933455bd33',
    sql: `-- Times are INTEGER Unix milliseconds. Ids are UUIDv7, so ordering by id is ordering by creation time.
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
`,
  },
  {
    id: 2,
    name: 'calendar',
    sha256: 'ed3fa89b9efc734b6f6bda4060a0c73b0adcd6db0af4d03ca14ab6da03443f4c',
    textSha256: '208fae2464897b5d59defab53bbc7f8700eef0bd7bb35a09ff415492eace6d51',
    sql: `-- Accounts at the calendar provider. The API key is encrypted with the installation's key. Disconnecting erases it and its digest, and
-- keeps the row as a record. Deleting an agent deletes its accounts.
CREATE TABLE calendar_accounts (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  -- Null: the account belongs to the whole organization.
  agent_id TEXT REFERENCES agents (id) ON DELETE CASCADE,
  account_name TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('active', 'inactive')),
  key_sealed TEXT,
  -- Keyed hash of the API key, to recognize the same key. The same key has different digests in different organizations.
  key_digest TEXT,
  -- Why the last check of the account failed; null if it succeeded.
  error TEXT,
  connected_at INTEGER NOT NULL,
  disconnected_at INTEGER,
  CHECK ((status = 'active') = (key_sealed IS NOT NULL)),
  CHECK ((status = 'active') = (key_digest IS NOT NULL)),
  CHECK ((status = 'inactive') = (disconnected_at IS NOT NULL))
) STRICT, WITHOUT ROWID;
CREATE INDEX calendar_accounts_of_organization ON calendar_accounts (organization_id, id) WHERE status = 'active';
CREATE INDEX calendar_accounts_of_agent ON calendar_accounts (agent_id) WHERE agent_id IS NOT NULL;
CREATE UNIQUE INDEX calendar_accounts_keys ON calendar_accounts (organization_id, ifnull(agent_id, ''), key_digest)
WHERE status = 'active';
`,
  },
  {
    id: 3,
    name: 'users_and_requests',
    sha256: '34184eb66acc55fb861ad168b22b3c41fba6704b2d0d75f41c8cdf89c7641672',
    textSha256: '0582c65d7f8b434c756a712c1deca83e2ff651f184ba87957fd983e1530aee41',
    sql: `CREATE TABLE users (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  -- Lower case. Login identifies a user by e-mail alone, so it is unique across organizations.
  email TEXT NOT NULL UNIQUE,
  role TEXT NOT NULL CHECK (role IN ('admin', 'member', 'viewer')),
  password_hash TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  last_login_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX users_of_organization ON users (organization_id, id);

-- Failed and running logins by hash of the e-mail address, whether or not a user has it. They limit further attempts.
CREATE TABLE login_attempts (
  id INTEGER PRIMARY KEY,
  email_hash TEXT NOT NULL,
  at INTEGER NOT NULL
) STRICT;
CREATE INDEX login_attempts_of_email ON login_attempts (email_hash, at);
CREATE INDEX login_attempts_by_age ON login_attempts (at);

-- Responses to requests with an Idempotency-Key, encrypted because some contain a secret that is shown only once.
CREATE TABLE idempotency_keys (
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  key TEXT NOT NULL,
  request_hash TEXT NOT NULL,
  status INTEGER NOT NULL,
  body_sealed TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (organization_id, key)
) STRICT;
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at);

-- Who changed what. A row is written in the transaction of the change, never updated, and deleted only when it is old.
CREATE TABLE audit_log (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  at INTEGER NOT NULL,
  actor_kind TEXT NOT NULL CHECK (actor_kind IN ('api_key', 'token', 'operator')),
  actor_id TEXT,
  operation TEXT NOT NULL,
  -- JSON object with the ids of what changed, named as in the request's path or in the response.
  target TEXT NOT NULL,
  request_id TEXT,
  ip TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX audit_log_of_organization ON audit_log (organization_id, id);
CREATE INDEX audit_log_by_age ON audit_log (at);
CREATE TRIGGER audit_log_is_never_changed BEFORE UPDATE ON audit_log
BEGIN
  SELECT raise(ABORT, 'audit_log is append-only');
END;
`,
  },
  {
    id: 4,
    name: 'knowledge',
    sha256: '45f6a0f4e9deeb3a8b89e56955194a41247f5033bca9554569aca9ea5ea14b99',
    textSha256: 'f5053f6b9c280a9dba443b1993bd98cf847856541f74c3b8e66c3541fe59b3c3',
    sql: `-- Setting removed_at hides a row at once. Its data is deleted in batches afterwards: a base may have hundreds of thousands of passages.

CREATE TABLE knowledge_bases (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  name TEXT NOT NULL,
  enable_auto_refresh INTEGER NOT NULL,
  -- Documents that are not removed; updated in the transaction that adds or removes one.
  document_count INTEGER NOT NULL DEFAULT 0 CHECK (document_count >= 0),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  removed_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX knowledge_bases_of_organization ON knowledge_bases (organization_id, id) WHERE removed_at IS NULL;

-- One row per text, file, crawled site and upserted document.
CREATE TABLE knowledge_sources (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  knowledge_base_id TEXT NOT NULL REFERENCES knowledge_bases (id),
  type TEXT NOT NULL CHECK (type IN ('text', 'url', 'file', 'document')),
  name TEXT NOT NULL,
  url TEXT,
  status TEXT NOT NULL CHECK (status IN ('pending', 'processing', 'complete', 'error')),
  error TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  removed_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX knowledge_sources_of_base ON knowledge_sources (knowledge_base_id, id);
CREATE INDEX knowledge_sources_sites ON knowledge_sources (knowledge_base_id, id)
  WHERE type = 'url' AND removed_at IS NULL;

-- One row per text, file, upserted document and indexed web page.
CREATE TABLE knowledge_documents (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  knowledge_base_id TEXT NOT NULL REFERENCES knowledge_bases (id),
  source_id TEXT NOT NULL REFERENCES knowledge_sources (id),
  -- The caller's identifier; the id if the caller gave none.
  doc_id TEXT NOT NULL,
  -- Title or file name, shown to people.
  name TEXT NOT NULL,
  url TEXT,
  metadata TEXT NOT NULL DEFAULT '{}',
  status TEXT NOT NULL CHECK (status IN ('pending', 'processing', 'complete', 'error')),
  error TEXT,
  -- Incremented with each change of the content, so that the result of reading an old version is not stored for a new one.
  version INTEGER NOT NULL DEFAULT 1,
  -- SHA-256 of the indexed content; null until the document is indexed.
  content_hash TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  removed_at INTEGER,
  -- Null until the document is read. Last, because SQLite reaches a column behind a long text only through all pages of that text.
  text TEXT
) STRICT;
CREATE UNIQUE INDEX knowledge_documents_by_doc_id ON knowledge_documents (organization_id, doc_id)
  WHERE removed_at IS NULL;
CREATE INDEX knowledge_documents_of_organization ON knowledge_documents (organization_id, id) WHERE removed_at IS NULL;
CREATE INDEX knowledge_documents_of_base ON knowledge_documents (knowledge_base_id, id);
CREATE INDEX knowledge_documents_of_source ON knowledge_documents (source_id, id);

-- The bytes of an uploaded file, in pieces, until the file is ingested. They are written before the document, each in its own
-- transaction; an aborted upload leaves pieces without a document.
CREATE TABLE knowledge_file_pieces (
  document_id TEXT NOT NULL,
  position INTEGER NOT NULL,
  bytes BLOB NOT NULL,
  PRIMARY KEY (document_id, position)
) STRICT, WITHOUT ROWID;

-- The crawl of a source of type url, or of type document that was given a URL instead of a text.
CREATE TABLE knowledge_crawls (
  source_id TEXT PRIMARY KEY REFERENCES knowledge_sources (id) ON DELETE CASCADE,
  -- The document that a single page fills; null for the crawl of a site.
  document_id TEXT REFERENCES knowledge_documents (id) ON DELETE CASCADE,
  -- Host and port that the crawl stays on: the start URL's, or those that it redirects to.
  host TEXT NOT NULL,
  -- 1 for the first crawl, incremented with each refresh.
  round INTEGER NOT NULL,
  max_pages INTEGER NOT NULL,
  max_depth INTEGER NOT NULL,
  -- Number of requests made in this round.
  requests INTEGER NOT NULL DEFAULT 0,
  finished_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX knowledge_crawls_of_document ON knowledge_crawls (document_id) WHERE document_id IS NOT NULL;

-- Every URL that a crawl requests, and the result.
CREATE TABLE knowledge_pages (
  id TEXT PRIMARY KEY,
  source_id TEXT NOT NULL REFERENCES knowledge_sources (id) ON DELETE CASCADE,
  kind TEXT NOT NULL CHECK (kind IN ('robots', 'sitemap', 'page')),
  url TEXT NOT NULL,
  -- Number of links from the start page, which has depth 0.
  depth INTEGER NOT NULL,
  -- 1 for the start URL and for the page that it redirects to.
  is_start INTEGER NOT NULL,
  -- Number of redirects followed to reach this URL.
  redirects INTEGER NOT NULL,
  -- found: may be requested later. blocked: waits for the robots.txt of its host. asking: a job requests it. kept: has a document.
  -- followed: read only for its links. unreachable: failed this time. dropped: failed for good. reason explains the last two.
  state TEXT NOT NULL CHECK (state IN ('found', 'blocked', 'asking', 'kept', 'followed', 'unreachable', 'dropped')),
  reason TEXT,
  -- 1 after a user deleted the page's document: the page is then read only for its links.
  excluded INTEGER NOT NULL DEFAULT 0,
  -- The round in which the state was set.
  round INTEGER NOT NULL,
  -- The canonical URL that the page declares, if it is on the same host.
  canonical TEXT,
  document_id TEXT REFERENCES knowledge_documents (id) ON DELETE SET NULL,
  etag TEXT,
  last_modified TEXT,
  UNIQUE (source_id, kind, url)
) STRICT;
CREATE INDEX knowledge_pages_by_state ON knowledge_pages (source_id, state, depth, id);
CREATE INDEX knowledge_pages_by_canonical ON knowledge_pages (source_id, canonical) WHERE canonical IS NOT NULL;
CREATE INDEX knowledge_pages_of_document ON knowledge_pages (document_id) WHERE document_id IS NOT NULL;

-- The robots.txt rules of an origin, for one round of a crawl. rules is null if they forbid everything.
CREATE TABLE knowledge_robots (
  source_id TEXT NOT NULL REFERENCES knowledge_sources (id) ON DELETE CASCADE,
  origin TEXT NOT NULL,
  rules TEXT,
  reason TEXT,
  PRIMARY KEY (source_id, origin)
) STRICT, WITHOUT ROWID;

-- Earliest time of the next request to a host that asks for a crawl delay, shared by all crawls of that host.
CREATE TABLE knowledge_hosts (
  host TEXT PRIMARY KEY,
  next_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
`,
  },
  {
    id: 5,
    name: 'retrieval',
    sha256: '1adf29c0a25bad9b3832207a68c38648389675467a743cefdfabde32cd9ed7d2',
    textSha256: '1a9bbc9dbdbe6b98733a9270d88298c69066706fdfa1c9d78d667eb0ac3d76e6',
    sql: `-- Passages and their full-text index. FTS5's own bm25() would count words across all organizations, so the index only answers which
-- passages contain a word. Every indexed word starts with the number of its base (3_refund), and the ranking uses that base's counts.

-- The index of a knowledge base. Its number is never reused (AUTOINCREMENT): words of a removed base stay in the index for a while.
CREATE TABLE retrieval_bases (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  knowledge_base_id TEXT NOT NULL UNIQUE,
  -- Number of passages, and of words in all of them; the triggers below keep both up to date.
  passages INTEGER NOT NULL DEFAULT 0,
  words INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE retrieval_passages (
  id INTEGER PRIMARY KEY,
  base_id INTEGER NOT NULL REFERENCES retrieval_bases (id),
  document_id TEXT NOT NULL REFERENCES knowledge_documents (id) ON DELETE CASCADE,
  title TEXT NOT NULL,
  heading TEXT,
  page INTEGER,
  -- Number of words in the text, without title and headings.
  length INTEGER NOT NULL,
  -- SHA-256 of the text that is embedded: title, headings and text.
  content_hash TEXT NOT NULL,
  -- The indexed words in order, in three lines: title, headings, text.
  words TEXT NOT NULL,
  text TEXT NOT NULL
) STRICT;
CREATE INDEX retrieval_passages_of_document ON retrieval_passages (document_id);
CREATE INDEX retrieval_passages_of_base ON retrieval_passages (base_id, id);

CREATE TRIGGER retrieval_passages_are_counted AFTER INSERT ON retrieval_passages
BEGIN
  UPDATE retrieval_bases SET passages = passages + 1, words = words + new.length WHERE id = new.base_id;
END;
CREATE TRIGGER retrieval_passages_leave_the_index AFTER DELETE ON retrieval_passages
BEGIN
  UPDATE retrieval_bases SET passages = passages - 1, words = words - old.length WHERE id = old.base_id;
  DELETE FROM retrieval_words WHERE rowid = old.id;
  DELETE FROM retrieval_vectors WHERE base_id = old.base_id AND passage_id = old.id;
  DELETE FROM retrieval_unembedded WHERE base_id = old.base_id AND passage_id = old.id;
END;

-- Which passages contain a word; a rowid is a passage's id. src/search segments, folds and stems words before they get here, so the
-- tokenizer only splits at spaces. salient holds the words of title and headings, and those that the text repeats.
CREATE VIRTUAL TABLE retrieval_words USING fts5(
  salient, plain,
  content = '', contentless_delete = 1, detail = column, tokenize = "ascii tokenchars '_.'"
);

-- Every word that a base has ever contained, to correct misspelt words in questions.
CREATE TABLE retrieval_vocabulary (
  id INTEGER PRIMARY KEY,
  base_id INTEGER NOT NULL REFERENCES retrieval_bases (id),
  word TEXT NOT NULL,
  UNIQUE (base_id, word)
) STRICT;

-- Which words contain a trigram; a rowid is the id of a word in retrieval_vocabulary.
CREATE VIRTUAL TABLE retrieval_trigrams USING fts5(
  trigrams,
  content = '', contentless_delete = 1, detail = none, tokenize = "ascii tokenchars '_.^$'"
);
CREATE TRIGGER retrieval_vocabulary_leaves_the_index AFTER DELETE ON retrieval_vocabulary
BEGIN
  DELETE FROM retrieval_trigrams WHERE rowid = old.id;
END;

-- Vector spaces. Only vectors of the same model and the same length can be compared.
CREATE TABLE retrieval_spaces (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  model TEXT NOT NULL,
  -- The vector length requested from the endpoint; 0 requests the model's default.
  asked_dimensions INTEGER NOT NULL,
  -- The actual vector length; null until the first vector arrives.
  dimensions INTEGER,
  -- 1 if the settings name this space, and every passage without a vector in it is listed in retrieval_unembedded.
  is_current INTEGER NOT NULL DEFAULT 0,
  UNIQUE (model, asked_dimensions)
) STRICT;

-- Vectors that the endpoint returned, kept so that no organization pays for embedding the same text twice.
CREATE TABLE retrieval_embeddings (
  id INTEGER PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  space_id INTEGER NOT NULL REFERENCES retrieval_spaces (id),
  content_hash TEXT NOT NULL,
  -- Unit-length vector of little-endian 32-bit floats.
  vector BLOB NOT NULL,
  UNIQUE (organization_id, space_id, content_hash)
) STRICT;

-- Vectors of a base's passages, reduced to one sign bit per dimension and stored side by side for fast comparison with a question.
CREATE TABLE retrieval_vectors (
  base_id INTEGER NOT NULL,
  space_id INTEGER NOT NULL REFERENCES retrieval_spaces (id),
  passage_id INTEGER NOT NULL,
  embedding_id INTEGER NOT NULL REFERENCES retrieval_embeddings (id),
  signs BLOB NOT NULL,
  PRIMARY KEY (base_id, passage_id, space_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX retrieval_vectors_of_embedding ON retrieval_vectors (embedding_id);

-- Passages that have no vector yet. Until they get one, only their words can find them.
CREATE TABLE retrieval_unembedded (
  base_id INTEGER NOT NULL,
  passage_id INTEGER NOT NULL,
  PRIMARY KEY (base_id, passage_id)
) STRICT, WITHOUT ROWID;
`,
  },
  {
    id: 6,
    name: 'wide_rows',
    sha256: 'fb91063e0931f4f7e71b9e04a542f556ed1285d8ecffc7c42540f582020d941e',
    textSha256: 'a7949bc35babfcaf8ea2bc68156b49a05cbd0d28ac2366643c220dcf7f607df6',
    sql: `-- A WITHOUT ROWID table stores rows longer than a quarter of a page on overflow pages, each read and written with every use of the row.
-- Events and ended calls contain whole conversations, so both tables get a rowid.
CREATE TABLE new_webhook_events (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  agent_id TEXT NOT NULL,
  event TEXT NOT NULL,
  body TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
INSERT INTO new_webhook_events SELECT * FROM webhook_events ORDER BY id;
DROP TABLE webhook_events;
ALTER TABLE new_webhook_events RENAME TO webhook_events;

CREATE TABLE new_calls (
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
) STRICT;
INSERT INTO new_calls SELECT * FROM calls ORDER BY id;
DROP TABLE calls;
ALTER TABLE new_calls RENAME TO calls;
CREATE UNIQUE INDEX calls_attempts ON calls (campaign_contact_id, attempt) WHERE campaign_contact_id IS NOT NULL;
CREATE INDEX calls_of_organization ON calls (organization_id, id);
CREATE INDEX calls_of_agent ON calls (agent_id, id);
CREATE INDEX calls_of_campaign ON calls (campaign_id, id) WHERE campaign_id IS NOT NULL;
CREATE INDEX calls_of_contact ON calls (contact_id, id) WHERE contact_id IS NOT NULL;
CREATE INDEX calls_by_status ON calls (organization_id, status, id);

-- No query looks for delivered rows by endpoint and status, so leave them out of that index.
DROP INDEX webhook_deliveries_of_endpoint_by_status;
CREATE INDEX webhook_deliveries_undelivered ON webhook_deliveries (endpoint_id, status, id) WHERE delivered_at IS NULL;
`,
  },
  {
    id: 7,
    name: 'secrets_outlive_agents',
    sha256: 'c7aef5b10980bbd6936a98bf9336d543d199e25eecdbd9c1835134ccc57020d8',
    textSha256: '6c8ebfd8631862b2f1e0d6dfd09d152676ddd87b8d91e032e4a285d7eed28af1',
    sql: `-- A delivery can be sent again after its agent is deleted, signed as before, so a secret stays until the agent's last endpoint is deleted.
CREATE TABLE new_webhook_secrets (
  agent_id TEXT PRIMARY KEY,
  secret_sealed TEXT NOT NULL,
  previous_secret_sealed TEXT,
  previous_expires_at INTEGER,
  CHECK ((previous_secret_sealed IS NULL) = (previous_expires_at IS NULL))
) STRICT, WITHOUT ROWID;
INSERT INTO new_webhook_secrets SELECT * FROM webhook_secrets;
DROP TABLE webhook_secrets;
ALTER TABLE new_webhook_secrets RENAME TO webhook_secrets;
`,
  },
  {
    id: 8,
    name: 'merging',
    sha256: '938655d71a19054f23097093e79612e0426ac1030c92a2038e97b99fcff6eb86',
    textSha256: '49db37f91660fed1f4c6d67b963d34ff09b8ab34edbdcadcdc92e13687721576',
    sql: `-- FTS5 stores insertions as small segments and merges them, so that a search reads few. By default it merges 200 pages or more inside
-- some insertion's commit, and every other query waits. So switch that off; src/search/index/sqlite/merge.ts merges a few pages after
-- each insertion, and FTS5's crisismerge (16 segments of one size) remains as the fallback.
INSERT INTO retrieval_words (retrieval_words, rank) VALUES ('automerge', 0);
INSERT INTO retrieval_trigrams (retrieval_trigrams, rank) VALUES ('automerge', 0);
`,
  },
  {
    id: 9,
    name: 'undelivered',
    sha256: 'c73e8f28176a2d7ce9371dd3e752eb0d65992c710948803dd2e0466340fabc9f',
    textSha256: 'ff90e8b275e433267edaf4c5247b216a424ddef270a358141a38aef9d5e408b5',
    sql: `-- One index of undelivered rows instead of two that every delivery had to pass through. It starts with the organization, because an index
-- that starts with the endpoint spreads its writes over as many pages as there are endpoints. Delivered rows need no index: lists read
-- them in order of id, and their count is the total minus the undelivered.
DROP INDEX webhook_deliveries_by_status;
DROP INDEX webhook_deliveries_undelivered;
CREATE INDEX webhook_deliveries_undelivered ON webhook_deliveries (organization_id, status, id, endpoint_id, delivered_at)
  WHERE delivered_at IS NULL;
`,
  },
  {
    id: 10,
    name: 'fewer_steps_a_call',
    sha256: '3b463a31c558e462a3e8f5781c0ff3606fbc2182c769ae6cdbbb54612e36361b',
    textSha256: 'c6b6a3d433c3437e52bcfcefb2103934f60be2032240c4f8076328322d8b7810',
    sql: `-- Looked up before every call: whether any contact with the number is flagged do-not-call, however many contacts share the number.
CREATE INDEX contacts_not_to_call ON contacts (organization_id, phone) WHERE do_not_call = 1;

-- Queries look for calls by final status only, so leave running calls out of the index.
DROP INDEX calls_by_status;
CREATE INDEX calls_by_status ON calls (organization_id, status, id) WHERE status IS NOT NULL;
`,
  },
  {
    id: 11,
    name: 'starts',
    sha256: 'b56c0464c33fc79d4440abc21e0121d2b059ad2ee80468956efa836033b0c94a',
    textSha256: 'a8721282177e37969d6f99fae01770f6fdf30082f24831f2be372a5eee9780be',
    sql: `-- How often a job was started after an earlier claim whose fate is unknown, to find jobs that crash the process. attempt cannot tell: it
-- counts claims, and most claimed jobs only wait in memory for others of their lane.
ALTER TABLE outbox ADD COLUMN starts INTEGER NOT NULL DEFAULT 0;
`,
  },
  {
    id: 12,
    name: 'texts',
    sha256: '6ca5fcf91c48856eb0459af557677c9b76eadf5b1d8cb02c4a69d47cb2dd8f0d',
    textSha256: '9c7ccae18a346fd2c256d6d25f33a4724674b70d99851208883bfd3d4d1008cd',
    sql: `-- Texts move to a table of their own: when any column changes, SQLite rewrites the whole row, and every other query waits while a long
-- text is written.
CREATE TABLE knowledge_texts (
  document_id TEXT PRIMARY KEY REFERENCES knowledge_documents (id) ON DELETE CASCADE,
  text TEXT NOT NULL
) STRICT;

INSERT INTO knowledge_texts (document_id, text)
SELECT id, text FROM knowledge_documents WHERE text IS NOT NULL ORDER BY id;

ALTER TABLE knowledge_documents DROP COLUMN text;
`,
  },
  {
    id: 13,
    name: 'job_scopes',
    sha256: 'a88c5306bcd0a8a847ce68554b39db3b1f8b7a4b7b2daede14bcaf995f4c5fd4',
    sql: `-- A job's scope: the organization whose data it changes, or a named scope such as "installation". The job runner commits the work of one
-- scope at a time and lets scopes take turns.
ALTER TABLE outbox ADD COLUMN scope TEXT NOT NULL DEFAULT 'installation';

UPDATE outbox SET scope = coalesce(
  CASE
    WHEN kind IN ('simulated.step', 'call.start', 'call.dial', 'call.hangup', 'call.lease')
      THEN (SELECT organization_id FROM calls WHERE calls.id = outbox.key)
    WHEN kind LIKE 'campaign.%' THEN (SELECT organization_id FROM campaigns WHERE campaigns.id = outbox.key)
    WHEN kind = 'webhook.deliver' THEN (SELECT organization_id FROM webhook_deliveries WHERE webhook_deliveries.id = outbox.key)
    WHEN kind = 'email.send' THEN (SELECT organization_id FROM notices WHERE notices.id = outbox.key)
    WHEN kind = 'calendar.check' THEN json_extract(payload, '$.orgId')
    WHEN kind = 'knowledge.ingest' THEN (SELECT organization_id FROM knowledge_documents WHERE knowledge_documents.id = outbox.key)
    WHEN kind IN ('knowledge.crawl') THEN (
      SELECT s.organization_id FROM knowledge_pages p JOIN knowledge_sources s ON s.id = p.source_id WHERE p.id = outbox.key)
    WHEN kind = 'knowledge.refresh' THEN (SELECT organization_id FROM knowledge_sources WHERE knowledge_sources.id = outbox.key)
    WHEN kind = 'knowledge.remove' THEN coalesce(
      (SELECT organization_id FROM knowledge_documents WHERE knowledge_documents.id = outbox.key),
      (SELECT organization_id FROM knowledge_sources WHERE knowledge_sources.id = outbox.key),
      (SELECT organization_id FROM knowledge_bases WHERE knowledge_bases.id = outbox.key))
    WHEN kind = 'retrieval.embed' THEN (SELECT organization_id FROM retrieval_bases WHERE retrieval_bases.id = CAST(outbox.key AS INTEGER))
  END,
  'installation');

DROP INDEX outbox_due;
DROP INDEX outbox_lanes;
DROP INDEX outbox_lanes_due;
CREATE INDEX outbox_transactional ON outbox (scope, due_at, id) WHERE lane IS NULL;
CREATE INDEX outbox_external ON outbox (scope, due_at, id) WHERE lane IS NOT NULL AND lease_until IS NULL;
CREATE INDEX outbox_lanes ON outbox (scope, lane, due_at, id) WHERE lane IS NOT NULL AND lease_until IS NULL;
`,
  },
  {
    id: 14,
    name: 'webhook_urls',
    sha256: '0da8e8c206686daf91a8cecdc0f49a5964836e686a834702d94412cd02fbb49f',
    sql: `-- An agent's webhook URLs are stored once, as rows of webhook_endpoints. \`position\` keeps the order in which they were saved.
ALTER TABLE webhook_endpoints ADD COLUMN position INTEGER NOT NULL DEFAULT 0 CHECK (position >= 0);

UPDATE webhook_endpoints SET position = coalesce((
    SELECT min(saved.key) FROM agents, json_each(agents.webhook_urls) AS saved
    WHERE agents.id = webhook_endpoints.agent_id AND saved.value = webhook_endpoints.url
  ), 0)
  WHERE removed_at IS NULL;

ALTER TABLE agents DROP COLUMN webhook_urls;
`,
  },
  {
    id: 15,
    name: 'answers_of_callers',
    sha256: 'e5b6ba7ab942e5106e4a8fa0442c6cc838b7ca0d2a1347596faf1331b81047d2',
    sql: `-- A stored answer belongs to the caller who got it, and to the role that the caller had.
CREATE TABLE new_idempotency_keys (
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  -- Identity, id and role of the caller. Empty for requests before this migration: their callers were not recorded, so nobody gets their
  -- answers, but those that took effect are not carried out again either.
  caller TEXT NOT NULL,
  key TEXT NOT NULL,
  request_hash TEXT NOT NULL,
  -- HTTP status of the answer; 0 while there is none.
  status INTEGER NOT NULL,
  -- The answer, encrypted. NULL while there is none, and for an answer that is never shown again.
  body_sealed TEXT,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (organization_id, caller, key)
) STRICT;
INSERT INTO new_idempotency_keys (organization_id, caller, key, request_hash, status, body_sealed, created_at)
SELECT organization_id, '', key, request_hash, status, NULL, created_at FROM idempotency_keys WHERE status < 400;
DROP TABLE idempotency_keys;
ALTER TABLE new_idempotency_keys RENAME TO idempotency_keys;
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at);
`,
  },
  {
    id: 16,
    name: 'log_ins',
    sha256: '4d54cd17589fd9208ce07058b46f0264613ed4d584d01cebe3aec9b6877c4962',
    sql: `-- Failed log-ins are counted in memory: a flood of them must not write to the disk.
DROP TABLE login_attempts;

-- Addresses that a person has logged in from: log-ins from them are not slowed down while someone else tries passwords.
CREATE TABLE login_addresses (
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  -- An IPv4 address, or the /64 of an IPv6 address.
  address TEXT NOT NULL,
  last_login_at INTEGER NOT NULL,
  PRIMARY KEY (user_id, address)
) STRICT, WITHOUT ROWID;

-- Without the CHECK on actor_kind: a new kind of actor would have to rewrite the whole log again. The program checks it.
CREATE TABLE new_audit_log (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  at INTEGER NOT NULL,
  actor_kind TEXT NOT NULL,
  actor_id TEXT,
  operation TEXT NOT NULL,
  -- JSON object with the ids of what changed, named as in the request's path or in the response.
  target TEXT NOT NULL,
  request_id TEXT,
  ip TEXT
) STRICT, WITHOUT ROWID;
INSERT INTO new_audit_log SELECT * FROM audit_log ORDER BY id;
DROP TABLE audit_log;
ALTER TABLE new_audit_log RENAME TO audit_log;
CREATE INDEX audit_log_of_organization ON audit_log (organization_id, id);
CREATE INDEX audit_log_by_age ON audit_log (at);
CREATE TRIGGER audit_log_is_never_changed BEFORE UPDATE ON audit_log
BEGIN
  SELECT raise(ABORT, 'audit_log is append-only');
END;
`,
  },
  {
    id: 17,
    name: 'exclusive_jobs',
    sha256: 'e69093cf034fad4232ec1c168856ce8e2117661af54e82d5bb126c54f443627b',
    sql: `-- Jobs of one lane with the same \`exclusive\` never run at the same time, such as webhooks about the same contact.
ALTER TABLE outbox ADD COLUMN exclusive TEXT;
-- The contact of an event's call or, where there is none, the phone number.
ALTER TABLE webhook_events ADD COLUMN subject TEXT;
`,
  },
  {
    id: 18,
    name: 'last_look',
    sha256: '5514abfc2b39325b816b609e0b280cd4c85cbbecdc96f05e54b6ce06569dc8d3',
    sql: `-- When the call was last handed to its carrier; null if the carrier certainly does not have it. After a restart, parley asks the carrier
-- about a call that was handed over, and decides anew whether to place any other.
ALTER TABLE calls ADD COLUMN handed_over_at INTEGER;
-- When the limits of calls per second first let the call start.
ALTER TABLE calls ADD COLUMN turn_at INTEGER;

UPDATE calls SET turn_at = started_at, handed_over_at = started_at WHERE state IN ('dialing', 'ringing', 'in_progress');
UPDATE calls SET handed_over_at = NULL
  WHERE state = 'dialing' AND id IN (
    SELECT key FROM outbox
    WHERE kind = 'call.dial' AND attempt = 0 AND lease_until IS NULL AND json_extract(payload, '$.doubt') IS NULL);

-- Finds the live calls of an agent that is to be deleted.
CREATE INDEX calls_live ON calls (agent_id) WHERE state <> 'ended';

-- Whether the carrier of a number is in reach. A number has a row from its first failure on.
CREATE TABLE carrier_pauses (
  phone_number_id TEXT PRIMARY KEY REFERENCES phone_numbers (id),
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  -- When the pause began; null while the carrier is in reach.
  paused_at INTEGER,
  -- The next call from the number is not tried before this instant.
  probe_at INTEGER NOT NULL,
  -- How many calls have been tried since the pause began.
  probes INTEGER NOT NULL,
  -- Why the last call could not be handed over.
  reason TEXT NOT NULL,
  -- How many pauses have ended.
  resumptions INTEGER NOT NULL DEFAULT 0,
  noticed_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX carrier_pauses_of_organization ON carrier_pauses (organization_id);
CREATE INDEX carrier_pauses_open ON carrier_pauses (paused_at) WHERE paused_at IS NOT NULL;

-- How often the carrier was out of reach when this contact was called, while other calls got through in between; and \`resumptions\` of the
-- number when it last happened.
ALTER TABLE campaign_contacts ADD COLUMN unreachable_count INTEGER NOT NULL DEFAULT 0;
ALTER TABLE campaign_contacts ADD COLUMN unreachable_resumptions INTEGER;
`,
  },
  {
    id: 19,
    name: 'secrets_check',
    sha256: 'c5a6c41ee0cd35e6e290663fae0110648dbfba64d4df5e664a20bc9fa5fe32ab',
    sql: `-- A known text encrypted with the installation's key, so that a start notices when it has another installation's secrets.json.
CREATE TABLE secrets_check (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  encrypted TEXT NOT NULL
) STRICT;
`,
  },
  {
    id: 20,
    name: 'centred_vectors',
    sha256: '2263f5c6231ba8a494d5da330f57f376262512d423b3d7259646e51922a23bbb',
    sql: `-- The vectors of one model share a large common part that says nothing about a text. Passages are compared relative to their base's
-- centre, the mean of its vectors.
CREATE TABLE retrieval_centres (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  base_id INTEGER NOT NULL REFERENCES retrieval_bases (id) ON DELETE CASCADE,
  space_id INTEGER NOT NULL REFERENCES retrieval_spaces (id),
  -- Mean of a sample of the base's vectors: little-endian 32-bit floats.
  mean BLOB NOT NULL,
  -- Vectors of the base when the mean was computed.
  vectors INTEGER NOT NULL,
  -- 1 once the sign bits of all vectors of the base are taken from this centre.
  is_complete INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX retrieval_centres_of_base ON retrieval_centres (base_id, space_id, id);

-- The centre that was subtracted before the sign bits were taken; 0: none.
ALTER TABLE retrieval_vectors ADD COLUMN centre_id INTEGER NOT NULL DEFAULT 0;

-- Vectors added since the base's newest centre was computed.
ALTER TABLE retrieval_bases ADD COLUMN vectors_added INTEGER NOT NULL DEFAULT 0;

-- Passages that wait for a vector, kept up to date by the triggers below.
ALTER TABLE retrieval_bases ADD COLUMN pending INTEGER NOT NULL DEFAULT 0;
UPDATE retrieval_bases SET pending = (SELECT count(*) FROM retrieval_unembedded WHERE base_id = retrieval_bases.id);

CREATE TRIGGER retrieval_unembedded_are_counted AFTER INSERT ON retrieval_unembedded
BEGIN
  UPDATE retrieval_bases SET pending = pending + 1 WHERE id = new.base_id;
END;
CREATE TRIGGER retrieval_unembedded_leave_the_count AFTER DELETE ON retrieval_unembedded
BEGIN
  UPDATE retrieval_bases SET pending = pending - 1 WHERE id = old.base_id;
END;

-- Earliest time of the next request for a passage, and how often the endpoint refused it.
ALTER TABLE retrieval_unembedded ADD COLUMN due_at INTEGER NOT NULL DEFAULT 0;
ALTER TABLE retrieval_unembedded ADD COLUMN refusals INTEGER NOT NULL DEFAULT 0;
CREATE INDEX retrieval_unembedded_due ON retrieval_unembedded (base_id, due_at, passage_id);

-- Earlier versions gave up on passages that the endpoint refused, and knew no centres. When no space is current, the next start looks
-- through all passages: it lists those without a vector again and gives every base a centre.
UPDATE retrieval_spaces SET is_current = 0;
`,
  },
  {
    id: 21,
    name: 'removed_campaigns',
    sha256: 'bc9004c808bf51b171505e77a01737b60febd1f42109e2c80c6e4f2b5d9d6c49',
    sql: `-- A campaign is removed at once; its rows, perhaps a million, are deleted afterwards in batches.
ALTER TABLE campaigns ADD COLUMN removed_at INTEGER;

DROP INDEX campaigns_of_organization;
CREATE INDEX campaigns_of_organization ON campaigns (organization_id, id) WHERE removed_at IS NULL;
DROP INDEX campaigns_by_status;
CREATE INDEX campaigns_by_status ON campaigns (organization_id, status, id) WHERE removed_at IS NULL;
`,
  },
  {
    id: 22,
    name: 'turns_to_call',
    sha256: '3e974948dc01d357eeda187bfd5420591f296047a377ed4fd9ebc340aec8488a',
    sql: `-- Campaigns that share the lines or the pace of a number or of the organization wait in a queue and are given a turn one by one. The
-- dialer tick scheduled for \`turn_at\` starts a call, or passes the turn on.
ALTER TABLE campaigns ADD COLUMN turn_at INTEGER;

DROP INDEX campaigns_waiting;
-- Finds, for each number, the waiting campaign whose last call is longest ago.
CREATE INDEX campaigns_waiting ON campaigns (organization_id, phone_number_id, pace_at)
  WHERE waiting_for IN ('number', 'organization') AND turn_at IS NULL AND phone_number_id IS NOT NULL;
CREATE INDEX campaigns_with_turn ON campaigns (organization_id, phone_number_id, turn_at) WHERE turn_at IS NOT NULL;

-- Finds the next contact to call, whatever its time zone: with hundreds of open zones, a look-up for each would cost a tick a millisecond.
CREATE INDEX campaign_contacts_next_retry ON campaign_contacts (campaign_id, next_retry_at, position)
  WHERE status = 'pending' AND next_retry_at IS NOT NULL;
CREATE INDEX campaign_contacts_next_first ON campaign_contacts (campaign_id, position)
  WHERE status = 'pending' AND next_retry_at IS NULL;
`,
  },
  {
    id: 23,
    name: 'campaign_events',
    sha256: '59e7d69cd013bea99996c85104b7c9afdea33fd8729c86cbbefe59923bb0e0d6',
    sql: `-- What happened to a campaign, numbered from 1. So the newest number is the count, and any page of the list is a range of numbers.
CREATE TABLE campaign_events (
  campaign_id TEXT NOT NULL REFERENCES campaigns (id),
  number INTEGER NOT NULL,
  at INTEGER NOT NULL,
  type TEXT NOT NULL,
  -- Null if parley itself acted.
  actor_kind TEXT,
  actor_id TEXT,
  -- JSON object; its keys depend on the type.
  detail TEXT NOT NULL,
  PRIMARY KEY (campaign_id, number),
  CHECK (actor_id IS NULL OR actor_kind IS NOT NULL)
) STRICT, WITHOUT ROWID;
`,
  },
  {
    id: 24,
    name: 'sweeps',
    sha256: '5fc30bfdeca0b1a9a95160c6318a5c7b2e003b96acc63209f946227ae3c960e7',
    sql: `-- A hundred thousand deliveries may wait for an endpoint. When it fails, recovers or is removed, they are held, released or cancelled in
-- batches: a sweep. Readers see the new status of a delivery as soon as the sweep begins, although it is stored batch by batch.
ALTER TABLE webhook_endpoints ADD COLUMN sweep TEXT CHECK (sweep IN ('hold', 'release', 'cancel'));
-- How many sweeps have been started; this is also the number of the present or last one.
ALTER TABLE webhook_endpoints ADD COLUMN sweeps INTEGER NOT NULL DEFAULT 0;
CREATE INDEX webhook_endpoints_sweeping ON webhook_endpoints (organization_id) WHERE sweep IS NOT NULL;

-- The endpoint's \`sweeps\` when the delivery's status was stored. If they are equal, the present sweep has reached the delivery.
ALTER TABLE webhook_deliveries ADD COLUMN swept INTEGER NOT NULL DEFAULT 0;

-- With \`swept\`, so that a sweep finds what it has not reached without reading the deliveries.
DROP INDEX webhook_deliveries_undelivered;
CREATE INDEX webhook_deliveries_undelivered
  ON webhook_deliveries (organization_id, status, id, endpoint_id, swept, delivered_at) WHERE delivered_at IS NULL;
`,
  },
  {
    id: 25,
    name: 'campaign_activity',
    sha256: '59da9ea30396b96e8b3c811b0a0cdb0d65bb3ce0c95968bc3c589d802d5c09f6',
    sql: `-- Count the calls of a campaign by time without reading the calls: those that started in a period, with how many were answered, and those
-- that ended in it, by outcome. Live calls have no entry, so a call adds to these indexes once, when it ends.
CREATE INDEX calls_of_campaign_by_start ON calls (campaign_id, started_at, answered_at)
  WHERE campaign_id IS NOT NULL AND state = 'ended';
CREATE INDEX calls_of_campaign_by_end ON calls (campaign_id, ended_at, status)
  WHERE campaign_id IS NOT NULL AND state = 'ended';
`,
  },
  {
    id: 26,
    name: 'list_counts',
    sha256: '1feaed05f34e2611f24ef970a9fa33618a3f48c35af6f3ad971516adb213f60f',
    sql: `-- Lists say how many rows they have. Counting a million rows takes up to two seconds, so the numbers are kept: triggers change them in
-- the transaction that changes the rows, whichever statement does. \`parley doctor\` counts again and compares.

-- One row per organization. \`number\` stands for the organization where its id would be too long.
CREATE TABLE organization_counts (
  number INTEGER PRIMARY KEY,
  organization_id TEXT NOT NULL UNIQUE REFERENCES organizations (id),
  contacts INTEGER NOT NULL DEFAULT 0 CHECK (contacts >= 0),
  do_not_call INTEGER NOT NULL DEFAULT 0 CHECK (do_not_call >= 0),
  audit_entries INTEGER NOT NULL DEFAULT 0 CHECK (audit_entries >= 0)
) STRICT;

INSERT INTO organization_counts (organization_id, contacts, do_not_call, audit_entries)
SELECT o.id, coalesce(c.n, 0), coalesce(d.n, 0), coalesce(a.n, 0) FROM organizations o
  LEFT JOIN (SELECT organization_id, count(*) AS n FROM contacts GROUP BY 1) c ON c.organization_id = o.id
  LEFT JOIN (SELECT organization_id, count(*) AS n FROM do_not_call GROUP BY 1) d ON d.organization_id = o.id
  LEFT JOIN (SELECT organization_id, count(*) AS n FROM audit_log GROUP BY 1) a ON a.organization_id = o.id
ORDER BY o.id;

CREATE TRIGGER organizations_have_counts AFTER INSERT ON organizations
BEGIN
  INSERT INTO organization_counts (organization_id) VALUES (new.id);
END;
CREATE TRIGGER contacts_are_counted AFTER INSERT ON contacts
BEGIN
  UPDATE organization_counts SET contacts = contacts + 1 WHERE organization_id = new.organization_id;
END;
CREATE TRIGGER contacts_leave_the_count AFTER DELETE ON contacts
BEGIN
  UPDATE organization_counts SET contacts = contacts - 1 WHERE organization_id = old.organization_id;
END;
CREATE TRIGGER do_not_call_is_counted AFTER INSERT ON do_not_call
BEGIN
  UPDATE organization_counts SET do_not_call = do_not_call + 1 WHERE organization_id = new.organization_id;
END;
CREATE TRIGGER do_not_call_leaves_the_count AFTER DELETE ON do_not_call
BEGIN
  UPDATE organization_counts SET do_not_call = do_not_call - 1 WHERE organization_id = old.organization_id;
END;
CREATE TRIGGER audit_log_is_counted AFTER INSERT ON audit_log
BEGIN
  UPDATE organization_counts SET audit_entries = audit_entries + 1 WHERE organization_id = new.organization_id;
END;
CREATE TRIGGER audit_log_leaves_the_count AFTER DELETE ON audit_log
BEGIN
  UPDATE organization_counts SET audit_entries = audit_entries - 1 WHERE organization_id = old.organization_id;
END;

-- Ended calls by status. '' as agent or campaign stands for all of them. Live calls are few and are counted in calls_live.
CREATE TABLE call_counts (
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  agent_id TEXT NOT NULL,
  campaign_id TEXT NOT NULL,
  status TEXT NOT NULL,
  calls INTEGER NOT NULL CHECK (calls >= 0),
  PRIMARY KEY (organization_id, agent_id, campaign_id, status)
) STRICT, WITHOUT ROWID;

INSERT INTO call_counts
SELECT organization_id, '', '', status, count(*) FROM calls WHERE status IS NOT NULL GROUP BY 1, 4
UNION ALL
SELECT organization_id, agent_id, '', status, count(*) FROM calls WHERE status IS NOT NULL GROUP BY 1, 2, 4
UNION ALL
SELECT organization_id, '', campaign_id, status, count(*) FROM calls
  WHERE status IS NOT NULL AND campaign_id IS NOT NULL GROUP BY 1, 3, 4
UNION ALL
SELECT organization_id, agent_id, campaign_id, status, count(*) FROM calls
  WHERE status IS NOT NULL AND campaign_id IS NOT NULL GROUP BY 1, 2, 3, 4;

CREATE TRIGGER ended_calls_are_counted AFTER UPDATE OF status ON calls
WHEN old.status IS NULL AND new.status IS NOT NULL
BEGIN
  INSERT INTO call_counts VALUES
    (new.organization_id, '', '', new.status, 1), (new.organization_id, new.agent_id, '', new.status, 1)
  ON CONFLICT DO UPDATE SET calls = calls + 1;
END;
CREATE TRIGGER ended_calls_of_campaigns_are_counted AFTER UPDATE OF status ON calls
WHEN old.status IS NULL AND new.status IS NOT NULL AND new.campaign_id IS NOT NULL
BEGIN
  INSERT INTO call_counts VALUES
    (new.organization_id, '', new.campaign_id, new.status, 1), (new.organization_id, new.agent_id, new.campaign_id, new.status, 1)
  ON CONFLICT DO UPDATE SET calls = calls + 1;
END;
CREATE TRIGGER calls_inserted_ended_are_counted AFTER INSERT ON calls WHEN new.status IS NOT NULL
BEGIN
  INSERT INTO call_counts
  SELECT new.organization_id, agent.id, campaign.id, new.status, 1
  FROM (SELECT '' AS id UNION ALL SELECT new.agent_id) agent,
    (SELECT '' AS id UNION ALL SELECT new.campaign_id WHERE new.campaign_id IS NOT NULL) campaign
  WHERE true
  ON CONFLICT DO UPDATE SET calls = calls + 1;
END;
CREATE TRIGGER calls_change_their_count AFTER UPDATE OF status ON calls WHEN old.status IS NOT NULL AND old.status IS NOT new.status
BEGIN
  SELECT raise(ABORT, 'the status of an ended call does not change');
END;
CREATE TRIGGER calls_leave_the_count AFTER DELETE ON calls WHEN old.status IS NOT NULL
BEGIN
  UPDATE call_counts SET calls = calls - 1
  WHERE organization_id = old.organization_id AND agent_id IN ('', old.agent_id)
    AND campaign_id IN ('', coalesce(old.campaign_id, '')) AND status = old.status;
END;

-- An ended call enters the indexes of its agent and campaign with its status, so that a list of one status reads only its own entries.
-- Live calls are listed from calls_live. It holds the status too, which is always NULL there, so that SQLite prefers it to
-- calls_of_organization: one more of its columns is compared.
DROP INDEX calls_of_agent;
CREATE INDEX calls_of_agent ON calls (agent_id, status, id) WHERE status IS NOT NULL;
DROP INDEX calls_of_campaign;
CREATE INDEX calls_of_campaign ON calls (campaign_id, status, id, agent_id) WHERE campaign_id IS NOT NULL AND status IS NOT NULL;
DROP INDEX calls_live;
CREATE INDEX calls_live ON calls (organization_id, status, id, agent_id, campaign_id) WHERE status IS NULL;

-- The counters of a campaign join several statuses (no_answer, busy and voicemail; failed, cancelled and expired). These columns
-- count the statuses that have no counter of their own; that of no_answer and of failed follows by subtraction.
ALTER TABLE campaigns ADD COLUMN busy INTEGER NOT NULL DEFAULT 0 CHECK (busy >= 0);
ALTER TABLE campaigns ADD COLUMN voicemail INTEGER NOT NULL DEFAULT 0 CHECK (voicemail >= 0);
ALTER TABLE campaigns ADD COLUMN cancelled INTEGER NOT NULL DEFAULT 0 CHECK (cancelled >= 0);
ALTER TABLE campaigns ADD COLUMN expired INTEGER NOT NULL DEFAULT 0 CHECK (expired >= 0);
UPDATE campaigns SET busy = counted.busy, voicemail = counted.voicemail, cancelled = counted.cancelled, expired = counted.expired
FROM (
  SELECT campaign_id, count(*) FILTER (WHERE status = 'busy') AS busy, count(*) FILTER (WHERE status = 'voicemail') AS voicemail,
    count(*) FILTER (WHERE status = 'cancelled') AS cancelled, count(*) FILTER (WHERE status = 'expired') AS expired
  FROM campaign_contacts WHERE status IN ('busy', 'voicemail', 'cancelled', 'expired') GROUP BY campaign_id
) AS counted
WHERE counted.campaign_id = campaigns.id;

CREATE TRIGGER campaign_contacts_are_counted AFTER UPDATE OF status ON campaign_contacts
WHEN old.status <> new.status
  AND (old.status IN ('busy', 'voicemail', 'cancelled', 'expired') OR new.status IN ('busy', 'voicemail', 'cancelled', 'expired'))
BEGIN
  UPDATE campaigns SET
    busy = busy + (new.status = 'busy') - (old.status = 'busy'),
    voicemail = voicemail + (new.status = 'voicemail') - (old.status = 'voicemail'),
    cancelled = cancelled + (new.status = 'cancelled') - (old.status = 'cancelled'),
    expired = expired + (new.status = 'expired') - (old.status = 'expired')
  WHERE id = new.campaign_id;
END;
CREATE TRIGGER campaign_contacts_leave_the_count AFTER DELETE ON campaign_contacts
WHEN old.status IN ('busy', 'voicemail', 'cancelled', 'expired')
BEGIN
  UPDATE campaigns SET
    busy = busy - (old.status = 'busy'), voicemail = voicemail - (old.status = 'voicemail'),
    cancelled = cancelled - (old.status = 'cancelled'), expired = expired - (old.status = 'expired')
  WHERE id = old.campaign_id;
END;

-- Deliveries of each endpoint by status; pending ones are the rest. Most deliveries go from pending to delivered, which changes one number.
CREATE TABLE delivery_counts (
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  endpoint_id TEXT NOT NULL REFERENCES webhook_endpoints (id) ON DELETE CASCADE,
  total INTEGER NOT NULL DEFAULT 0,
  retrying INTEGER NOT NULL DEFAULT 0 CHECK (retrying >= 0),
  held INTEGER NOT NULL DEFAULT 0 CHECK (held >= 0),
  delivered INTEGER NOT NULL DEFAULT 0 CHECK (delivered >= 0),
  exhausted INTEGER NOT NULL DEFAULT 0 CHECK (exhausted >= 0),
  cancelled INTEGER NOT NULL DEFAULT 0 CHECK (cancelled >= 0),
  PRIMARY KEY (organization_id, endpoint_id),
  CHECK (total >= retrying + held + delivered + exhausted + cancelled)
) STRICT, WITHOUT ROWID;
CREATE INDEX delivery_counts_of_endpoint ON delivery_counts (endpoint_id);
INSERT INTO delivery_counts
SELECT p.organization_id, p.id, count(d.id), count(*) FILTER (WHERE d.status = 'retrying'), count(*) FILTER (WHERE d.status = 'held'),
  count(*) FILTER (WHERE d.status = 'delivered'), count(*) FILTER (WHERE d.status = 'exhausted'),
  count(*) FILTER (WHERE d.status = 'cancelled')
FROM webhook_endpoints p LEFT JOIN webhook_deliveries d ON d.endpoint_id = p.id GROUP BY p.id;

CREATE TRIGGER webhook_endpoints_have_counts AFTER INSERT ON webhook_endpoints
BEGIN
  INSERT INTO delivery_counts (organization_id, endpoint_id) VALUES (new.organization_id, new.id);
END;
CREATE TRIGGER webhook_deliveries_are_counted AFTER INSERT ON webhook_deliveries
BEGIN
  UPDATE delivery_counts SET total = total + 1, retrying = retrying + (new.status = 'retrying'), held = held + (new.status = 'held'),
    delivered = delivered + (new.status = 'delivered'), exhausted = exhausted + (new.status = 'exhausted'),
    cancelled = cancelled + (new.status = 'cancelled')
  WHERE organization_id = new.organization_id AND endpoint_id = new.endpoint_id;
END;
CREATE TRIGGER webhook_deliveries_change_their_count AFTER UPDATE OF status ON webhook_deliveries WHEN old.status <> new.status
BEGIN
  UPDATE delivery_counts SET
    retrying = retrying + (new.status = 'retrying') - (old.status = 'retrying'),
    held = held + (new.status = 'held') - (old.status = 'held'),
    delivered = delivered + (new.status = 'delivered') - (old.status = 'delivered'),
    exhausted = exhausted + (new.status = 'exhausted') - (old.status = 'exhausted'),
    cancelled = cancelled + (new.status = 'cancelled') - (old.status = 'cancelled')
  WHERE organization_id = new.organization_id AND endpoint_id = new.endpoint_id;
END;
CREATE TRIGGER webhook_deliveries_leave_the_count AFTER DELETE ON webhook_deliveries
BEGIN
  UPDATE delivery_counts SET total = total - 1, retrying = retrying - (old.status = 'retrying'), held = held - (old.status = 'held'),
    delivered = delivered - (old.status = 'delivered'), exhausted = exhausted - (old.status = 'exhausted'),
    cancelled = cancelled - (old.status = 'cancelled')
  WHERE organization_id = old.organization_id AND endpoint_id = old.endpoint_id;
END;
-- Finds the endpoints of an agent, removed ones too.
CREATE INDEX webhook_endpoints_of_agent ON webhook_endpoints (agent_id, id);
`,
  },
  {
    id: 27,
    name: 'people',
    sha256: 'f3f2a9a9576aca8818671119996f88d2766818e1ad138cd3bfb3e7c6b1d95d68',
    sql: `-- An invited person has no password until they use their link.
ALTER TABLE users ALTER COLUMN password_hash DROP NOT NULL;

-- Log-ins of browsers. The cookie's secret is kept as its SHA-256 only.
CREATE TABLE sessions (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  secret_hash TEXT NOT NULL UNIQUE,
  created_at INTEGER NOT NULL,
  -- Up to a minute old, because not every request writes it.
  last_used_at INTEGER NOT NULL,
  ip TEXT NOT NULL,
  user_agent TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX sessions_of_user ON sessions (user_id, id);
CREATE INDEX sessions_by_use ON sessions (last_used_at);
CREATE INDEX sessions_by_age ON sessions (created_at);

-- One-time links that set a password. user_id is NULL for a link that makes a new admin of the organization.
CREATE TABLE setup_links (
  token_hash TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  user_id TEXT REFERENCES users (id) ON DELETE CASCADE,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
-- Only the newest link works: a new one replaces the old.
CREATE UNIQUE INDEX setup_links_of_user ON setup_links (user_id) WHERE user_id IS NOT NULL;
CREATE UNIQUE INDEX setup_links_of_organization ON setup_links (organization_id) WHERE user_id IS NULL;
CREATE INDEX setup_links_by_expiry ON setup_links (expires_at);

-- The name that the actor had then: a person's e-mail address, an API key's name.
ALTER TABLE audit_log ADD COLUMN actor_name TEXT;
ALTER TABLE campaign_events ADD COLUMN actor_name TEXT;
`,
  },
  {
    id: 28,
    name: 'contact_search',
    sha256: '6fb1f71ccde792bc6b9f284031cd8b28802f17662d35aa5412c581e513cfca7c',
    sql: `-- Finds contacts by any part of their search text. Indexing takes longer than writing the contact, so the writing transaction only notes
-- the contact as pending, and the background thread indexes pending contacts in batches. A search looks at both.
CREATE TABLE contact_search_pending (
  organization_id TEXT NOT NULL,
  contact_id TEXT NOT NULL,
  PRIMARY KEY (organization_id, contact_id)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER contacts_enter_the_search AFTER INSERT ON contacts
BEGIN
  INSERT INTO contact_search_pending VALUES (new.organization_id, new.id) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER contacts_change_in_the_search AFTER UPDATE OF search ON contacts WHEN old.search <> new.search
BEGIN
  INSERT INTO contact_search_pending VALUES (new.organization_id, new.id) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER contacts_leave_the_search AFTER DELETE ON contacts
BEGIN
  INSERT INTO contact_search_pending VALUES (old.organization_id, old.id) ON CONFLICT DO NOTHING;
END;
INSERT INTO contact_search_pending SELECT organization_id, id FROM contacts;

-- The contacts in the index; their number is the rowid there.
CREATE TABLE contact_search_entries (
  number INTEGER PRIMARY KEY,
  contact_id TEXT NOT NULL UNIQUE
) STRICT;

-- Which contacts contain a trigram. src/search/contacts makes the terms, so the tokenizer only splits at spaces. Merging a few pages at a
-- time is up to the background thread, as for retrieval_words.
CREATE VIRTUAL TABLE contact_search_trigrams USING fts5(
  trigrams,
  content = '', contentless_delete = 1, detail = none, tokenize = "ascii tokenchars '.'"
);
INSERT INTO contact_search_trigrams (contact_search_trigrams, rank) VALUES ('automerge', 0);
`,
  },
  {
    id: 29,
    name: 'notices_read',
    sha256: 'ba6cd3e9fcaec807fe43e7cf52caaad2186f87a97801b00afc6e71e0f48865f8',
    sql: `-- When a person of the organization marked the notice as read; null until then. The index counts unread notices.
ALTER TABLE notices ADD COLUMN read_at INTEGER;
CREATE INDEX notices_unread ON notices (organization_id, id) WHERE read_at IS NULL;
`,
  },
  {
    id: 30,
    name: 'last_attempts',
    sha256: '23b3b75273d26e62c4688d0657c0b3075d2d88f37a39a4488e8a858e9d423ec4',
    sql: `-- Lists the contacts of a campaign by their last attempt, the newest first. Contacts that were not attempted yet have no entry.
CREATE INDEX campaign_contacts_attempted ON campaign_contacts (campaign_id, last_attempted_at DESC, position)
  WHERE last_attempted_at IS NOT NULL;
`,
  },
  {
    id: 31,
    name: 'last_backup',
    sha256: '5b1e718aa229682b3b0febbbb4a855d0ae72cfa95da2e62981f02fd01b7c16d3',
    sql: `-- The last backup: when it was complete and where it went. error says why a later attempt failed.
CREATE TABLE last_backup (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  completed_at INTEGER,
  path TEXT,
  error TEXT
) STRICT;
`,
  },
  {
    id: 32,
    name: 'endpoint_health',
    sha256: '4bc5ebe942243e700dd16c5f080cf1d106d065196b2c6b9043fe82aa65f3630e',
    sql: `-- What an attempt sent and was answered, as JSON objects; null for attempts of earlier releases.
ALTER TABLE webhook_attempts ADD COLUMN request_headers TEXT;
ALTER TABLE webhook_attempts ADD COLUMN response_headers TEXT;

-- Failed attempts since the last success, or since the endpoint was resumed. There are some exactly while there is a last_error.
ALTER TABLE webhook_endpoints ADD COLUMN failures INTEGER NOT NULL DEFAULT 0 CHECK (failures >= 0);
UPDATE webhook_endpoints SET failures = max(1, coalesce(
  (SELECT max(d.failures) FROM webhook_deliveries d WHERE d.endpoint_id = webhook_endpoints.id AND d.delivered_at IS NULL), 0))
WHERE last_error IS NOT NULL;

-- Stored in this table, because the trigger writes its row for every delivery anyway.
ALTER TABLE delivery_counts ADD COLUMN last_delivered_at INTEGER;
UPDATE delivery_counts SET last_delivered_at =
  (SELECT max(d.delivered_at) FROM webhook_deliveries d WHERE d.endpoint_id = delivery_counts.endpoint_id);

DROP TRIGGER webhook_deliveries_change_their_count;
CREATE TRIGGER webhook_deliveries_change_their_count AFTER UPDATE OF status ON webhook_deliveries WHEN old.status <> new.status
BEGIN
  UPDATE delivery_counts SET
    retrying = retrying + (new.status = 'retrying') - (old.status = 'retrying'),
    held = held + (new.status = 'held') - (old.status = 'held'),
    delivered = delivered + (new.status = 'delivered') - (old.status = 'delivered'),
    exhausted = exhausted + (new.status = 'exhausted') - (old.status = 'exhausted'),
    cancelled = cancelled + (new.status = 'cancelled') - (old.status = 'cancelled'),
    last_delivered_at = coalesce(new.delivered_at, last_delivered_at)
  WHERE organization_id = new.organization_id AND endpoint_id = new.endpoint_id;
END;
`,
  },
  {
    id: 33,
    name: 'text_excerpts',
    sha256: '67ea4f3bd8cc23a91c8f1f544f34521b7e7f6b427cda0d8619d600f3ad29cb5a',
    sql: `-- The beginning of each text, for lists: SQLite reads a text from its first page to its last, also for its first characters.
CREATE TABLE knowledge_excerpts (
  document_id TEXT PRIMARY KEY REFERENCES knowledge_documents (id) ON DELETE CASCADE,
  excerpt TEXT NOT NULL
) STRICT;
INSERT INTO knowledge_excerpts (document_id, excerpt)
SELECT document_id, substr(text, 1, 2000) FROM knowledge_texts ORDER BY rowid;

CREATE TRIGGER knowledge_texts_have_excerpts AFTER INSERT ON knowledge_texts
BEGIN
  INSERT INTO knowledge_excerpts (document_id, excerpt) VALUES (new.document_id, substr(new.text, 1, 2000));
END;
CREATE TRIGGER knowledge_texts_change_their_excerpts AFTER UPDATE OF text ON knowledge_texts
BEGIN
  UPDATE knowledge_excerpts SET excerpt = substr(new.text, 1, 2000) WHERE document_id = new.document_id;
END;
`,
  },
  {
    id: 34,
    name: 'telephony',
    sha256: '29294441fe03b975845dabf2c2084c06a35cbc0fe6f8aa003e5d79810e041c48',
    sql: `-- The carrier that places the number's calls; NULL means the one of \`carrier.driver\`.
ALTER TABLE phone_numbers ADD COLUMN carrier TEXT CHECK (carrier IN ('sip', 'http'));
-- The form in which the trunk expects called numbers: with + (\`e164\`) or without (\`digits\`).
ALTER TABLE phone_numbers ADD COLUMN dial_format TEXT NOT NULL DEFAULT 'e164' CHECK (dial_format IN ('e164', 'digits'));
-- The agent that answers calls to the number; NULL if none does.
ALTER TABLE phone_numbers ADD COLUMN inbound_agent_id TEXT REFERENCES agents (id) ON DELETE SET NULL;
CREATE INDEX phone_numbers_of_inbound_agent ON phone_numbers (inbound_agent_id) WHERE inbound_agent_id IS NOT NULL;
CREATE INDEX phone_numbers_by_carrier ON phone_numbers (carrier) WHERE carrier IS NOT NULL AND status = 'active';

ALTER TABLE agents ADD COLUMN silence_timeout_ms INTEGER NOT NULL DEFAULT 30000;
ALTER TABLE agents ADD COLUMN transfer_phone TEXT;

-- The carrier driver that the call was made for; NULL for calls from before this column existed, which belong to \`carrier.driver\`.
ALTER TABLE calls ADD COLUMN driver TEXT;
ALTER TABLE calls ADD COLUMN direction TEXT NOT NULL DEFAULT 'outbound' CHECK (direction IN ('outbound', 'inbound'));
-- A JSON object with the facts that the carrier \`sip\` knows about the call.
ALTER TABLE calls ADD COLUMN sip TEXT;

-- What happened in a call, in order.
CREATE TABLE call_timeline (
  call_id TEXT NOT NULL REFERENCES calls (id) ON DELETE CASCADE,
  number INTEGER NOT NULL,
  at INTEGER NOT NULL,
  type TEXT NOT NULL,
  detail TEXT,
  PRIMARY KEY (call_id, number)
) STRICT, WITHOUT ROWID;
`,
  },
  {
    id: 35,
    name: 'live_calls_of_carriers',
    sha256: '155710962ae5cb2414a9dc9a4ff8f0f50ab5c5397985684a3f01050e842de1eb',
    sql: `-- Counts the live calls of a carrier, by organization: a carrier may have a limit of calls at once.
CREATE INDEX calls_live_of_driver ON calls (driver, organization_id) WHERE status IS NULL;
`,
  },
  {
    id: 36,
    name: 'failed_sources',
    sha256: 'a9cf6208d0d52adaeb61d03f8a67925ce04f385ed3642413e4a6f21043382234',
    sql: `-- Knowledge bases with a source that could not be read are listed without walking all sources.
CREATE INDEX knowledge_sources_failed ON knowledge_sources (knowledge_base_id)
  WHERE status = 'error' AND removed_at IS NULL;
`,
  },
  {
    id: 37,
    name: 'removed_contacts',
    sha256: '112076050d28a764bff26609c2c81a7d4836f0cd6d3d32df5980cbc5248e8615',
    sql: `-- A deleted contact loses its data at once, and is hidden while a job clears the references to it. Then its row goes.
ALTER TABLE contacts ADD COLUMN removed_at INTEGER;

DROP TRIGGER contacts_leave_the_count;
CREATE TRIGGER contacts_leave_the_count AFTER DELETE ON contacts WHEN old.removed_at IS NULL
BEGIN
  UPDATE organization_counts SET contacts = contacts - 1 WHERE organization_id = old.organization_id;
END;
CREATE TRIGGER removed_contacts_leave_the_count AFTER UPDATE OF removed_at ON contacts
WHEN old.removed_at IS NULL AND new.removed_at IS NOT NULL
BEGIN
  UPDATE organization_counts SET contacts = contacts - 1 WHERE organization_id = new.organization_id;
END;
`,
  },
  {
    id: 38,
    name: 'removed_agents',
    sha256: '0448bed6f7592c65b7c6ef6ae5382a1b19d1d9554ed63406903860ea10b9f436',
    sql: `-- A deleted agent is hidden while a job clears it in its campaigns. Then its row goes.
ALTER TABLE agents ADD COLUMN removed_at INTEGER;
DROP INDEX agents_of_organization;
CREATE INDEX agents_of_organization ON agents (organization_id, id) WHERE removed_at IS NULL;
`,
  },
  {
    id: 39,
    name: 'note_counts',
    sha256: 'c33b00e06295482824b7774c5c2e3b94c7b3e5a8673f04e3d7b090b8befef6b1',
    sql: `-- Counts of the lists of notices and of a contact's notes, kept by triggers.
ALTER TABLE organization_counts ADD COLUMN notices INTEGER NOT NULL DEFAULT 0 CHECK (notices >= 0);
UPDATE organization_counts
SET notices = (SELECT count(*) FROM notices WHERE notices.organization_id = organization_counts.organization_id);
CREATE TRIGGER notices_are_counted AFTER INSERT ON notices
BEGIN
  UPDATE organization_counts SET notices = notices + 1 WHERE organization_id = new.organization_id;
END;
CREATE TRIGGER notices_leave_the_count AFTER DELETE ON notices
BEGIN
  UPDATE organization_counts SET notices = notices - 1 WHERE organization_id = old.organization_id;
END;

ALTER TABLE contacts ADD COLUMN note_count INTEGER NOT NULL DEFAULT 0 CHECK (note_count >= 0);
UPDATE contacts
SET note_count = (SELECT count(*) FROM contact_notes WHERE contact_notes.contact_id = contacts.id)
WHERE id IN (SELECT contact_id FROM contact_notes);
CREATE TRIGGER contact_notes_are_counted AFTER INSERT ON contact_notes
BEGIN
  UPDATE contacts SET note_count = note_count + 1 WHERE id = new.contact_id;
END;
CREATE TRIGGER contact_notes_leave_the_count AFTER DELETE ON contact_notes
BEGIN
  UPDATE contacts SET note_count = note_count - 1 WHERE id = old.contact_id;
END;
`,
  },
  {
    id: 40,
    name: 'campaign_contact_search',
    sha256: 'b405e6d8d0decab7c65b0d86eeac2eaba7cf4e35f973e5a3b78dc2299446a848',
    sql: `-- A campaign contact has the name, phone and e-mail of its contact, so a search in a campaign uses the index of contacts. Campaign
-- contacts that differ, because they ended before the contact changed or because it was deleted, are in the index themselves.
CREATE TABLE search_pending (
  organization_id TEXT NOT NULL,
  -- '' if \`id\` is a contact's, else it is a campaign contact's.
  campaign_id TEXT NOT NULL,
  id TEXT NOT NULL,
  PRIMARY KEY (organization_id, campaign_id, id)
) STRICT, WITHOUT ROWID;
INSERT INTO search_pending SELECT organization_id, '', contact_id FROM contact_search_pending;
DROP TRIGGER contacts_enter_the_search;
DROP TRIGGER contacts_change_in_the_search;
DROP TRIGGER contacts_leave_the_search;
DROP TABLE contact_search_pending;
ALTER TABLE search_pending RENAME TO contact_search_pending;
ALTER TABLE contact_search_entries RENAME COLUMN contact_id TO id;

CREATE TRIGGER contacts_enter_the_search AFTER INSERT ON contacts
BEGIN
  INSERT INTO contact_search_pending VALUES (new.organization_id, '', new.id) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER contacts_change_in_the_search AFTER UPDATE OF search ON contacts WHEN old.search <> new.search
BEGIN
  INSERT INTO contact_search_pending VALUES (new.organization_id, '', new.id) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER contacts_leave_the_search AFTER DELETE ON contacts
BEGIN
  INSERT INTO contact_search_pending VALUES (old.organization_id, '', old.id) ON CONFLICT DO NOTHING;
END;

-- The program notes the campaign contacts that do not follow a change of their contact.
CREATE TRIGGER campaign_contacts_change_in_the_search AFTER UPDATE OF name, phone, email, contact_id ON campaign_contacts
WHEN old.name IS NOT new.name OR old.phone <> new.phone OR old.email IS NOT new.email OR old.contact_id IS NOT new.contact_id
BEGIN
  INSERT INTO contact_search_pending SELECT organization_id, id, new.id FROM campaigns WHERE id = new.campaign_id
  ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER campaign_contacts_leave_the_search AFTER DELETE ON campaign_contacts
WHEN EXISTS (SELECT 1 FROM contact_search_entries WHERE id = old.id)
BEGIN
  INSERT INTO contact_search_pending SELECT organization_id, id, old.id FROM campaigns WHERE id = old.campaign_id
  ON CONFLICT DO NOTHING;
END;
INSERT INTO contact_search_pending
SELECT campaign.organization_id, cc.campaign_id, cc.id
FROM campaign_contacts cc JOIN campaigns campaign ON campaign.id = cc.campaign_id LEFT JOIN contacts contact ON contact.id = cc.contact_id
WHERE cc.phone IS NOT contact.phone OR cc.email IS NOT contact.email
  OR coalesce(cc.name, '') <> concat_ws(' ', nullif(contact.first_name, ''), nullif(contact.last_name, ''));
`,
  },
  {
    id: 41,
    name: 'source_counts',
    sha256: 'fbae8237960daef1367bd19dbe9535fc926009245cc95f6cc1dedbe2d70a9a68',
    sql: `-- Counts of a knowledge base's sources and of a crawl's pages, kept by triggers. A base may have a hundred thousand sources, and a crawl
-- thousands of pages: an answer about a base reads these numbers instead of counting.

CREATE TABLE knowledge_source_counts (
  knowledge_base_id TEXT NOT NULL REFERENCES knowledge_bases (id) ON DELETE CASCADE,
  type TEXT NOT NULL,
  status TEXT NOT NULL,
  -- Sources that are not removed.
  sources INTEGER NOT NULL CHECK (sources >= 0),
  PRIMARY KEY (knowledge_base_id, type, status)
) STRICT, WITHOUT ROWID;
INSERT INTO knowledge_source_counts
SELECT knowledge_base_id, type, status, count(*) FROM knowledge_sources WHERE removed_at IS NULL GROUP BY 1, 2, 3;

CREATE TRIGGER knowledge_sources_are_counted AFTER INSERT ON knowledge_sources WHEN new.removed_at IS NULL
BEGIN
  INSERT INTO knowledge_source_counts VALUES (new.knowledge_base_id, new.type, new.status, 1)
  ON CONFLICT DO UPDATE SET sources = sources + 1;
END;
CREATE TRIGGER knowledge_sources_change_their_count AFTER UPDATE OF status, removed_at ON knowledge_sources
WHEN old.status <> new.status OR (old.removed_at IS NULL) <> (new.removed_at IS NULL)
BEGIN
  UPDATE knowledge_source_counts SET sources = sources - 1
  WHERE knowledge_base_id = old.knowledge_base_id AND type = old.type AND status = old.status AND old.removed_at IS NULL;
  INSERT INTO knowledge_source_counts SELECT new.knowledge_base_id, new.type, new.status, 1 WHERE new.removed_at IS NULL
  ON CONFLICT DO UPDATE SET sources = sources + 1;
END;
CREATE TRIGGER knowledge_sources_leave_the_count AFTER DELETE ON knowledge_sources WHEN old.removed_at IS NULL
BEGIN
  UPDATE knowledge_source_counts SET sources = sources - 1
  WHERE knowledge_base_id = old.knowledge_base_id AND type = old.type AND status = old.status;
END;

-- Lists of sources: all of a base, or those with a status, a type or both. Bases with failed sources are found by their counts.
CREATE INDEX knowledge_sources_present ON knowledge_sources (knowledge_base_id, id) WHERE removed_at IS NULL;
CREATE INDEX knowledge_sources_by_status ON knowledge_sources (knowledge_base_id, type, status, id) WHERE removed_at IS NULL;
DROP INDEX knowledge_sources_sites;
DROP INDEX knowledge_sources_failed;

-- Pages of the crawl with a document, kept pages, pages to request later, requested pages, requested robots.txt files and sitemaps, and
-- sitemaps.
ALTER TABLE knowledge_crawls ADD COLUMN pages_found INTEGER NOT NULL DEFAULT 0 CHECK (pages_found >= 0);
ALTER TABLE knowledge_crawls ADD COLUMN pages_kept INTEGER NOT NULL DEFAULT 0 CHECK (pages_kept >= 0);
ALTER TABLE knowledge_crawls ADD COLUMN pages_new INTEGER NOT NULL DEFAULT 0 CHECK (pages_new >= 0);
ALTER TABLE knowledge_crawls ADD COLUMN pages_requested INTEGER NOT NULL DEFAULT 0 CHECK (pages_requested >= 0);
ALTER TABLE knowledge_crawls ADD COLUMN files_requested INTEGER NOT NULL DEFAULT 0 CHECK (files_requested >= 0);
ALTER TABLE knowledge_crawls ADD COLUMN sitemaps INTEGER NOT NULL DEFAULT 0 CHECK (sitemaps >= 0);
UPDATE knowledge_crawls SET pages_found = counted.found, pages_kept = counted.kept, pages_new = counted.new,
  pages_requested = counted.pages_requested, files_requested = counted.files_requested, sitemaps = counted.sitemaps
FROM (
  SELECT source_id, count(document_id) AS found, count(*) FILTER (WHERE state = 'kept') AS kept,
    count(*) FILTER (WHERE kind = 'page' AND state = 'found') AS new,
    count(*) FILTER (WHERE kind = 'page' AND state IN ('blocked', 'asking')) AS pages_requested,
    count(*) FILTER (WHERE kind <> 'page' AND state IN ('blocked', 'asking')) AS files_requested,
    count(*) FILTER (WHERE kind = 'sitemap') AS sitemaps
  FROM knowledge_pages GROUP BY source_id
) AS counted
WHERE counted.source_id = knowledge_crawls.source_id;

CREATE TRIGGER knowledge_pages_are_counted AFTER INSERT ON knowledge_pages
BEGIN
  UPDATE knowledge_crawls SET
    pages_found = pages_found + (new.document_id IS NOT NULL),
    pages_kept = pages_kept + (new.state = 'kept'),
    pages_new = pages_new + (new.kind = 'page' AND new.state = 'found'),
    pages_requested = pages_requested + (new.kind = 'page' AND new.state IN ('blocked', 'asking')),
    files_requested = files_requested + (new.kind <> 'page' AND new.state IN ('blocked', 'asking')),
    sitemaps = sitemaps + (new.kind = 'sitemap')
  WHERE source_id = new.source_id;
END;
CREATE TRIGGER knowledge_pages_change_their_count AFTER UPDATE OF state, document_id ON knowledge_pages
WHEN old.state <> new.state OR (old.document_id IS NULL) <> (new.document_id IS NULL)
BEGIN
  UPDATE knowledge_crawls SET
    pages_found = pages_found + (new.document_id IS NOT NULL) - (old.document_id IS NOT NULL),
    pages_kept = pages_kept + (new.state = 'kept') - (old.state = 'kept'),
    pages_new = pages_new + (new.kind = 'page') * ((new.state = 'found') - (old.state = 'found')),
    pages_requested = pages_requested
      + (new.kind = 'page') * ((new.state IN ('blocked', 'asking')) - (old.state IN ('blocked', 'asking'))),
    files_requested = files_requested
      + (new.kind <> 'page') * ((new.state IN ('blocked', 'asking')) - (old.state IN ('blocked', 'asking')))
  WHERE source_id = new.source_id;
END;
CREATE TRIGGER knowledge_pages_leave_the_count AFTER DELETE ON knowledge_pages
BEGIN
  UPDATE knowledge_crawls SET
    pages_found = pages_found - (old.document_id IS NOT NULL),
    pages_kept = pages_kept - (old.state = 'kept'),
    pages_new = pages_new - (old.kind = 'page' AND old.state = 'found'),
    pages_requested = pages_requested - (old.kind = 'page' AND old.state IN ('blocked', 'asking')),
    files_requested = files_requested - (old.kind <> 'page' AND old.state IN ('blocked', 'asking')),
    sitemaps = sitemaps - (old.kind = 'sitemap')
  WHERE source_id = old.source_id;
END;
`,
  },
  {
    id: 42,
    name: 'unattempted_contacts',
    sha256: 'c4ed862dd0a98c23758bc8bb2609a41258239de61c0adecf663189933e4047a7',
    sql: `-- Lists campaign contacts that ended without an attempt after those that were called. A call never changes this index.
CREATE INDEX campaign_contacts_unattempted ON campaign_contacts (campaign_id, status, position)
  WHERE last_attempted_at IS NULL AND status <> 'pending';
`,
  },
  {
    id: 43,
    name: 'crawl_frontier',
    sha256: '0c3c56f2a305bdc3969639c17dd742bae549214f0ee29d72a8b8d7f6a178f69e',
    sql: `-- A crawl reads its next pages, its start page and known URLs by index: it looks for them after each page, and may have thousands.
DROP INDEX knowledge_pages_by_state;
CREATE INDEX knowledge_pages_by_state ON knowledge_pages (source_id, state, kind, depth, id);
CREATE INDEX knowledge_pages_start ON knowledge_pages (source_id) WHERE is_start = 1;
-- Whether a host of the crawl has a crawl delay; the rules may be half a megabyte.
ALTER TABLE knowledge_robots ADD COLUMN delay_ms INTEGER NOT NULL DEFAULT 0 CHECK (delay_ms >= 0);
UPDATE knowledge_robots SET delay_ms = coalesce(json_extract(rules, '$.delayMs'), 0);
`,
  },
  {
    id: 44,
    name: 'campaign_contacts_of_a_call',
    sha256: 'ff15a9c426d659377a67ef637a70c330be7bfe6272d6224272fa3ce991944e2d',
    sql: `-- A call moves its campaign contact from pending to in progress and then to its outcome. An index that begins with the campaign has pages
-- of its own for each campaign, and the write-ahead log takes a whole page for each entry that a call adds or removes. So contacts in
-- progress, which are few, have an index of their own whose pages campaigns share, and a pending contact has one entry instead of three.
DROP INDEX campaign_contacts_by_status;
DROP INDEX campaign_contacts_retries;
DROP INDEX campaign_contacts_first;
DROP INDEX campaign_contacts_next_retry;
DROP INDEX campaign_contacts_next_first;

-- The dialer's queues, one for each time zone: first attempts (without \`next_retry_at\`) in the order of adding, retries by their due time.
CREATE INDEX campaign_contacts_pending ON campaign_contacts (campaign_id, timezone, next_retry_at, position) WHERE status = 'pending';
-- The same over all time zones but '', because a look-up in each of hundreds of open zones would cost a tick a millisecond.
CREATE INDEX campaign_contacts_pending_zoned ON campaign_contacts (campaign_id, next_retry_at, position)
  WHERE status = 'pending' AND timezone <> '';
CREATE INDEX campaign_contacts_retries ON campaign_contacts (campaign_id, position)
  WHERE status = 'pending' AND next_retry_at IS NOT NULL;
CREATE INDEX campaign_contacts_in_progress ON campaign_contacts (campaign_id, position) WHERE status = 'in_progress';
CREATE INDEX campaign_contacts_ended ON campaign_contacts (campaign_id, status, position)
  WHERE status NOT IN ('pending', 'in_progress');
`,
  },
  {
    id: 45,
    name: 'short_bodies_of_events',
    sha256: '8372281ef7990548c166de4ecd3a830138e990351129f159ebc3f32f10e813b8',
    sql: `-- What was said in a call is stored with the call, and was stored again in the body of its event. Now bodies are shortened
-- (src/features/webhooks/stored-body.ts): one that begins with char(2) has char(3) in place of the transcripts. Events outlive calls whose
-- retention ends first, so the transcripts then move into the body, which begins with char(1) from then on.
CREATE TRIGGER deleted_calls_leave_transcripts BEFORE DELETE ON calls WHEN old.state = 'ended'
BEGIN
  UPDATE webhook_events SET body = char(1) || substr(replace(body, char(3), old.transcripts), 2)
  WHERE id = old.id AND unicode(body) = 2;
END;
CREATE TRIGGER changed_calls_leave_transcripts BEFORE UPDATE OF transcripts ON calls
WHEN old.state = 'ended' AND old.transcripts <> new.transcripts
BEGIN
  UPDATE webhook_events SET body = char(1) || substr(replace(body, char(3), old.transcripts), 2)
  WHERE id = old.id AND unicode(body) = 2;
END;
`,
  },
  {
    id: 46,
    name: 'fewer_pages_a_call',
    sha256: 'd2a273c9094110e0334672e5c77f1fe2d202a17e8dcd7297e894d40332734d2e',
    sql: `-- The same list as before, read backwards. With the newest attempt first, each one came before the others of its campaign, and SQLite left
-- the pages of the index half empty.
DROP INDEX campaign_contacts_attempted;
CREATE INDEX campaign_contacts_attempted ON campaign_contacts (campaign_id, last_attempted_at, position DESC)
  WHERE last_attempted_at IS NOT NULL;

-- One trigger counts an ended call: the first a call without a campaign, the second a call of a campaign, which changes four counts.
DROP TRIGGER ended_calls_are_counted;
CREATE TRIGGER ended_calls_are_counted AFTER UPDATE OF status ON calls
WHEN old.status IS NULL AND new.status IS NOT NULL AND new.campaign_id IS NULL
BEGIN
  INSERT INTO call_counts VALUES
    (new.organization_id, '', '', new.status, 1), (new.organization_id, new.agent_id, '', new.status, 1)
  ON CONFLICT DO UPDATE SET calls = calls + 1;
END;
DROP TRIGGER ended_calls_of_campaigns_are_counted;
CREATE TRIGGER ended_calls_of_campaigns_are_counted AFTER UPDATE OF status ON calls
WHEN old.status IS NULL AND new.status IS NOT NULL AND new.campaign_id IS NOT NULL
BEGIN
  INSERT INTO call_counts VALUES
    (new.organization_id, '', '', new.status, 1), (new.organization_id, new.agent_id, '', new.status, 1),
    (new.organization_id, '', new.campaign_id, new.status, 1), (new.organization_id, new.agent_id, new.campaign_id, new.status, 1)
  ON CONFLICT DO UPDATE SET calls = calls + 1;
END;
`,
  },
  {
    id: 47,
    name: 'one_index_of_live_calls',
    sha256: 'c8a5827041f29fc165070c1004e8319139180f9c75452df73fa9117fe5e0d011',
    sql: `-- One index of live calls instead of two, which each call enters when it is created and leaves when it ends. The live calls of a carrier are
-- found among those of all carriers: there are as many as all carriers together have lines.
DROP INDEX calls_live_of_driver;
DROP INDEX calls_live;
CREATE INDEX calls_live ON calls (organization_id, status, id, agent_id, campaign_id, driver) WHERE status IS NULL;
`,
  },
  {
    id: 48,
    name: 'recent_calls',
    sha256: '7199a73b1c6eebeed90f463e5059919f7457b596ff1383d2475f4479dafe1997',
    sql: `-- Calls that end together seldom have campaign, agent and status in common, so entering a call in five indexes when it ends changes five
-- pages. Instead it enters the index of its organization's recent calls alone, and a job files hundreds of them together into the five
-- (src/features/calls/filing.ts). An ended call is either recent or filed, so lists read both kinds. Calls that ended before this migration
-- are filed.
ALTER TABLE calls ADD COLUMN recent INTEGER NOT NULL DEFAULT 0 CHECK (recent = 0 OR state = 'ended');
CREATE INDEX calls_recent ON calls (organization_id, id, status, agent_id, campaign_id) WHERE recent = 1;

DROP INDEX calls_by_status;
DROP INDEX calls_of_agent;
DROP INDEX calls_of_campaign;
DROP INDEX calls_of_campaign_by_start;
DROP INDEX calls_of_campaign_by_end;
CREATE INDEX calls_by_status ON calls (organization_id, status, id) WHERE status IS NOT NULL AND recent = 0;
CREATE INDEX calls_of_agent ON calls (agent_id, status, id) WHERE status IS NOT NULL AND recent = 0;
CREATE INDEX calls_of_campaign ON calls (campaign_id, status, id, agent_id)
  WHERE campaign_id IS NOT NULL AND status IS NOT NULL AND recent = 0;
CREATE INDEX calls_of_campaign_by_start ON calls (campaign_id, started_at, answered_at)
  WHERE campaign_id IS NOT NULL AND state = 'ended' AND recent = 0;
CREATE INDEX calls_of_campaign_by_end ON calls (campaign_id, ended_at, status)
  WHERE campaign_id IS NOT NULL AND state = 'ended' AND recent = 0;

-- No query reads this index.
DROP INDEX outbox_external;
`,
  },
  {
    id: 49,
    name: 'recent_rows',
    sha256: '9b0f5aefe36392f32df96a430cab264f1cfc764ea6b8dd2e31ee683790a245ea',
    sql: `-- A live call entered one index and left it at its end for another, on a page of its own each time, because calls end in another order than
-- they start. Now a call enters the index of recent calls when it is created, with the newest, and leaves it when it is filed. No index
-- changes when a call ends. A call now enters the index of calls by contact only when it is filed. At the same time its campaign contact
-- enters the indexes of ended and of attempted campaign contacts. Until then lists find both through the index of recent calls.
DROP INDEX calls_recent;
DROP INDEX calls_by_status;
DROP INDEX calls_of_agent;
DROP INDEX calls_of_campaign;
DROP INDEX calls_of_campaign_by_start;
DROP INDEX calls_of_campaign_by_end;
DROP INDEX calls_of_contact;
ALTER TABLE calls DROP COLUMN recent;
-- 1: live, or ended and not filed yet. Calls that ended before this migration are filed.
ALTER TABLE calls ADD COLUMN recent INTEGER NOT NULL DEFAULT 0 CHECK (recent IN (0, 1));
UPDATE calls SET recent = 1 WHERE status IS NULL;
DROP INDEX calls_live;
CREATE INDEX calls_recent ON calls (organization_id, id, campaign_id, agent_id, contact_id, campaign_contact_id) WHERE recent = 1;
CREATE INDEX calls_by_status ON calls (organization_id, status, id) WHERE status IS NOT NULL AND recent = 0;
CREATE INDEX calls_of_agent ON calls (agent_id, status, id) WHERE status IS NOT NULL AND recent = 0;
CREATE INDEX calls_of_contact ON calls (contact_id, id) WHERE contact_id IS NOT NULL AND status IS NOT NULL AND recent = 0;
CREATE INDEX calls_of_campaign ON calls (campaign_id, status, id, agent_id)
  WHERE campaign_id IS NOT NULL AND status IS NOT NULL AND recent = 0;
CREATE INDEX calls_of_campaign_by_start ON calls (campaign_id, started_at, answered_at)
  WHERE campaign_id IS NOT NULL AND state = 'ended' AND recent = 0;
CREATE INDEX calls_of_campaign_by_end ON calls (campaign_id, ended_at, status)
  WHERE campaign_id IS NOT NULL AND state = 'ended' AND recent = 0;

-- How many live calls an organization has with each carrier driver ('' if the call names none).
CREATE TABLE live_call_counts (
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  driver TEXT NOT NULL,
  calls INTEGER NOT NULL CHECK (calls >= 0),
  PRIMARY KEY (organization_id, driver)
) STRICT, WITHOUT ROWID;
CREATE INDEX live_call_counts_of_driver ON live_call_counts (driver) WHERE calls > 0;
INSERT INTO live_call_counts
  SELECT organization_id, coalesce(driver, ''), count(*) FROM calls INDEXED BY calls_recent WHERE recent = 1 GROUP BY 1, 2;
CREATE TRIGGER live_calls_are_counted AFTER INSERT ON calls WHEN new.status IS NULL
BEGIN
  SELECT raise(ABORT, 'a live call must be recent') WHERE new.recent = 0;
  INSERT INTO live_call_counts VALUES (new.organization_id, coalesce(new.driver, ''), 1) ON CONFLICT DO UPDATE SET calls = calls + 1;
END;
CREATE TRIGGER ended_calls_leave_the_live_ones AFTER UPDATE OF status ON calls WHEN old.status IS NULL AND new.status IS NOT NULL
BEGIN
  UPDATE live_call_counts SET calls = calls - 1 WHERE organization_id = old.organization_id AND driver = coalesce(old.driver, '');
END;
CREATE TRIGGER deleted_calls_leave_the_live_ones AFTER DELETE ON calls WHEN old.status IS NULL
BEGIN
  UPDATE live_call_counts SET calls = calls - 1 WHERE organization_id = old.organization_id AND driver = coalesce(old.driver, '');
END;

-- 1 from the start of an attempt until its call is filed: meanwhile lists find the contact through that call.
ALTER TABLE campaign_contacts ADD COLUMN recent INTEGER NOT NULL DEFAULT 0 CHECK (recent IN (0, 1));
UPDATE campaign_contacts SET recent = 1 WHERE id IN (
  SELECT cc.id FROM campaigns c CROSS JOIN campaign_contacts cc ON cc.campaign_id = c.id WHERE cc.status = 'in_progress'
);
DROP INDEX campaign_contacts_in_progress;
DROP INDEX campaign_contacts_ended;
DROP INDEX campaign_contacts_attempted;
CREATE INDEX campaign_contacts_ended ON campaign_contacts (campaign_id, status, position)
  WHERE status NOT IN ('pending', 'in_progress') AND recent = 0;
CREATE INDEX campaign_contacts_attempted ON campaign_contacts (campaign_id, last_attempted_at, position DESC)
  WHERE last_attempted_at IS NOT NULL AND recent = 0;
-- A contact that is being called again meanwhile is filed with its next call.
CREATE TRIGGER filed_calls_file_their_campaign_contact AFTER UPDATE OF recent ON calls WHEN old.recent = 1 AND new.recent = 0
BEGIN
  SELECT raise(ABORT, 'a live call must be recent') WHERE new.status IS NULL;
  UPDATE campaign_contacts SET recent = 0 WHERE id = new.campaign_contact_id AND recent = 1 AND status <> 'in_progress';
END;
CREATE TRIGGER deleted_calls_file_their_campaign_contact AFTER DELETE ON calls
WHEN old.recent = 1 AND old.campaign_contact_id IS NOT NULL
BEGIN
  UPDATE campaign_contacts SET recent = 0 WHERE id = old.campaign_contact_id AND recent = 1 AND status <> 'in_progress';
END;
`,
  },
];
