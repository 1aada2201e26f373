-- A stored answer belongs to the caller who got it, and to the role that the caller had.
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
