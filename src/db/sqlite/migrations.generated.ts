// Written by .build/generate-sql.ts from sql/sqlite; change those files and run `npm run generate`.
export type Migration = { id: number; name: string; sql: string; sha256: string };

export const migrations: readonly Migration[] = [
  {
    id: 1,
    name: 'baseline',
    sha256: 'a7600386857d2b5677a5e52227f4c19ec61d706b4863c6671e4065b92c9353d1',
    sql: `-- Times are INTEGER Unix milliseconds. Ids are UUIDv7, so ordering by id is ordering by creation time.
-- Every table with customer data has organization_id, and every list query has its index.
-- Where rows are removed in batches, removed_at hides a row at once, and a job deletes its data afterwards.
-- The triggers that keep counts are made from sql/counters.ts.

------------------------------------------------------------------------------------------------------------------------------------------
-- Installation
------------------------------------------------------------------------------------------------------------------------------------------

-- A known text encrypted with the installation's key, so that a start notices when it has another installation's secrets.json.
CREATE TABLE secrets_check (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  fingerprint TEXT NOT NULL, -- of the file, without anything secret
  encrypted TEXT NOT NULL
) STRICT;

-- The last backup: when it was complete and where it went. error says why a later attempt failed.
CREATE TABLE last_backup (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  completed_at INTEGER,
  path TEXT,
  error TEXT
) STRICT;

-- Where the installation was moved to: a server refuses to serve it from here. Belongs to this database alone.
CREATE TABLE moved_to (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  url TEXT NOT NULL,
  moved_at INTEGER NOT NULL
) STRICT;

-- Jobs to run after the commit that added them. A job without a lane runs in one transaction with its own removal (exactly once).
-- A job with a lane calls an external service (at least once); each lane has its own limit of concurrent jobs.
CREATE TABLE outbox (
  id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,
  key TEXT NOT NULL,
  -- The organization whose data the job changes, or a named scope. The job runner commits the work of one scope at a time and lets
  -- scopes take turns.
  scope TEXT NOT NULL DEFAULT 'installation',
  lane TEXT,
  -- Jobs of one lane with the same \`exclusive\` never run at the same time, such as webhooks about the same contact.
  exclusive TEXT,
  due_at INTEGER NOT NULL,
  payload TEXT NOT NULL,
  attempt INTEGER NOT NULL DEFAULT 0,
  -- How often the job was started after an earlier claim whose fate is unknown, to find jobs that crash the process. attempt cannot tell:
  -- it counts claims, and most claimed jobs only wait in memory for others of their lane.
  starts INTEGER NOT NULL DEFAULT 0,
  lease_until INTEGER,
  last_error TEXT,
  UNIQUE (kind, key)
) STRICT;
CREATE INDEX outbox_leased ON outbox (lease_until) WHERE lease_until IS NOT NULL;
CREATE INDEX outbox_transactional ON outbox (scope, due_at, id) WHERE lane IS NULL;
CREATE INDEX outbox_lanes ON outbox (scope, lane, due_at, id) WHERE lane IS NOT NULL AND lease_until IS NULL;

------------------------------------------------------------------------------------------------------------------------------------------
-- Organizations, people and keys
------------------------------------------------------------------------------------------------------------------------------------------

CREATE TABLE organizations (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  notification_emails TEXT NOT NULL DEFAULT '[]',
  in_flight INTEGER NOT NULL DEFAULT 0 CHECK (in_flight >= 0),
  pace_at REAL NOT NULL DEFAULT 0,
  -- IANA name; the zone in which days and hours of figures are told.
  timezone TEXT NOT NULL DEFAULT 'UTC',
  version INTEGER NOT NULL DEFAULT 1,
  -- Since when all calling is stopped, why and by whom (JSON of kind, id and name); null while calling goes on.
  stopped_at INTEGER,
  stopped_reason TEXT,
  stopped_by TEXT,
  created_at INTEGER NOT NULL,
  -- The organization's own limits of calls to one phone number, and hours that no campaign leaves, as JSON; null: only the server's.
  contact_limits TEXT,
  guard_hours TEXT,
  -- When somebody last followed the organization's events; null: never.
  events_followed_at INTEGER
) STRICT, WITHOUT ROWID;

-- One row per organization. \`number\` stands for the organization where its id would be too long.
CREATE TABLE organization_counts (
  number INTEGER PRIMARY KEY,
  organization_id TEXT NOT NULL UNIQUE REFERENCES organizations (id),
  contacts INTEGER NOT NULL DEFAULT 0 CHECK (contacts >= 0),
  do_not_call INTEGER NOT NULL DEFAULT 0 CHECK (do_not_call >= 0),
  audit_entries INTEGER NOT NULL DEFAULT 0 CHECK (audit_entries >= 0),
  notices INTEGER NOT NULL DEFAULT 0 CHECK (notices >= 0)
) STRICT;
CREATE TRIGGER organizations_have_counts AFTER INSERT ON organizations
BEGIN
  INSERT INTO organization_counts (organization_id) VALUES (new.id);
END;

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

CREATE TABLE users (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  -- Lower case. Login identifies a user by e-mail alone, so it is unique across organizations.
  email TEXT NOT NULL UNIQUE,
  role TEXT NOT NULL CHECK (role IN ('admin', 'member', 'viewer')),
  -- Null for an invited person until they use their link.
  password_hash TEXT,
  created_at INTEGER NOT NULL,
  last_login_at INTEGER,
  -- Since when the person may not log in; null: they may.
  disabled_at INTEGER,
  -- How often the person was disabled. Tokens name it, so that those from before stay dead.
  disabled_count INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;
CREATE INDEX users_of_organization ON users (organization_id, id);

-- Lists with their filters that people want to see again.
CREATE TABLE saved_views (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  -- Kind and id of the person or key that made it.
  owner TEXT NOT NULL,
  -- The person, whose views are deleted with them; NULL for a key's.
  user_id TEXT REFERENCES users (id) ON DELETE CASCADE,
  page TEXT NOT NULL,
  name TEXT NOT NULL,
  query TEXT NOT NULL,
  shared INTEGER NOT NULL DEFAULT 0,
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX saved_views_of_organization ON saved_views (organization_id, id);
CREATE INDEX saved_views_of_user ON saved_views (user_id) WHERE user_id IS NOT NULL;

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

-- Addresses that a person has logged in from: log-ins from them are not slowed down while someone else tries passwords. Failed log-ins are
-- counted in memory, because a flood of them must not write to the disk.
CREATE TABLE login_addresses (
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  -- An IPv4 address, or the /64 of an IPv6 address.
  address TEXT NOT NULL,
  last_login_at INTEGER NOT NULL,
  PRIMARY KEY (user_id, address)
) STRICT, WITHOUT ROWID;

------------------------------------------------------------------------------------------------------------------------------------------
-- Requests
------------------------------------------------------------------------------------------------------------------------------------------

-- Responses to requests with an Idempotency-Key, encrypted because they contain customer data.
CREATE TABLE idempotency_keys (
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  -- Identity, id and role of the caller: a stored answer belongs to the caller who got it, and to the role that the caller had.
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
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at);

-- Who changed what. A row is written in the transaction of the change, never updated, and deleted only when it is old.
CREATE TABLE audit_log (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  at INTEGER NOT NULL,
  -- No CHECK, because a new kind of actor would then have to rewrite the whole log.
  actor_kind TEXT NOT NULL,
  actor_id TEXT,
  -- The name that the actor had then: a person's e-mail address, an API key's name.
  actor_name TEXT,
  operation TEXT NOT NULL,
  -- JSON object with the ids of what changed, named as in the request's path or in the response.
  target TEXT NOT NULL,
  request_id TEXT,
  ip TEXT,
  -- What the operation did; NULL if it did nothing, such as a refused one.
  verb TEXT,
  -- The thing that the entry is about, and the name it had then. The name of a contact stands in audit_changes.
  target_kind TEXT,
  target_id TEXT,
  target_name TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX audit_log_of_organization ON audit_log (organization_id, id);
CREATE INDEX audit_log_of_target ON audit_log (target_id, id) WHERE target_id IS NOT NULL;
CREATE INDEX audit_log_by_age ON audit_log (at);
CREATE TRIGGER audit_log_is_never_changed BEFORE UPDATE ON audit_log
BEGIN
  SELECT raise(ABORT, 'audit_log is append-only');
END;

-- What a recorded request changed in an agent, campaign, contact, phone number or knowledge base. Not a column of the log, because the
-- changes of a contact are deleted with the contact.
CREATE TABLE audit_changes (
  audit_id TEXT PRIMARY KEY REFERENCES audit_log (id) ON DELETE CASCADE,
  target_id TEXT NOT NULL,
  -- The version that the request made; NULL if it changed only what versions do not count.
  version INTEGER,
  -- The name that a contact had then; NULL for other things.
  target_name TEXT,
  -- JSON list of {field, before, after}; NULL if the request changed none of its settings.
  changes TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX audit_changes_of_target ON audit_changes (target_id, version);

-- What imports changed in contacts that existed before. The log has one entry for a whole import. Deleted with the contact, and at the age
-- at which entries of the log are.
CREATE TABLE imported_changes (
  contact_id TEXT NOT NULL,
  -- The version that the import made.
  version INTEGER NOT NULL,
  at INTEGER NOT NULL,
  actor_kind TEXT NOT NULL,
  actor_id TEXT,
  actor_name TEXT,
  operation TEXT NOT NULL,
  -- JSON list of {field, before, after}; empty if only the text of the metadata changed, not its values.
  changes TEXT NOT NULL,
  PRIMARY KEY (contact_id, version)
) STRICT, WITHOUT ROWID;
CREATE INDEX imported_changes_by_age ON imported_changes (at);

------------------------------------------------------------------------------------------------------------------------------------------
-- Catalogue and agents
------------------------------------------------------------------------------------------------------------------------------------------

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

-- A deleted agent is hidden while a job clears it in its campaigns. Then its row goes.
CREATE TABLE agents (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  agent_name TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('ACTIVE', 'INACTIVE')),
  model TEXT NOT NULL REFERENCES llm_models (llm_model) DEFERRABLE INITIALLY DEFERRED,
  voice_id TEXT NOT NULL REFERENCES voices (id) DEFERRABLE INITIALLY DEFERRED,
  temperature REAL NOT NULL,
  reminder_trigger_ms INTEGER NOT NULL,
  silence_timeout_ms INTEGER NOT NULL DEFAULT 30000,
  max_call_duration_ms INTEGER NOT NULL,
  calendar_timezone TEXT NOT NULL,
  emotion INTEGER NOT NULL,
  voicemail_detection INTEGER NOT NULL DEFAULT 1,
  emergency_fallback TEXT,
  transfer_phone TEXT,
  recording INTEGER NOT NULL DEFAULT 0 CHECK (recording IN (0, 1)),
  recording_notice TEXT,
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
  -- Counts the changes of what people set; so do the columns of this name in other tables.
  version INTEGER NOT NULL DEFAULT 1,
  -- The newest edition, a number in agent_editions.
  edition INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  removed_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX agents_of_organization ON agents (organization_id, id) WHERE removed_at IS NULL;
CREATE INDEX agents_of_voice ON agents (voice_id);
CREATE INDEX agents_of_model ON agents (model);

-- What an agent was set to say and how to speak, from each change to the next. Kept as long as the agent.
CREATE TABLE agent_editions (
  agent_id TEXT NOT NULL REFERENCES agents (id),
  edition INTEGER NOT NULL,
  at INTEGER NOT NULL,
  -- JSON of kind, id and name; null if parley itself made the change.
  made_by TEXT,
  note TEXT,
  -- JSON list of the settings that differ from the edition before.
  fields TEXT NOT NULL,
  -- Ended calls that were made with it.
  calls INTEGER NOT NULL DEFAULT 0,
  -- JSON object, in the case of the API.
  settings TEXT NOT NULL,
  PRIMARY KEY (agent_id, edition)
) STRICT, WITHOUT ROWID;

------------------------------------------------------------------------------------------------------------------------------------------
-- Contacts
------------------------------------------------------------------------------------------------------------------------------------------

-- A deleted contact loses its data at once, and is hidden while a job clears the references to it. Then its row goes.
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
  -- When, why and by whom the contact was flagged do-not-call: JSON of kind, id and name.
  opted_out_at INTEGER,
  opted_out_reason TEXT,
  opted_out_by TEXT,
  -- The text that contact search matches: name, e-mail, phone and company, case-folded.
  search TEXT NOT NULL,
  note_count INTEGER NOT NULL DEFAULT 0 CHECK (note_count >= 0),
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  removed_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX contacts_of_organization ON contacts (organization_id, id);
CREATE INDEX contacts_search ON contacts (organization_id, id, search);
CREATE INDEX contacts_by_phone ON contacts (organization_id, phone, id) WHERE phone IS NOT NULL;
-- Looked up before every call: whether any contact with the number is flagged do-not-call, however many contacts share the number.
CREATE INDEX contacts_not_to_call ON contacts (organization_id, phone) WHERE do_not_call = 1;

CREATE TABLE contact_notes (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  contact_id TEXT NOT NULL REFERENCES contacts (id) ON DELETE CASCADE,
  content TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX contact_notes_of_contact ON contact_notes (contact_id, id);

-- Imports of the last day, kept for the rows that they rejected or changed.
CREATE TABLE imports (
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  -- The caller may choose it, so another organization may have the same.
  id TEXT NOT NULL,
  -- JSON array: the header of the file.
  header TEXT NOT NULL,
  started_at INTEGER NOT NULL,
  rows_read INTEGER NOT NULL DEFAULT 0,
  created INTEGER NOT NULL DEFAULT 0,
  updated INTEGER NOT NULL DEFAULT 0,
  rejected_count INTEGER NOT NULL DEFAULT 0,
  warning_count INTEGER NOT NULL DEFAULT 0,
  -- When it ended, or wrote its last batch.
  ended_at INTEGER NOT NULL,
  -- Whether it read the whole file.
  is_done INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (organization_id, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX imports_by_age ON imports (started_at);

-- Rows of a file that were rejected, or imported without the cells that could not be read.
CREATE TABLE import_rows (
  organization_id TEXT NOT NULL,
  import_id TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('rejected', 'warnings')),
  row INTEGER NOT NULL,
  reason TEXT NOT NULL,
  -- JSON array, as in the file; empty for a row that could not be read.
  cells TEXT NOT NULL,
  PRIMARY KEY (organization_id, import_id, kind, row),
  FOREIGN KEY (organization_id, import_id) REFERENCES imports (organization_id, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

-- Persons who were erased or are being erased. A row stays, so that a restore of an older backup can erase them again.
CREATE TABLE erasures (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  requested_at INTEGER NOT NULL,
  done_at INTEGER,
  keep_do_not_call INTEGER NOT NULL,
  -- Keyed hashes of the contact's id and phone, by which a backup's contact is recognized.
  contact_hash TEXT NOT NULL,
  phone_hash TEXT,
  -- JSON object: what was erased, by kind.
  counts TEXT NOT NULL DEFAULT '{}',
  -- Who is to be erased, encrypted; null once that is done.
  subject_sealed TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX erasures_of_organization ON erasures (organization_id, id);

CREATE TABLE do_not_call (
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  phone TEXT NOT NULL,
  reason TEXT,
  -- JSON of kind, id and name.
  added_by TEXT,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (organization_id, phone)
) STRICT, WITHOUT ROWID;
CREATE INDEX do_not_call_by_age ON do_not_call (organization_id, created_at, phone);

------------------------------------------------------------------------------------------------------------------------------------------
-- Phone numbers
------------------------------------------------------------------------------------------------------------------------------------------

CREATE TABLE phone_numbers (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  phone TEXT NOT NULL,
  name TEXT,
  type TEXT NOT NULL CHECK (type IN ('sip', 'purchased')),
  -- The carrier that places the number's calls; NULL means the one of \`carrier.driver\`.
  carrier TEXT,
  termination_uri TEXT,
  sip_username TEXT,
  sip_password_sealed TEXT,
  transport TEXT CHECK (transport IN ('udp', 'tcp', 'tls')),
  -- The form in which the trunk expects called numbers: with + (\`e164\`) or without (\`digits\`).
  dial_format TEXT NOT NULL DEFAULT 'e164' CHECK (dial_format IN ('e164', 'digits')),
  -- Whether the account (sip_username at termination_uri) is registered, so that calls to the number come here.
  register INTEGER NOT NULL DEFAULT 0 CHECK (register IN (0, 1)),
  -- The user in From of outgoing calls.
  sip_from TEXT NOT NULL DEFAULT 'number' CHECK (sip_from IN ('number', 'username')),
  -- The agent that answers calls to the number; NULL if none does.
  inbound_agent_id TEXT REFERENCES agents (id) ON DELETE SET NULL,
  status TEXT NOT NULL CHECK (status IN ('active', 'released')),
  max_concurrent INTEGER NOT NULL,
  max_cps INTEGER NOT NULL,
  in_flight INTEGER NOT NULL DEFAULT 0 CHECK (in_flight >= 0),
  pace_at REAL NOT NULL DEFAULT 0,
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  released_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX phone_numbers_of_organization ON phone_numbers (organization_id, id);
CREATE UNIQUE INDEX phone_numbers_active ON phone_numbers (phone) WHERE status = 'active';
CREATE INDEX phone_numbers_by_phone ON phone_numbers (organization_id, phone, id);
CREATE INDEX phone_numbers_of_inbound_agent ON phone_numbers (inbound_agent_id) WHERE inbound_agent_id IS NOT NULL;
CREATE INDEX phone_numbers_that_register ON phone_numbers (id) WHERE register = 1 AND status = 'active';
CREATE INDEX phone_numbers_by_carrier ON phone_numbers (carrier) WHERE carrier IS NOT NULL AND status = 'active';

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
  -- How often the carrier took a call after it had failed to take one.
  resumptions INTEGER NOT NULL DEFAULT 0,
  noticed_at INTEGER,
  -- Of the last 20 hand-overs since the last pause, those that failed: a bit each, the lowest is the latest.
  recent_failures INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;
CREATE INDEX carrier_pauses_of_organization ON carrier_pauses (organization_id);
CREATE INDEX carrier_pauses_open ON carrier_pauses (paused_at) WHERE paused_at IS NOT NULL;

------------------------------------------------------------------------------------------------------------------------------------------
-- Calls
------------------------------------------------------------------------------------------------------------------------------------------

-- With a rowid: a WITHOUT ROWID table stores rows longer than a quarter of a page on overflow pages, each read and written with every use
-- of the row, and an ended call contains a whole conversation. Long texts are the last columns, because SQLite reaches a column behind
-- one only through all of its pages.
CREATE TABLE calls (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  agent_id TEXT NOT NULL,
  agent_name TEXT NOT NULL,
  -- The agent's edition when the call was made.
  agent_edition INTEGER,
  -- NULL for a test call from a browser or program.
  phone_number_id TEXT REFERENCES phone_numbers (id),
  campaign_id TEXT,
  contact_id TEXT,
  campaign_contact_id TEXT,
  attempt INTEGER NOT NULL,
  direction TEXT NOT NULL DEFAULT 'outbound' CHECK (direction IN ('outbound', 'inbound')),
  -- The carrier driver that the call was made for.
  driver TEXT NOT NULL,
  from_phone TEXT NOT NULL,
  to_phone TEXT NOT NULL,
  caller_name TEXT,
  caller_email TEXT,
  channel TEXT NOT NULL DEFAULT 'voice',
  max_duration_ms INTEGER NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('queued', 'dialing', 'ringing', 'in_progress', 'ended')),
  status TEXT CHECK (status IN ('completed', 'failed', 'no_answer', 'busy', 'voicemail')),
  disconnect_reason TEXT,
  error_message TEXT,
  -- Whether \`call.completed\` is sent.
  sends_event INTEGER NOT NULL DEFAULT 1,
  hangup_requested INTEGER NOT NULL DEFAULT 0,
  duration_sec INTEGER NOT NULL DEFAULT 0,
  recording_url TEXT,
  cost_total REAL NOT NULL DEFAULT 0,
  call_latency_ms INTEGER,
  created_at INTEGER NOT NULL,
  -- When the limits of calls per second first let the call start.
  slot_at INTEGER,
  -- When the call was last handed to its carrier; null if the carrier certainly does not have it. After a restart, parley asks the carrier
  -- about a call that was handed over, and decides anew whether to place any other.
  handed_over_at INTEGER,
  started_at INTEGER,
  answered_at INTEGER,
  ended_at INTEGER,
  -- A JSON object with the facts that the carrier \`sip\` knows about the call.
  sip TEXT,
  -- A JSON object with what the agent's speech sessions count.
  speech TEXT,
  -- How the simulated carrier has to let the call go, as JSON; null: as the dialed number says.
  simulate TEXT,
  -- 1: an admin placed the call although a limit of calls to one number forbade it.
  forced INTEGER NOT NULL DEFAULT 0,
  metadata TEXT NOT NULL DEFAULT '{}',
  -- How an answered call has ended, as JSON, while its conversation is being analyzed; until then it counts as live.
  ending TEXT,
  summary TEXT,
  analysis TEXT,
  transcripts TEXT NOT NULL DEFAULT '[]'
) STRICT;
CREATE UNIQUE INDEX calls_attempts ON calls (campaign_contact_id, attempt) WHERE campaign_contact_id IS NOT NULL;
CREATE INDEX calls_of_organization ON calls (organization_id, id);
CREATE INDEX calls_live ON calls (organization_id, id, campaign_id, agent_id, contact_id) WHERE status IS NULL;
-- An ended call enters the indexes of its agent and campaign with its status, so that a list of one status reads only its own entries.
CREATE INDEX calls_by_status ON calls (organization_id, status, id) WHERE status IS NOT NULL;
CREATE INDEX calls_of_agent ON calls (agent_id, status, id) WHERE status IS NOT NULL;
-- The latest calls to a phone number, which the limits of calls to one number count from here, without reading the calls.
CREATE INDEX calls_to_phone ON calls (to_phone, created_at, handed_over_at, organization_id) WHERE direction = 'outbound';
-- The callers of incoming calls, which an erasure looks for.
CREATE INDEX calls_from_phone ON calls (from_phone, created_at) WHERE direction = 'inbound';
CREATE INDEX calls_of_contact ON calls (contact_id, id) WHERE contact_id IS NOT NULL;
CREATE INDEX calls_of_campaign ON calls (campaign_id, status, id, agent_id) WHERE campaign_id IS NOT NULL AND status IS NOT NULL;
-- Counts the calls of a campaign over steps of any length without reading the calls. Whole quarters of an hour have
-- counters.
CREATE INDEX calls_of_campaign_by_start ON calls (campaign_id, started_at, ended_at, status)
  WHERE campaign_id IS NOT NULL AND status IS NOT NULL;

-- What happened in a call, in order.
CREATE TABLE call_timeline (
  call_id TEXT NOT NULL REFERENCES calls (id) ON DELETE CASCADE,
  number INTEGER NOT NULL,
  at INTEGER NOT NULL,
  type TEXT NOT NULL,
  detail TEXT,
  PRIMARY KEY (call_id, number)
) STRICT, WITHOUT ROWID;

-- Recorded calls; the sound itself is a file. A row stays until its file is gone, also when its call is gone.
CREATE TABLE call_recordings (
  call_id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  -- The folder of the file: the month in which the call was made, such as 2026-11.
  month TEXT NOT NULL,
  -- The end of the call; NULL while it is live, 0 when the file is to go as soon as possible.
  ended_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX call_recordings_by_end ON call_recordings (ended_at, call_id);

-- Ended calls by status. '' as agent or campaign stands for all of them. Live calls are few and are counted in calls_live.
CREATE TABLE call_counts (
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  agent_id TEXT NOT NULL,
  campaign_id TEXT NOT NULL,
  status TEXT NOT NULL,
  calls INTEGER NOT NULL CHECK (calls >= 0),
  PRIMARY KEY (organization_id, agent_id, campaign_id, status)
) STRICT, WITHOUT ROWID;

-- Ended calls of campaigns by the UTC quarter of an hour (Unix milliseconds of its beginning) in which they began, by outcome and whether
-- they were answered; and by that in which they ended. Every time zone begins its hours with a quarter.
CREATE TABLE call_counts_by_start (
  campaign_id TEXT NOT NULL,
  quarter INTEGER NOT NULL,
  outcome TEXT NOT NULL,
  answered INTEGER NOT NULL,
  calls INTEGER NOT NULL CHECK (calls >= 0),
  PRIMARY KEY (campaign_id, quarter, outcome, answered)
) STRICT, WITHOUT ROWID;
CREATE TABLE call_counts_by_end (
  campaign_id TEXT NOT NULL,
  quarter INTEGER NOT NULL,
  outcome TEXT NOT NULL,
  calls INTEGER NOT NULL CHECK (calls >= 0),
  PRIMARY KEY (campaign_id, quarter, outcome)
) STRICT, WITHOUT ROWID;

-- Figures of ended calls by the UTC quarter of an hour in which they began (Unix milliseconds of its beginning). They stay when retention
-- deletes the calls. '' as campaign: a call outside of any; 0 as edition: unknown.
CREATE TABLE call_figures (
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  quarter INTEGER NOT NULL,
  agent_id TEXT NOT NULL,
  edition INTEGER NOT NULL,
  campaign_id TEXT NOT NULL,
  phone_number_id TEXT NOT NULL,
  direction TEXT NOT NULL,
  calls INTEGER NOT NULL DEFAULT 0,
  answered INTEGER NOT NULL DEFAULT 0,
  completed INTEGER NOT NULL DEFAULT 0,
  voicemail INTEGER NOT NULL DEFAULT 0,
  no_answer INTEGER NOT NULL DEFAULT 0,
  busy INTEGER NOT NULL DEFAULT 0,
  failed INTEGER NOT NULL DEFAULT 0,
  goals_met INTEGER NOT NULL DEFAULT 0,
  goals_judged INTEGER NOT NULL DEFAULT 0,
  talk_sec INTEGER NOT NULL DEFAULT 0,
  cost REAL NOT NULL DEFAULT 0,
  -- Calls by their latency: below 200 ms, by 100 ms up to 2,000, and beyond.
  latency_0 INTEGER NOT NULL DEFAULT 0,
  latency_1 INTEGER NOT NULL DEFAULT 0,
  latency_2 INTEGER NOT NULL DEFAULT 0,
  latency_3 INTEGER NOT NULL DEFAULT 0,
  latency_4 INTEGER NOT NULL DEFAULT 0,
  latency_5 INTEGER NOT NULL DEFAULT 0,
  latency_6 INTEGER NOT NULL DEFAULT 0,
  latency_7 INTEGER NOT NULL DEFAULT 0,
  latency_8 INTEGER NOT NULL DEFAULT 0,
  latency_9 INTEGER NOT NULL DEFAULT 0,
  latency_10 INTEGER NOT NULL DEFAULT 0,
  latency_11 INTEGER NOT NULL DEFAULT 0,
  latency_12 INTEGER NOT NULL DEFAULT 0,
  latency_13 INTEGER NOT NULL DEFAULT 0,
  latency_14 INTEGER NOT NULL DEFAULT 0,
  latency_15 INTEGER NOT NULL DEFAULT 0,
  latency_16 INTEGER NOT NULL DEFAULT 0,
  latency_17 INTEGER NOT NULL DEFAULT 0,
  latency_18 INTEGER NOT NULL DEFAULT 0,
  latency_19 INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (organization_id, quarter, agent_id, edition, campaign_id, phone_number_id, direction)
) STRICT, WITHOUT ROWID;

-- How many live calls an organization has with each carrier driver.
CREATE TABLE live_call_counts (
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  driver TEXT NOT NULL,
  calls INTEGER NOT NULL CHECK (calls >= 0),
  PRIMARY KEY (organization_id, driver)
) STRICT, WITHOUT ROWID;
CREATE INDEX live_call_counts_of_driver ON live_call_counts (driver) WHERE calls > 0;

------------------------------------------------------------------------------------------------------------------------------------------
-- Campaigns
------------------------------------------------------------------------------------------------------------------------------------------

-- A campaign is removed at once; its rows, perhaps a million, are deleted afterwards in batches.
CREATE TABLE campaigns (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  name TEXT NOT NULL,
  agent_id TEXT REFERENCES agents (id),
  -- The number in whose queue the campaign waits: its only one or, of several, the one that the next call comes from.
  phone_number_id TEXT REFERENCES phone_numbers (id),
  -- The phone of its first number.
  from_phone_number TEXT,
  -- Of a campaign with several numbers: their ids in order, and how often each was used on the latest day, as JSON.
  number_ids TEXT,
  number_use TEXT,
  local_presence INTEGER NOT NULL DEFAULT 0,
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
  -- Campaigns that share the lines or the pace of a number or of the organization wait in a queue and are woken one by one. The
  -- dialer tick scheduled for \`wake_at\` starts a call, or wakes the next.
  wake_at INTEGER,
  next_position INTEGER NOT NULL DEFAULT 0,
  total INTEGER NOT NULL DEFAULT 0,
  contacted INTEGER NOT NULL DEFAULT 0,
  successful INTEGER NOT NULL DEFAULT 0,
  failed INTEGER NOT NULL DEFAULT 0,
  no_answer INTEGER NOT NULL DEFAULT 0,
  pending INTEGER NOT NULL DEFAULT 0,
  in_progress INTEGER NOT NULL DEFAULT 0,
  -- The counters above join several statuses (no_answer, busy and voicemail; failed, cancelled and expired). These count the statuses that
  -- have no counter of their own; that of no_answer and of failed follows by subtraction.
  busy INTEGER NOT NULL DEFAULT 0 CHECK (busy >= 0),
  voicemail INTEGER NOT NULL DEFAULT 0 CHECK (voicemail >= 0),
  cancelled INTEGER NOT NULL DEFAULT 0 CHECK (cancelled >= 0),
  expired INTEGER NOT NULL DEFAULT 0 CHECK (expired >= 0),
  started_at INTEGER,
  completed_at INTEGER,
  -- What a job is doing to the contacts after a completion or a reopening: 'expiring' or 'reopening'; null if none does.
  contacts_change TEXT CHECK (contacts_change IN ('expiring', 'reopening')),
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  removed_at INTEGER,
  CHECK (total = contacted + failed + no_answer + pending + in_progress),
  CHECK (successful <= contacted)
) STRICT, WITHOUT ROWID;
CREATE INDEX campaigns_of_organization ON campaigns (organization_id, id) WHERE removed_at IS NULL;
CREATE INDEX campaigns_by_status ON campaigns (organization_id, status, id) WHERE removed_at IS NULL;
CREATE INDEX campaigns_of_agent ON campaigns (agent_id, execution_status);
CREATE INDEX campaigns_of_number ON campaigns (phone_number_id, execution_status);
CREATE INDEX campaigns_of_several_numbers ON campaigns (organization_id) WHERE number_ids IS NOT NULL;
-- Finds, for each number, the waiting campaign whose last call is longest ago.
CREATE INDEX campaigns_waiting ON campaigns (organization_id, phone_number_id, pace_at)
  WHERE waiting_for IN ('number', 'organization') AND wake_at IS NULL AND phone_number_id IS NOT NULL;
CREATE INDEX campaigns_woken ON campaigns (organization_id, phone_number_id, wake_at) WHERE wake_at IS NOT NULL;

-- The campaigns that stopping all calling held, and that run again when calling is resumed. With the name they had then, because a
-- campaign may be deleted in between.
CREATE TABLE held_campaigns (
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  campaign_id TEXT NOT NULL,
  name TEXT NOT NULL,
  -- 1 once somebody paused the campaign although it was held already.
  paused INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (organization_id, campaign_id)
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
  -- Whether the last call failed because its number does not exist.
  number_invalid INTEGER NOT NULL DEFAULT 0,
  call_session_id TEXT,
  -- How often the carrier was out of reach when this contact was called, while other calls got through in between; and \`resumptions\` of
  -- the number when it last happened.
  unreachable_count INTEGER NOT NULL DEFAULT 0,
  unreachable_resumptions INTEGER,
  -- How often the carrier was out of reach since the contact was last called or held back by a limit, whether or not other calls got through.
  unreachable_tries INTEGER NOT NULL DEFAULT 0,
  -- Why a cancelled contact is not called: JSON of code, at, by and reason.
  cause TEXT,
  -- How the simulated carrier has to let calls to this contact go, as JSON; null: as the dialed number says.
  simulate TEXT,
  UNIQUE (campaign_id, phone),
  UNIQUE (campaign_id, position)
) STRICT, WITHOUT ROWID;
CREATE INDEX campaign_contacts_of_contact ON campaign_contacts (contact_id) WHERE contact_id IS NOT NULL;
-- The dialer's queues, one for each time zone: first attempts (without \`next_retry_at\`) in the order of adding, retries by their due time.
CREATE INDEX campaign_contacts_pending ON campaign_contacts (campaign_id, timezone, next_retry_at, position) WHERE status = 'pending';
-- The same over all time zones but '', because a look-up in each of hundreds of open zones would cost a tick a millisecond.
CREATE INDEX campaign_contacts_pending_zoned ON campaign_contacts (campaign_id, next_retry_at, position)
  WHERE status = 'pending' AND timezone <> '';
CREATE INDEX campaign_contacts_retries ON campaign_contacts (campaign_id, position)
  WHERE status = 'pending' AND next_retry_at IS NOT NULL;
-- First attempts that wait because the carrier was out of reach.
CREATE INDEX campaign_contacts_postponed ON campaign_contacts (campaign_id, position)
  WHERE status = 'pending' AND next_retry_at IS NOT NULL AND last_attempted_at IS NULL;
CREATE INDEX campaign_contacts_called ON campaign_contacts (campaign_id, status, position) WHERE status <> 'pending';
-- Lists the contacts of a campaign by their last attempt. It is read backwards, the newest first: with the newest attempt first, each entry
-- would come before the others of its campaign, and SQLite would leave the pages of the index half empty.
CREATE INDEX campaign_contacts_attempted ON campaign_contacts (campaign_id, last_attempted_at, position DESC)
  WHERE last_attempted_at IS NOT NULL;
-- Lists campaign contacts that ended without an attempt after those that were called. A call never changes this index.
CREATE INDEX campaign_contacts_unattempted ON campaign_contacts (campaign_id, status, position)
  WHERE last_attempted_at IS NULL AND status <> 'pending';

-- Number of pending contacts per time zone of a campaign, so that a dialer tick reads zones instead of contacts.
CREATE TABLE campaign_zones (
  campaign_id TEXT NOT NULL REFERENCES campaigns (id) ON DELETE CASCADE,
  timezone TEXT NOT NULL,
  pending INTEGER NOT NULL CHECK (pending >= 0),
  PRIMARY KEY (campaign_id, timezone)
) STRICT, WITHOUT ROWID;

-- Contacts that a campaign did not take in the last 30 days because they may not be called.
CREATE TABLE campaign_left_out (
  campaign_id TEXT NOT NULL REFERENCES campaigns (id),
  contact_id TEXT NOT NULL REFERENCES contacts (id) ON DELETE CASCADE,
  at INTEGER NOT NULL,
  -- JSON of code, at, by and reason.
  cause TEXT NOT NULL,
  PRIMARY KEY (campaign_id, contact_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX campaign_left_out_of_contact ON campaign_left_out (contact_id);
CREATE INDEX campaign_left_out_by_age ON campaign_left_out (at);

-- Contacts of a request that is too large for one transaction, in parts. The job 'campaign.join' with the key \`id\` adds one after the other
-- to the campaign, or discards them.
CREATE TABLE campaign_joins (
  id TEXT NOT NULL,
  part INTEGER NOT NULL,
  -- JSON: contactIds, contacts (with their metadata as text), firstIndex.
  entries TEXT NOT NULL,
  PRIMARY KEY (id, part)
) STRICT;

-- What happened to a campaign, numbered from 1. So the newest number is the count, and any page of the list is a range of numbers.
CREATE TABLE campaign_events (
  campaign_id TEXT NOT NULL REFERENCES campaigns (id),
  number INTEGER NOT NULL,
  at INTEGER NOT NULL,
  type TEXT NOT NULL,
  -- Null if parley itself acted.
  actor_kind TEXT,
  actor_id TEXT,
  -- The name that the actor had then.
  actor_name TEXT,
  -- JSON object; its keys depend on the type.
  detail TEXT NOT NULL,
  PRIMARY KEY (campaign_id, number),
  CHECK (actor_id IS NULL OR actor_kind IS NOT NULL)
) STRICT, WITHOUT ROWID;

------------------------------------------------------------------------------------------------------------------------------------------
-- Search of contacts
--
-- Finds contacts by any part of their search text. Indexing takes longer than writing the contact, so the writing transaction only notes
-- the contact as pending, and the background thread indexes pending contacts in batches. A search looks at both.
--
-- A campaign contact has the name, phone and e-mail of its contact, so a search in a campaign uses the index of contacts. Campaign
-- contacts that differ, because they ended before the contact changed or because it was deleted, are in the index themselves.
------------------------------------------------------------------------------------------------------------------------------------------

CREATE TABLE contact_search_pending (
  organization_id TEXT NOT NULL,
  -- '' if \`id\` is a contact's, else it is a campaign contact's.
  campaign_id TEXT NOT NULL,
  id TEXT NOT NULL,
  PRIMARY KEY (organization_id, campaign_id, id)
) STRICT, WITHOUT ROWID;

-- The contacts in the index; their number is the rowid there.
CREATE TABLE contact_search_entries (
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE
) STRICT;

-- Which contacts contain three characters in a row. src/search/contacts makes the terms, so the tokenizer only splits at spaces. Merging a
-- few pages at a time is up to the background thread, as for retrieval_words.
CREATE VIRTUAL TABLE contact_search_trigrams USING fts5(
  trigrams,
  content = '', contentless_delete = 1, detail = none, tokenize = 'ascii'
);
INSERT INTO contact_search_trigrams (contact_search_trigrams, rank) VALUES ('automerge', 0);

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

------------------------------------------------------------------------------------------------------------------------------------------
-- Webhooks
------------------------------------------------------------------------------------------------------------------------------------------

-- Secrets are encrypted with the installation's key, so that a stolen copy of the database cannot sign webhooks. A delivery can be sent
-- again after its agent is deleted, signed as before, so a secret stays until the agent's last endpoint is deleted.
CREATE TABLE webhook_secrets (
  agent_id TEXT PRIMARY KEY,
  secret_sealed TEXT NOT NULL,
  previous_secret_sealed TEXT,
  previous_expires_at INTEGER,
  CHECK ((previous_secret_sealed IS NULL) = (previous_expires_at IS NULL))
) STRICT, WITHOUT ROWID;

-- A hundred thousand deliveries may wait for an endpoint. When it fails, recovers or is removed, they are held, released or cancelled in
-- batches: a sweep. Readers see the new status of a delivery as soon as the sweep begins, although it is stored batch by batch.
CREATE TABLE webhook_endpoints (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  agent_id TEXT NOT NULL,
  url TEXT NOT NULL,
  -- Order in which the agent's URLs were saved.
  position INTEGER NOT NULL DEFAULT 0 CHECK (position >= 0),
  -- 'paused': by hand, until somebody resumes it.
  status TEXT NOT NULL CHECK (status IN ('delivering', 'failing', 'paused')),
  failing_since INTEGER,
  paused_at INTEGER,
  pause_reason TEXT,
  -- Failed attempts since the last success, or since the endpoint was resumed. There are some exactly while there is a last_error.
  failures INTEGER NOT NULL DEFAULT 0 CHECK (failures >= 0),
  last_error TEXT,
  held INTEGER NOT NULL DEFAULT 0 CHECK (held >= 0),
  sweep TEXT CHECK (sweep IN ('hold', 'release', 'cancel')),
  -- How many sweeps have been started; this is also the number of the present or last one.
  sweeps INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  removed_at INTEGER,
  CHECK ((status = 'failing') = (failing_since IS NOT NULL)),
  CHECK ((status = 'paused') = (paused_at IS NOT NULL))
) STRICT, WITHOUT ROWID;
CREATE INDEX webhook_endpoints_of_organization ON webhook_endpoints (organization_id, id) WHERE removed_at IS NULL;
CREATE UNIQUE INDEX webhook_endpoints_live ON webhook_endpoints (agent_id, url) WHERE removed_at IS NULL;
CREATE INDEX webhook_endpoints_removed ON webhook_endpoints (removed_at) WHERE removed_at IS NOT NULL;
CREATE INDEX webhook_endpoints_sweeping ON webhook_endpoints (organization_id) WHERE sweep IS NOT NULL;
-- Finds the endpoints of an agent, removed ones too.
CREATE INDEX webhook_endpoints_of_agent ON webhook_endpoints (agent_id, id);

-- One row per ended call whose agent has webhooks, with the body as it is sent, since events outlive calls whose retention ends first. A
-- row is deleted with its last delivery. With a rowid, for the reason that calls have one.
CREATE TABLE webhook_events (
  -- The order in which events were written, in which followers read them.
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  agent_id TEXT NOT NULL,
  event TEXT NOT NULL,
  -- The contact of the event's call or, where there is none, the phone number.
  subject TEXT,
  created_at INTEGER NOT NULL,
  -- 1: the agent has no URL; the event was written for those who follow the organization's events, and is kept for a day.
  for_followers INTEGER NOT NULL DEFAULT 0 CHECK (for_followers IN (0, 1)),
  body TEXT NOT NULL
) STRICT;
CREATE INDEX webhook_events_of_organization ON webhook_events (organization_id, number);
CREATE INDEX webhook_events_for_followers ON webhook_events (created_at) WHERE for_followers = 1;

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
  -- The endpoint's \`sweeps\` when the delivery's status was stored. If they are equal, the present sweep has reached the delivery.
  swept INTEGER NOT NULL DEFAULT 0,
  next_attempt_at INTEGER,
  created_at INTEGER NOT NULL,
  delivered_at INTEGER,
  -- When the delivery reached a final status, from which retention counts; null before that.
  settled_at INTEGER,
  CHECK ((settled_at IS NOT NULL) = (status IN ('delivered', 'exhausted', 'cancelled')))
) STRICT, WITHOUT ROWID;
CREATE INDEX webhook_deliveries_of_organization ON webhook_deliveries (organization_id, id);
CREATE INDEX webhook_deliveries_of_endpoint ON webhook_deliveries (endpoint_id, id);
CREATE INDEX webhook_deliveries_of_event ON webhook_deliveries (event_id, id);
CREATE INDEX webhook_deliveries_settled ON webhook_deliveries (settled_at) WHERE settled_at IS NOT NULL;
-- One index of undelivered rows for all lists by status. It starts with the organization, because an index that starts with the endpoint
-- spreads its writes over as many pages as there are endpoints. Delivered rows need no index: lists read them in order of id, and their
-- count is the total minus the undelivered. With \`swept\`, so that a sweep finds what it has not reached without reading the deliveries.
CREATE INDEX webhook_deliveries_undelivered
  ON webhook_deliveries (organization_id, status, id, endpoint_id, swept, delivered_at) WHERE delivered_at IS NULL;

-- With a rowid, as calls: with its headers a row is often longer than a quarter of a page, and would have a page of its own.
CREATE TABLE webhook_attempts (
  delivery_id TEXT NOT NULL REFERENCES webhook_deliveries (id) ON DELETE CASCADE,
  number INTEGER NOT NULL,
  at INTEGER NOT NULL,
  duration_ms INTEGER NOT NULL,
  status_code INTEGER,
  error TEXT,
  -- What the attempt sent and was answered, as JSON objects.
  request_headers TEXT,
  response_headers TEXT,
  response_body TEXT,
  PRIMARY KEY (delivery_id, number)
) STRICT;

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
  last_delivered_at INTEGER,
  PRIMARY KEY (organization_id, endpoint_id),
  CHECK (total >= retrying + held + delivered + exhausted + cancelled)
) STRICT, WITHOUT ROWID;
CREATE INDEX delivery_counts_of_endpoint ON delivery_counts (endpoint_id);

-- How many deliveries each endpoint took in each hour of UTC (Unix milliseconds of its beginning). The hour stands first, so that all
-- deliveries of the present write to the same few pages and retention deletes from one end.
CREATE TABLE deliveries_by_hour (
  hour INTEGER NOT NULL,
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  endpoint_id TEXT NOT NULL,
  delivered INTEGER NOT NULL DEFAULT 0 CHECK (delivered >= 0),
  PRIMARY KEY (hour, organization_id, endpoint_id)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER webhook_endpoints_have_counts AFTER INSERT ON webhook_endpoints
BEGIN
  INSERT INTO delivery_counts (organization_id, endpoint_id) VALUES (new.organization_id, new.id);
END;

------------------------------------------------------------------------------------------------------------------------------------------
-- Notices
------------------------------------------------------------------------------------------------------------------------------------------

CREATE TABLE notices (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  kind TEXT NOT NULL,
  subject TEXT NOT NULL,
  body TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  sent_at INTEGER,
  last_error TEXT,
  -- When a person of the organization marked the notice as read; null until then.
  read_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX notices_of_organization ON notices (organization_id, id);
CREATE INDEX notices_unread ON notices (organization_id, id) WHERE read_at IS NULL;

------------------------------------------------------------------------------------------------------------------------------------------
-- Calendar
------------------------------------------------------------------------------------------------------------------------------------------

-- Accounts at the calendar provider. The API key is encrypted with the installation's key. Disconnecting erases it and its digest, and
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

------------------------------------------------------------------------------------------------------------------------------------------
-- Knowledge bases
--
-- Setting removed_at hides a row at once. Its data is deleted in batches afterwards: a base may have hundreds of thousands of passages.
------------------------------------------------------------------------------------------------------------------------------------------

CREATE TABLE knowledge_bases (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  name TEXT NOT NULL,
  enable_auto_refresh INTEGER NOT NULL,
  -- Documents that are not removed; updated in the transaction that adds or removes one.
  document_count INTEGER NOT NULL DEFAULT 0 CHECK (document_count >= 0),
  version INTEGER NOT NULL DEFAULT 1,
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
-- Lists of sources: all of a base, or those with a status, a type or both. Bases with failed sources are found by their counts.
CREATE INDEX knowledge_sources_present ON knowledge_sources (knowledge_base_id, id) WHERE removed_at IS NULL;
CREATE INDEX knowledge_sources_by_status ON knowledge_sources (knowledge_base_id, type, status, id) WHERE removed_at IS NULL;

-- A base may have a hundred thousand sources: an answer about a base reads these numbers instead of counting.
CREATE TABLE knowledge_source_counts (
  knowledge_base_id TEXT NOT NULL REFERENCES knowledge_bases (id) ON DELETE CASCADE,
  type TEXT NOT NULL,
  status TEXT NOT NULL,
  -- Sources that are not removed.
  sources INTEGER NOT NULL CHECK (sources >= 0),
  PRIMARY KEY (knowledge_base_id, type, status)
) STRICT, WITHOUT ROWID;

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
  removed_at INTEGER
) STRICT;
CREATE UNIQUE INDEX knowledge_documents_by_doc_id ON knowledge_documents (organization_id, doc_id)
  WHERE removed_at IS NULL;
CREATE INDEX knowledge_documents_of_organization ON knowledge_documents (organization_id, id) WHERE removed_at IS NULL;
CREATE INDEX knowledge_documents_of_base ON knowledge_documents (knowledge_base_id, id);
CREATE INDEX knowledge_documents_of_source ON knowledge_documents (source_id, id);

-- Texts have a table of their own: when any column changes, SQLite rewrites the whole row, and every other query waits while a long text
-- is written.
CREATE TABLE knowledge_texts (
  document_id TEXT PRIMARY KEY REFERENCES knowledge_documents (id) ON DELETE CASCADE,
  text TEXT NOT NULL
) STRICT;

-- The beginning of each text, for lists: SQLite reads a text from its first page to its last, also for its first characters.
CREATE TABLE knowledge_excerpts (
  document_id TEXT PRIMARY KEY REFERENCES knowledge_documents (id) ON DELETE CASCADE,
  excerpt TEXT NOT NULL
) STRICT;
CREATE TRIGGER knowledge_texts_have_excerpts AFTER INSERT ON knowledge_texts
BEGIN
  INSERT INTO knowledge_excerpts (document_id, excerpt) VALUES (new.document_id, substr(new.text, 1, 2000));
END;
CREATE TRIGGER knowledge_texts_change_their_excerpts AFTER UPDATE OF text ON knowledge_texts
BEGIN
  UPDATE knowledge_excerpts SET excerpt = substr(new.text, 1, 2000) WHERE document_id = new.document_id;
END;

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
  -- Pages of the crawl with a document, kept pages, pages to request later, requested pages, requested robots.txt files and sitemaps, and
  -- sitemaps.
  pages_found INTEGER NOT NULL DEFAULT 0 CHECK (pages_found >= 0),
  pages_kept INTEGER NOT NULL DEFAULT 0 CHECK (pages_kept >= 0),
  pages_new INTEGER NOT NULL DEFAULT 0 CHECK (pages_new >= 0),
  pages_requested INTEGER NOT NULL DEFAULT 0 CHECK (pages_requested >= 0),
  files_requested INTEGER NOT NULL DEFAULT 0 CHECK (files_requested >= 0),
  sitemaps INTEGER NOT NULL DEFAULT 0 CHECK (sitemaps >= 0),
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
-- A crawl reads its next pages, its start page and known URLs by index: it looks for them after each page, and may have thousands.
CREATE INDEX knowledge_pages_by_state ON knowledge_pages (source_id, state, kind, depth, id);
CREATE INDEX knowledge_pages_start ON knowledge_pages (source_id) WHERE is_start = 1;
CREATE INDEX knowledge_pages_by_canonical ON knowledge_pages (source_id, canonical) WHERE canonical IS NOT NULL;
CREATE INDEX knowledge_pages_of_document ON knowledge_pages (document_id) WHERE document_id IS NOT NULL;

-- The robots.txt rules of an origin, for one round of a crawl. rules is null if they forbid everything.
CREATE TABLE knowledge_robots (
  source_id TEXT NOT NULL REFERENCES knowledge_sources (id) ON DELETE CASCADE,
  origin TEXT NOT NULL,
  -- The crawl delay, apart from the rules, which may be half a megabyte.
  delay_ms INTEGER NOT NULL DEFAULT 0 CHECK (delay_ms >= 0),
  rules TEXT,
  reason TEXT,
  PRIMARY KEY (source_id, origin)
) STRICT, WITHOUT ROWID;

-- Earliest time of the next request to a host that asks for a crawl delay, shared by all crawls of that host.
CREATE TABLE knowledge_hosts (
  host TEXT PRIMARY KEY,
  next_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

------------------------------------------------------------------------------------------------------------------------------------------
-- Retrieval
--
-- Passages and their full-text index. FTS5's own bm25() would count words across all organizations, so the index only answers which
-- passages contain a word. Every indexed word starts with the number of its base (3_refund), and the ranking uses that base's counts.
------------------------------------------------------------------------------------------------------------------------------------------

-- The index of a knowledge base. Its number is never reused (AUTOINCREMENT): words of a removed base stay in the index for a while.
CREATE TABLE retrieval_bases (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  knowledge_base_id TEXT NOT NULL UNIQUE,
  -- Number of passages, and the sum of their lengths.
  passages INTEGER NOT NULL DEFAULT 0,
  words INTEGER NOT NULL DEFAULT 0,
  -- Passages that wait for a vector.
  pending INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE retrieval_passages (
  id INTEGER PRIMARY KEY,
  base_id INTEGER NOT NULL REFERENCES retrieval_bases (id),
  document_id TEXT NOT NULL REFERENCES knowledge_documents (id) ON DELETE CASCADE,
  title TEXT NOT NULL,
  heading TEXT,
  page INTEGER,
  -- Number of terms; those of title and headings count twice.
  length INTEGER NOT NULL,
  -- SHA-256 of the text that is embedded: title, headings and text.
  content_hash TEXT NOT NULL,
  text TEXT NOT NULL
) STRICT;
CREATE INDEX retrieval_passages_of_document ON retrieval_passages (document_id);
CREATE INDEX retrieval_passages_of_base ON retrieval_passages (base_id, id);

-- Which passages contain a term, and how often: title and headings count twice. A rowid is a passage's id * 1024 + its length (1023 for
-- longer ones), which is all that ranking needs. src/search segments, folds and stems words before they get here, so the tokenizer only
-- splits at spaces.
CREATE VIRTUAL TABLE retrieval_words USING fts5(
  once, twice, thrice, often,
  content = '', contentless_delete = 1, detail = column, tokenize = "ascii tokenchars '_'"
);
-- Its contents by term: a row for each passage.
CREATE VIRTUAL TABLE retrieval_postings USING fts5vocab(retrieval_words, instance);
-- FTS5 stores insertions as small segments and merges them, so that a search reads few. By default it merges 200 pages or more inside
-- some insertion's commit, and every other query waits. So switch that off; src/search/index/sqlite/merge.ts merges a few pages after
-- each insertion, and FTS5's crisismerge (16 segments of one size) remains as the fallback.
INSERT INTO retrieval_words (retrieval_words, rank) VALUES ('automerge', 0);

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
  content = '', contentless_delete = 1, detail = none, tokenize = "ascii tokenchars '_^$'"
);
INSERT INTO retrieval_trigrams (retrieval_trigrams, rank) VALUES ('automerge', 0);
CREATE TRIGGER retrieval_vocabulary_leaves_the_index AFTER DELETE ON retrieval_vocabulary
BEGIN
  DELETE FROM retrieval_trigrams WHERE rowid = old.id;
END;

-- Vector spaces. Only vectors of the same model and the same length can be compared.
CREATE TABLE retrieval_spaces (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  model TEXT NOT NULL,
  -- The vector length requested from the endpoint; 0 requests the model's default.
  requested_dimensions INTEGER NOT NULL,
  -- The actual vector length; null until the first vector arrives.
  dimensions INTEGER,
  -- 1 if the settings name this space, and every passage without a vector in it is listed in retrieval_unembedded.
  is_current INTEGER NOT NULL DEFAULT 0,
  UNIQUE (model, requested_dimensions)
) STRICT;

-- Vectors that the endpoint returned, kept so that no organization pays for embedding the same text twice.
CREATE TABLE retrieval_embeddings (
  id INTEGER PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  space_id INTEGER NOT NULL REFERENCES retrieval_spaces (id),
  content_hash TEXT NOT NULL,
  -- A factor (32-bit float, little-endian), then a signed byte for each dimension, to be multiplied by the factor.
  vector BLOB NOT NULL,
  UNIQUE (organization_id, space_id, content_hash)
) STRICT;

-- Which passage has which of these vectors: a question is compared with all of its bases.
CREATE TABLE retrieval_vectors (
  base_id INTEGER NOT NULL,
  passage_id INTEGER NOT NULL,
  embedding_id INTEGER NOT NULL REFERENCES retrieval_embeddings (id),
  PRIMARY KEY (base_id, passage_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX retrieval_vectors_of_embedding ON retrieval_vectors (embedding_id);

-- Passages that have no vector yet. Until they get one, only their words can find them.
CREATE TABLE retrieval_unembedded (
  base_id INTEGER NOT NULL,
  passage_id INTEGER NOT NULL,
  -- Earliest time of the next request for the passage, and how often the endpoint refused it.
  due_at INTEGER NOT NULL DEFAULT 0,
  refusals INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (base_id, passage_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX retrieval_unembedded_due ON retrieval_unembedded (base_id, due_at, passage_id);

CREATE TRIGGER retrieval_passages_leave_the_index AFTER DELETE ON retrieval_passages
BEGIN
  DELETE FROM retrieval_words WHERE rowid = old.id * 1024 + min(old.length, 1023);
  DELETE FROM retrieval_vectors WHERE base_id = old.base_id AND passage_id = old.id;
  DELETE FROM retrieval_unembedded WHERE base_id = old.base_id AND passage_id = old.id;
END;
`,
  },
];
