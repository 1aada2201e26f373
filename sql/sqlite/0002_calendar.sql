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
