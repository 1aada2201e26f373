-- A known text encrypted with the installation's key, so that a start notices when it has another installation's secrets.json.
CREATE TABLE secrets_check (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  encrypted TEXT NOT NULL
) STRICT;
