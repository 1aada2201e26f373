-- A WITHOUT ROWID table stores rows longer than a quarter of a page on overflow pages, each read and written with every use of the row.
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
