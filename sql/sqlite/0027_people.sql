-- An invited person has no password until they use their link.
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
