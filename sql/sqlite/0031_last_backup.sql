-- The last backup: when it was complete and where it went. error says why a later attempt failed.
CREATE TABLE last_backup (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  completed_at INTEGER,
  path TEXT,
  error TEXT
) STRICT;
