-- Accounts at the calendar provider. The key is sealed with the installation's own and erased with its digest at disconnect; what
-- is left says that the account was there. An account of an agent goes with the agent, key and all.
CREATE TABLE calendar_accounts (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  -- Null: the account is the organization's.
  agent_id TEXT REFERENCES agents (id) ON DELETE CASCADE,
  account_name TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('active', 'inactive')),
  key_sealed TEXT,
  -- Tells whether the same key is connected again; differs between organizations.
  key_digest TEXT,
  -- Why the last check failed; null when it succeeded.
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
