-- A delivery can be sent again after its agent is deleted, signed as before, so a secret stays until the agent's last endpoint is deleted.
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
