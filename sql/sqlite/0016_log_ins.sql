-- Failed log-ins are counted in memory: a flood of them must not write to the disk.
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
