-- What happened to a campaign, numbered from 1. So the newest number is the count, and any page of the list is a range of numbers.
CREATE TABLE campaign_events (
  campaign_id TEXT NOT NULL REFERENCES campaigns (id),
  number INTEGER NOT NULL,
  at INTEGER NOT NULL,
  type TEXT NOT NULL,
  -- Null if parley itself acted.
  actor_kind TEXT,
  actor_id TEXT,
  -- JSON object; its keys depend on the type.
  detail TEXT NOT NULL,
  PRIMARY KEY (campaign_id, number),
  CHECK (actor_id IS NULL OR actor_kind IS NOT NULL)
) STRICT, WITHOUT ROWID;
