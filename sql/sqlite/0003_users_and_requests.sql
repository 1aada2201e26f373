CREATE TABLE users (
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
