// Written by .build/generate-sql.ts from sql/sqlite; change the migrations and run `npm run generate`.

/** Creates the database as all migrations do, in a tenth of their time. */
export const newestSchema = `
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
CREATE TABLE llm_models (
  id TEXT PRIMARY KEY,
  llm_model TEXT NOT NULL UNIQUE,
  description TEXT NOT NULL,
  price REAL NOT NULL CHECK (price >= 0),
  is_active INTEGER NOT NULL,
  position INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
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
  webhook_events TEXT NOT NULL DEFAULT '["call.completed"]',
  total_calls INTEGER NOT NULL DEFAULT 0,
  completed_calls INTEGER NOT NULL DEFAULT 0,
  failed_calls INTEGER NOT NULL DEFAULT 0,
  no_answer_calls INTEGER NOT NULL DEFAULT 0,
  busy_calls INTEGER NOT NULL DEFAULT 0,
  voicemail_calls INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
, silence_timeout_ms INTEGER NOT NULL DEFAULT 30000, transfer_phone TEXT, removed_at INTEGER) STRICT, WITHOUT ROWID;
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
, removed_at INTEGER, note_count INTEGER NOT NULL DEFAULT 0 CHECK (note_count >= 0)) STRICT, WITHOUT ROWID;
CREATE TABLE contact_notes (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  contact_id TEXT NOT NULL REFERENCES contacts (id) ON DELETE CASCADE,
  content TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE do_not_call (
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  phone TEXT NOT NULL,
  reason TEXT,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (organization_id, phone)
) STRICT, WITHOUT ROWID;
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
, carrier TEXT CHECK (carrier IN ('sip', 'http')), dial_format TEXT NOT NULL DEFAULT 'e164' CHECK (dial_format IN ('e164', 'digits')), inbound_agent_id TEXT REFERENCES agents (id) ON DELETE SET NULL) STRICT, WITHOUT ROWID;
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
  updated_at INTEGER NOT NULL, removed_at INTEGER, turn_at INTEGER, busy INTEGER NOT NULL DEFAULT 0 CHECK (busy >= 0), voicemail INTEGER NOT NULL DEFAULT 0 CHECK (voicemail >= 0), cancelled INTEGER NOT NULL DEFAULT 0 CHECK (cancelled >= 0), expired INTEGER NOT NULL DEFAULT 0 CHECK (expired >= 0),
  CHECK (total = contacted + failed + no_answer + pending + in_progress),
  CHECK (successful <= contacted)
) STRICT, WITHOUT ROWID;
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
  call_session_id TEXT, unreachable_count INTEGER NOT NULL DEFAULT 0, unreachable_resumptions INTEGER, recent INTEGER NOT NULL DEFAULT 0 CHECK (recent IN (0, 1)),
  UNIQUE (campaign_id, phone),
  UNIQUE (campaign_id, position)
) STRICT, WITHOUT ROWID;
CREATE TABLE campaign_zones (
  campaign_id TEXT NOT NULL REFERENCES campaigns (id) ON DELETE CASCADE,
  timezone TEXT NOT NULL,
  pending INTEGER NOT NULL CHECK (pending >= 0),
  PRIMARY KEY (campaign_id, timezone)
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
  removed_at INTEGER, position INTEGER NOT NULL DEFAULT 0 CHECK (position >= 0), sweep TEXT CHECK (sweep IN ('hold', 'release', 'cancel')), sweeps INTEGER NOT NULL DEFAULT 0, failures INTEGER NOT NULL DEFAULT 0 CHECK (failures >= 0),
  CHECK ((status = 'failing') = (failing_since IS NOT NULL))
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
  settled_at INTEGER, swept INTEGER NOT NULL DEFAULT 0,
  CHECK ((settled_at IS NOT NULL) = (status IN ('delivered', 'exhausted', 'cancelled')))
) STRICT, WITHOUT ROWID;
CREATE TABLE webhook_attempts (
  delivery_id TEXT NOT NULL REFERENCES webhook_deliveries (id) ON DELETE CASCADE,
  number INTEGER NOT NULL,
  at INTEGER NOT NULL,
  duration_ms INTEGER NOT NULL,
  status_code INTEGER,
  error TEXT,
  response_body TEXT, request_headers TEXT, response_headers TEXT,
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
, read_at INTEGER) STRICT, WITHOUT ROWID;
CREATE TABLE outbox (
  id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,
  key TEXT NOT NULL,
  lane TEXT,
  due_at INTEGER NOT NULL,
  payload TEXT NOT NULL,
  attempt INTEGER NOT NULL DEFAULT 0,
  lease_until INTEGER,
  last_error TEXT, starts INTEGER NOT NULL DEFAULT 0, scope TEXT NOT NULL DEFAULT 'installation', exclusive TEXT,
  UNIQUE (kind, key)
) STRICT;
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
CREATE TABLE users (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  -- Lower case. Login identifies a user by e-mail alone, so it is unique across organizations.
  email TEXT NOT NULL UNIQUE,
  role TEXT NOT NULL CHECK (role IN ('admin', 'member', 'viewer')),
  password_hash TEXT,
  created_at INTEGER NOT NULL,
  last_login_at INTEGER
) STRICT, WITHOUT ROWID;
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
  removed_at INTEGER) STRICT;
CREATE TABLE knowledge_file_pieces (
  document_id TEXT NOT NULL,
  position INTEGER NOT NULL,
  bytes BLOB NOT NULL,
  PRIMARY KEY (document_id, position)
) STRICT, WITHOUT ROWID;
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
, pages_found INTEGER NOT NULL DEFAULT 0 CHECK (pages_found >= 0), pages_kept INTEGER NOT NULL DEFAULT 0 CHECK (pages_kept >= 0), pages_new INTEGER NOT NULL DEFAULT 0 CHECK (pages_new >= 0), pages_requested INTEGER NOT NULL DEFAULT 0 CHECK (pages_requested >= 0), files_requested INTEGER NOT NULL DEFAULT 0 CHECK (files_requested >= 0), sitemaps INTEGER NOT NULL DEFAULT 0 CHECK (sitemaps >= 0)) STRICT, WITHOUT ROWID;
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
CREATE TABLE knowledge_robots (
  source_id TEXT NOT NULL REFERENCES knowledge_sources (id) ON DELETE CASCADE,
  origin TEXT NOT NULL,
  rules TEXT,
  reason TEXT, delay_ms INTEGER NOT NULL DEFAULT 0 CHECK (delay_ms >= 0),
  PRIMARY KEY (source_id, origin)
) STRICT, WITHOUT ROWID;
CREATE TABLE knowledge_hosts (
  host TEXT PRIMARY KEY,
  next_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE retrieval_bases (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  knowledge_base_id TEXT NOT NULL UNIQUE,
  -- Number of passages, and of words in all of them; the triggers below keep both up to date.
  passages INTEGER NOT NULL DEFAULT 0,
  words INTEGER NOT NULL DEFAULT 0
, vectors_added INTEGER NOT NULL DEFAULT 0, pending INTEGER NOT NULL DEFAULT 0) STRICT;
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
CREATE VIRTUAL TABLE retrieval_words USING fts5(
  salient, plain,
  content = '', contentless_delete = 1, detail = column, tokenize = "ascii tokenchars '_.'"
);
CREATE TABLE retrieval_vocabulary (
  id INTEGER PRIMARY KEY,
  base_id INTEGER NOT NULL REFERENCES retrieval_bases (id),
  word TEXT NOT NULL,
  UNIQUE (base_id, word)
) STRICT;
CREATE VIRTUAL TABLE retrieval_trigrams USING fts5(
  trigrams,
  content = '', contentless_delete = 1, detail = none, tokenize = "ascii tokenchars '_.^$'"
);
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
CREATE TABLE retrieval_embeddings (
  id INTEGER PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  space_id INTEGER NOT NULL REFERENCES retrieval_spaces (id),
  content_hash TEXT NOT NULL,
  -- Unit-length vector of little-endian 32-bit floats.
  vector BLOB NOT NULL,
  UNIQUE (organization_id, space_id, content_hash)
) STRICT;
CREATE TABLE retrieval_vectors (
  base_id INTEGER NOT NULL,
  space_id INTEGER NOT NULL REFERENCES retrieval_spaces (id),
  passage_id INTEGER NOT NULL,
  embedding_id INTEGER NOT NULL REFERENCES retrieval_embeddings (id),
  signs BLOB NOT NULL, centre_id INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (base_id, passage_id, space_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE retrieval_unembedded (
  base_id INTEGER NOT NULL,
  passage_id INTEGER NOT NULL, due_at INTEGER NOT NULL DEFAULT 0, refusals INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (base_id, passage_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE "webhook_events" (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  agent_id TEXT NOT NULL,
  event TEXT NOT NULL,
  body TEXT NOT NULL,
  created_at INTEGER NOT NULL
, subject TEXT) STRICT;
CREATE TABLE "calls" (
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
, handed_over_at INTEGER, turn_at INTEGER, driver TEXT, direction TEXT NOT NULL DEFAULT 'outbound' CHECK (direction IN ('outbound', 'inbound')), sip TEXT, recent INTEGER NOT NULL DEFAULT 0 CHECK (recent IN (0, 1))) STRICT;
CREATE TABLE "webhook_secrets" (
  agent_id TEXT PRIMARY KEY,
  secret_sealed TEXT NOT NULL,
  previous_secret_sealed TEXT,
  previous_expires_at INTEGER,
  CHECK ((previous_secret_sealed IS NULL) = (previous_expires_at IS NULL))
) STRICT, WITHOUT ROWID;
CREATE TABLE knowledge_texts (
  document_id TEXT PRIMARY KEY REFERENCES knowledge_documents (id) ON DELETE CASCADE,
  text TEXT NOT NULL
) STRICT;
CREATE TABLE "idempotency_keys" (
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
CREATE TABLE login_addresses (
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  -- An IPv4 address, or the /64 of an IPv6 address.
  address TEXT NOT NULL,
  last_login_at INTEGER NOT NULL,
  PRIMARY KEY (user_id, address)
) STRICT, WITHOUT ROWID;
CREATE TABLE "audit_log" (
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
, actor_name TEXT) STRICT, WITHOUT ROWID;
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
CREATE TABLE secrets_check (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  encrypted TEXT NOT NULL
) STRICT;
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
CREATE TABLE campaign_events (
  campaign_id TEXT NOT NULL REFERENCES campaigns (id),
  number INTEGER NOT NULL,
  at INTEGER NOT NULL,
  type TEXT NOT NULL,
  -- Null if parley itself acted.
  actor_kind TEXT,
  actor_id TEXT,
  -- JSON object; its keys depend on the type.
  detail TEXT NOT NULL, actor_name TEXT,
  PRIMARY KEY (campaign_id, number),
  CHECK (actor_id IS NULL OR actor_kind IS NOT NULL)
) STRICT, WITHOUT ROWID;
CREATE TABLE organization_counts (
  number INTEGER PRIMARY KEY,
  organization_id TEXT NOT NULL UNIQUE REFERENCES organizations (id),
  contacts INTEGER NOT NULL DEFAULT 0 CHECK (contacts >= 0),
  do_not_call INTEGER NOT NULL DEFAULT 0 CHECK (do_not_call >= 0),
  audit_entries INTEGER NOT NULL DEFAULT 0 CHECK (audit_entries >= 0)
, notices INTEGER NOT NULL DEFAULT 0 CHECK (notices >= 0)) STRICT;
CREATE TABLE call_counts (
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  agent_id TEXT NOT NULL,
  campaign_id TEXT NOT NULL,
  status TEXT NOT NULL,
  calls INTEGER NOT NULL CHECK (calls >= 0),
  PRIMARY KEY (organization_id, agent_id, campaign_id, status)
) STRICT, WITHOUT ROWID;
CREATE TABLE delivery_counts (
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  endpoint_id TEXT NOT NULL REFERENCES webhook_endpoints (id) ON DELETE CASCADE,
  total INTEGER NOT NULL DEFAULT 0,
  retrying INTEGER NOT NULL DEFAULT 0 CHECK (retrying >= 0),
  held INTEGER NOT NULL DEFAULT 0 CHECK (held >= 0),
  delivered INTEGER NOT NULL DEFAULT 0 CHECK (delivered >= 0),
  exhausted INTEGER NOT NULL DEFAULT 0 CHECK (exhausted >= 0),
  cancelled INTEGER NOT NULL DEFAULT 0 CHECK (cancelled >= 0), last_delivered_at INTEGER,
  PRIMARY KEY (organization_id, endpoint_id),
  CHECK (total >= retrying + held + delivered + exhausted + cancelled)
) STRICT, WITHOUT ROWID;
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
CREATE TABLE setup_links (
  token_hash TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  user_id TEXT REFERENCES users (id) ON DELETE CASCADE,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE contact_search_entries (
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE
) STRICT;
CREATE VIRTUAL TABLE contact_search_trigrams USING fts5(
  trigrams,
  content = '', contentless_delete = 1, detail = none, tokenize = "ascii tokenchars '.'"
);
CREATE TABLE last_backup (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  completed_at INTEGER,
  path TEXT,
  error TEXT
) STRICT;
CREATE TABLE knowledge_excerpts (
  document_id TEXT PRIMARY KEY REFERENCES knowledge_documents (id) ON DELETE CASCADE,
  excerpt TEXT NOT NULL
) STRICT;
CREATE TABLE call_timeline (
  call_id TEXT NOT NULL REFERENCES calls (id) ON DELETE CASCADE,
  number INTEGER NOT NULL,
  at INTEGER NOT NULL,
  type TEXT NOT NULL,
  detail TEXT,
  PRIMARY KEY (call_id, number)
) STRICT, WITHOUT ROWID;
CREATE TABLE "contact_search_pending" (
  organization_id TEXT NOT NULL,
  -- '' if \`id\` is a contact's, else it is a campaign contact's.
  campaign_id TEXT NOT NULL,
  id TEXT NOT NULL,
  PRIMARY KEY (organization_id, campaign_id, id)
) STRICT, WITHOUT ROWID;
CREATE TABLE knowledge_source_counts (
  knowledge_base_id TEXT NOT NULL REFERENCES knowledge_bases (id) ON DELETE CASCADE,
  type TEXT NOT NULL,
  status TEXT NOT NULL,
  -- Sources that are not removed.
  sources INTEGER NOT NULL CHECK (sources >= 0),
  PRIMARY KEY (knowledge_base_id, type, status)
) STRICT, WITHOUT ROWID;
CREATE TABLE live_call_counts (
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  driver TEXT NOT NULL,
  calls INTEGER NOT NULL CHECK (calls >= 0),
  PRIMARY KEY (organization_id, driver)
) STRICT, WITHOUT ROWID;
CREATE INDEX api_keys_of_organization ON api_keys (organization_id, id);
CREATE INDEX llm_models_in_order ON llm_models (position, id);
CREATE INDEX voices_of_model ON voices (llm_model_id, position);
CREATE INDEX agents_of_voice ON agents (voice_id);
CREATE INDEX agents_of_model ON agents (model);
CREATE INDEX contacts_of_organization ON contacts (organization_id, id);
CREATE INDEX contacts_search ON contacts (organization_id, id, search);
CREATE INDEX contacts_by_phone ON contacts (organization_id, phone, id) WHERE phone IS NOT NULL;
CREATE INDEX contact_notes_of_contact ON contact_notes (contact_id, id);
CREATE INDEX do_not_call_by_age ON do_not_call (organization_id, created_at, phone);
CREATE INDEX phone_numbers_of_organization ON phone_numbers (organization_id, id);
CREATE UNIQUE INDEX phone_numbers_active ON phone_numbers (phone) WHERE status = 'active';
CREATE INDEX phone_numbers_by_phone ON phone_numbers (organization_id, phone, id);
CREATE INDEX campaigns_of_agent ON campaigns (agent_id, execution_status);
CREATE INDEX campaigns_of_number ON campaigns (phone_number_id, execution_status);
CREATE INDEX campaign_contacts_of_contact ON campaign_contacts (contact_id) WHERE contact_id IS NOT NULL;
CREATE INDEX webhook_endpoints_of_organization ON webhook_endpoints (organization_id, id) WHERE removed_at IS NULL;
CREATE UNIQUE INDEX webhook_endpoints_live ON webhook_endpoints (agent_id, url) WHERE removed_at IS NULL;
CREATE INDEX webhook_endpoints_removed ON webhook_endpoints (removed_at) WHERE removed_at IS NOT NULL;
CREATE INDEX webhook_deliveries_of_organization ON webhook_deliveries (organization_id, id);
CREATE INDEX webhook_deliveries_of_endpoint ON webhook_deliveries (endpoint_id, id);
CREATE INDEX webhook_deliveries_of_event ON webhook_deliveries (event_id, id);
CREATE INDEX webhook_deliveries_settled ON webhook_deliveries (settled_at) WHERE settled_at IS NOT NULL;
CREATE INDEX notices_of_organization ON notices (organization_id, id);
CREATE INDEX outbox_leased ON outbox (lease_until) WHERE lease_until IS NOT NULL;
CREATE INDEX calendar_accounts_of_organization ON calendar_accounts (organization_id, id) WHERE status = 'active';
CREATE INDEX calendar_accounts_of_agent ON calendar_accounts (agent_id) WHERE agent_id IS NOT NULL;
CREATE UNIQUE INDEX calendar_accounts_keys ON calendar_accounts (organization_id, ifnull(agent_id, ''), key_digest)
WHERE status = 'active';
CREATE INDEX users_of_organization ON users (organization_id, id);
CREATE INDEX knowledge_bases_of_organization ON knowledge_bases (organization_id, id) WHERE removed_at IS NULL;
CREATE INDEX knowledge_sources_of_base ON knowledge_sources (knowledge_base_id, id);
CREATE UNIQUE INDEX knowledge_documents_by_doc_id ON knowledge_documents (organization_id, doc_id)
  WHERE removed_at IS NULL;
CREATE INDEX knowledge_documents_of_organization ON knowledge_documents (organization_id, id) WHERE removed_at IS NULL;
CREATE INDEX knowledge_documents_of_base ON knowledge_documents (knowledge_base_id, id);
CREATE INDEX knowledge_documents_of_source ON knowledge_documents (source_id, id);
CREATE INDEX knowledge_crawls_of_document ON knowledge_crawls (document_id) WHERE document_id IS NOT NULL;
CREATE INDEX knowledge_pages_by_canonical ON knowledge_pages (source_id, canonical) WHERE canonical IS NOT NULL;
CREATE INDEX knowledge_pages_of_document ON knowledge_pages (document_id) WHERE document_id IS NOT NULL;
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
CREATE TRIGGER retrieval_vocabulary_leaves_the_index AFTER DELETE ON retrieval_vocabulary
BEGIN
  DELETE FROM retrieval_trigrams WHERE rowid = old.id;
END;
CREATE INDEX retrieval_vectors_of_embedding ON retrieval_vectors (embedding_id);
CREATE UNIQUE INDEX calls_attempts ON calls (campaign_contact_id, attempt) WHERE campaign_contact_id IS NOT NULL;
CREATE INDEX calls_of_organization ON calls (organization_id, id);
CREATE INDEX contacts_not_to_call ON contacts (organization_id, phone) WHERE do_not_call = 1;
CREATE INDEX outbox_transactional ON outbox (scope, due_at, id) WHERE lane IS NULL;
CREATE INDEX outbox_lanes ON outbox (scope, lane, due_at, id) WHERE lane IS NOT NULL AND lease_until IS NULL;
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at);
CREATE INDEX audit_log_of_organization ON audit_log (organization_id, id);
CREATE INDEX audit_log_by_age ON audit_log (at);
CREATE TRIGGER audit_log_is_never_changed BEFORE UPDATE ON audit_log
BEGIN
  SELECT raise(ABORT, 'audit_log is append-only');
END;
CREATE INDEX carrier_pauses_of_organization ON carrier_pauses (organization_id);
CREATE INDEX carrier_pauses_open ON carrier_pauses (paused_at) WHERE paused_at IS NOT NULL;
CREATE INDEX retrieval_centres_of_base ON retrieval_centres (base_id, space_id, id);
CREATE TRIGGER retrieval_unembedded_are_counted AFTER INSERT ON retrieval_unembedded
BEGIN
  UPDATE retrieval_bases SET pending = pending + 1 WHERE id = new.base_id;
END;
CREATE TRIGGER retrieval_unembedded_leave_the_count AFTER DELETE ON retrieval_unembedded
BEGIN
  UPDATE retrieval_bases SET pending = pending - 1 WHERE id = old.base_id;
END;
CREATE INDEX retrieval_unembedded_due ON retrieval_unembedded (base_id, due_at, passage_id);
CREATE INDEX campaigns_of_organization ON campaigns (organization_id, id) WHERE removed_at IS NULL;
CREATE INDEX campaigns_by_status ON campaigns (organization_id, status, id) WHERE removed_at IS NULL;
CREATE INDEX campaigns_waiting ON campaigns (organization_id, phone_number_id, pace_at)
  WHERE waiting_for IN ('number', 'organization') AND turn_at IS NULL AND phone_number_id IS NOT NULL;
CREATE INDEX campaigns_with_turn ON campaigns (organization_id, phone_number_id, turn_at) WHERE turn_at IS NOT NULL;
CREATE INDEX webhook_endpoints_sweeping ON webhook_endpoints (organization_id) WHERE sweep IS NOT NULL;
CREATE INDEX webhook_deliveries_undelivered
  ON webhook_deliveries (organization_id, status, id, endpoint_id, swept, delivered_at) WHERE delivered_at IS NULL;
CREATE TRIGGER organizations_have_counts AFTER INSERT ON organizations
BEGIN
  INSERT INTO organization_counts (organization_id) VALUES (new.id);
END;
CREATE TRIGGER contacts_are_counted AFTER INSERT ON contacts
BEGIN
  UPDATE organization_counts SET contacts = contacts + 1 WHERE organization_id = new.organization_id;
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
CREATE INDEX delivery_counts_of_endpoint ON delivery_counts (endpoint_id);
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
CREATE TRIGGER webhook_deliveries_leave_the_count AFTER DELETE ON webhook_deliveries
BEGIN
  UPDATE delivery_counts SET total = total - 1, retrying = retrying - (old.status = 'retrying'), held = held - (old.status = 'held'),
    delivered = delivered - (old.status = 'delivered'), exhausted = exhausted - (old.status = 'exhausted'),
    cancelled = cancelled - (old.status = 'cancelled')
  WHERE organization_id = old.organization_id AND endpoint_id = old.endpoint_id;
END;
CREATE INDEX webhook_endpoints_of_agent ON webhook_endpoints (agent_id, id);
CREATE INDEX sessions_of_user ON sessions (user_id, id);
CREATE INDEX sessions_by_use ON sessions (last_used_at);
CREATE INDEX sessions_by_age ON sessions (created_at);
CREATE UNIQUE INDEX setup_links_of_user ON setup_links (user_id) WHERE user_id IS NOT NULL;
CREATE UNIQUE INDEX setup_links_of_organization ON setup_links (organization_id) WHERE user_id IS NULL;
CREATE INDEX setup_links_by_expiry ON setup_links (expires_at);
CREATE INDEX notices_unread ON notices (organization_id, id) WHERE read_at IS NULL;
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
CREATE TRIGGER knowledge_texts_have_excerpts AFTER INSERT ON knowledge_texts
BEGIN
  INSERT INTO knowledge_excerpts (document_id, excerpt) VALUES (new.document_id, substr(new.text, 1, 2000));
END;
CREATE TRIGGER knowledge_texts_change_their_excerpts AFTER UPDATE OF text ON knowledge_texts
BEGIN
  UPDATE knowledge_excerpts SET excerpt = substr(new.text, 1, 2000) WHERE document_id = new.document_id;
END;
CREATE INDEX phone_numbers_of_inbound_agent ON phone_numbers (inbound_agent_id) WHERE inbound_agent_id IS NOT NULL;
CREATE INDEX phone_numbers_by_carrier ON phone_numbers (carrier) WHERE carrier IS NOT NULL AND status = 'active';
CREATE TRIGGER contacts_leave_the_count AFTER DELETE ON contacts WHEN old.removed_at IS NULL
BEGIN
  UPDATE organization_counts SET contacts = contacts - 1 WHERE organization_id = old.organization_id;
END;
CREATE TRIGGER removed_contacts_leave_the_count AFTER UPDATE OF removed_at ON contacts
WHEN old.removed_at IS NULL AND new.removed_at IS NOT NULL
BEGIN
  UPDATE organization_counts SET contacts = contacts - 1 WHERE organization_id = new.organization_id;
END;
CREATE INDEX agents_of_organization ON agents (organization_id, id) WHERE removed_at IS NULL;
CREATE TRIGGER notices_are_counted AFTER INSERT ON notices
BEGIN
  UPDATE organization_counts SET notices = notices + 1 WHERE organization_id = new.organization_id;
END;
CREATE TRIGGER notices_leave_the_count AFTER DELETE ON notices
BEGIN
  UPDATE organization_counts SET notices = notices - 1 WHERE organization_id = old.organization_id;
END;
CREATE TRIGGER contact_notes_are_counted AFTER INSERT ON contact_notes
BEGIN
  UPDATE contacts SET note_count = note_count + 1 WHERE id = new.contact_id;
END;
CREATE TRIGGER contact_notes_leave_the_count AFTER DELETE ON contact_notes
BEGIN
  UPDATE contacts SET note_count = note_count - 1 WHERE id = old.contact_id;
END;
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
CREATE INDEX knowledge_sources_present ON knowledge_sources (knowledge_base_id, id) WHERE removed_at IS NULL;
CREATE INDEX knowledge_sources_by_status ON knowledge_sources (knowledge_base_id, type, status, id) WHERE removed_at IS NULL;
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
CREATE INDEX campaign_contacts_unattempted ON campaign_contacts (campaign_id, status, position)
  WHERE last_attempted_at IS NULL AND status <> 'pending';
CREATE INDEX knowledge_pages_by_state ON knowledge_pages (source_id, state, kind, depth, id);
CREATE INDEX knowledge_pages_start ON knowledge_pages (source_id) WHERE is_start = 1;
CREATE INDEX campaign_contacts_pending ON campaign_contacts (campaign_id, timezone, next_retry_at, position) WHERE status = 'pending';
CREATE INDEX campaign_contacts_pending_zoned ON campaign_contacts (campaign_id, next_retry_at, position)
  WHERE status = 'pending' AND timezone <> '';
CREATE INDEX campaign_contacts_retries ON campaign_contacts (campaign_id, position)
  WHERE status = 'pending' AND next_retry_at IS NOT NULL;
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
CREATE TRIGGER ended_calls_are_counted AFTER UPDATE OF status ON calls
WHEN old.status IS NULL AND new.status IS NOT NULL AND new.campaign_id IS NULL
BEGIN
  INSERT INTO call_counts VALUES
    (new.organization_id, '', '', new.status, 1), (new.organization_id, new.agent_id, '', new.status, 1)
  ON CONFLICT DO UPDATE SET calls = calls + 1;
END;
CREATE TRIGGER ended_calls_of_campaigns_are_counted AFTER UPDATE OF status ON calls
WHEN old.status IS NULL AND new.status IS NOT NULL AND new.campaign_id IS NOT NULL
BEGIN
  INSERT INTO call_counts VALUES
    (new.organization_id, '', '', new.status, 1), (new.organization_id, new.agent_id, '', new.status, 1),
    (new.organization_id, '', new.campaign_id, new.status, 1), (new.organization_id, new.agent_id, new.campaign_id, new.status, 1)
  ON CONFLICT DO UPDATE SET calls = calls + 1;
END;
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
CREATE INDEX live_call_counts_of_driver ON live_call_counts (driver) WHERE calls > 0;
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
CREATE INDEX campaign_contacts_ended ON campaign_contacts (campaign_id, status, position)
  WHERE status NOT IN ('pending', 'in_progress') AND recent = 0;
CREATE INDEX campaign_contacts_attempted ON campaign_contacts (campaign_id, last_attempted_at, position DESC)
  WHERE last_attempted_at IS NOT NULL AND recent = 0;
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
INSERT INTO retrieval_words (retrieval_words, rank) VALUES ('automerge', 0);
INSERT INTO retrieval_trigrams (retrieval_trigrams, rank) VALUES ('automerge', 0);
INSERT INTO contact_search_trigrams (contact_search_trigrams, rank) VALUES ('automerge', 0);
`;
