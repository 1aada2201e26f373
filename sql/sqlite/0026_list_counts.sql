-- Lists say how many rows they have. Counting a million rows takes up to two seconds, so the numbers are kept: triggers change them in
-- the transaction that changes the rows, whichever statement does. `parley doctor` counts again and compares.

-- One row per organization. `number` stands for the organization where its id would be too long.
CREATE TABLE organization_counts (
  number INTEGER PRIMARY KEY,
  organization_id TEXT NOT NULL UNIQUE REFERENCES organizations (id),
  contacts INTEGER NOT NULL DEFAULT 0 CHECK (contacts >= 0),
  do_not_call INTEGER NOT NULL DEFAULT 0 CHECK (do_not_call >= 0),
  audit_entries INTEGER NOT NULL DEFAULT 0 CHECK (audit_entries >= 0)
) STRICT;

INSERT INTO organization_counts (organization_id, contacts, do_not_call, audit_entries)
SELECT o.id, coalesce(c.n, 0), coalesce(d.n, 0), coalesce(a.n, 0) FROM organizations o
  LEFT JOIN (SELECT organization_id, count(*) AS n FROM contacts GROUP BY 1) c ON c.organization_id = o.id
  LEFT JOIN (SELECT organization_id, count(*) AS n FROM do_not_call GROUP BY 1) d ON d.organization_id = o.id
  LEFT JOIN (SELECT organization_id, count(*) AS n FROM audit_log GROUP BY 1) a ON a.organization_id = o.id
ORDER BY o.id;

CREATE TRIGGER organizations_have_counts AFTER INSERT ON organizations
BEGIN
  INSERT INTO organization_counts (organization_id) VALUES (new.id);
END;
CREATE TRIGGER contacts_are_counted AFTER INSERT ON contacts
BEGIN
  UPDATE organization_counts SET contacts = contacts + 1 WHERE organization_id = new.organization_id;
END;
CREATE TRIGGER contacts_leave_the_count AFTER DELETE ON contacts
BEGIN
  UPDATE organization_counts SET contacts = contacts - 1 WHERE organization_id = old.organization_id;
END;
CREATE TRIGGER do_not_call_is_counted AFTER INSERT ON do_not_call
BEGIN
  UPDATE organization_counts SET do_not_call = do_not_call + 1 WHERE organization_id = new.organization_id;
END;
CREATE TRIGGER do_not_call_leaves_the_count AFTER DELETE ON do_not_call
BEGIN
  UPDATE organization_counts SET do_not_call = do_not_call - 1 WHERE organization_id = old.organization_id;
END;
CREATE TRIGGER audit_log_is_counted AFTER INSERT ON audit_log
BEGIN
  UPDATE organization_counts SET audit_entries = audit_entries + 1 WHERE organization_id = new.organization_id;
END;
CREATE TRIGGER audit_log_leaves_the_count AFTER DELETE ON audit_log
BEGIN
  UPDATE organization_counts SET audit_entries = audit_entries - 1 WHERE organization_id = old.organization_id;
END;

-- Ended calls by status. '' as agent or campaign stands for all of them. Live calls are few and are counted in calls_live.
CREATE TABLE call_counts (
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  agent_id TEXT NOT NULL,
  campaign_id TEXT NOT NULL,
  status TEXT NOT NULL,
  calls INTEGER NOT NULL CHECK (calls >= 0),
  PRIMARY KEY (organization_id, agent_id, campaign_id, status)
) STRICT, WITHOUT ROWID;

INSERT INTO call_counts
SELECT organization_id, '', '', status, count(*) FROM calls WHERE status IS NOT NULL GROUP BY 1, 4
UNION ALL
SELECT organization_id, agent_id, '', status, count(*) FROM calls WHERE status IS NOT NULL GROUP BY 1, 2, 4
UNION ALL
SELECT organization_id, '', campaign_id, status, count(*) FROM calls
  WHERE status IS NOT NULL AND campaign_id IS NOT NULL GROUP BY 1, 3, 4
UNION ALL
SELECT organization_id, agent_id, campaign_id, status, count(*) FROM calls
  WHERE status IS NOT NULL AND campaign_id IS NOT NULL GROUP BY 1, 2, 3, 4;

CREATE TRIGGER ended_calls_are_counted AFTER UPDATE OF status ON calls
WHEN old.status IS NULL AND new.status IS NOT NULL
BEGIN
  INSERT INTO call_counts VALUES
    (new.organization_id, '', '', new.status, 1), (new.organization_id, new.agent_id, '', new.status, 1)
  ON CONFLICT DO UPDATE SET calls = calls + 1;
END;
CREATE TRIGGER ended_calls_of_campaigns_are_counted AFTER UPDATE OF status ON calls
WHEN old.status IS NULL AND new.status IS NOT NULL AND new.campaign_id IS NOT NULL
BEGIN
  INSERT INTO call_counts VALUES
    (new.organization_id, '', new.campaign_id, new.status, 1), (new.organization_id, new.agent_id, new.campaign_id, new.status, 1)
  ON CONFLICT DO UPDATE SET calls = calls + 1;
END;
CREATE TRIGGER calls_inserted_ended_are_counted AFTER INSERT ON calls WHEN new.status IS NOT NULL
BEGIN
  INSERT INTO call_counts
  SELECT new.organization_id, agent.id, campaign.id, new.status, 1
  FROM (SELECT '' AS id UNION ALL SELECT new.agent_id) agent,
    (SELECT '' AS id UNION ALL SELECT new.campaign_id WHERE new.campaign_id IS NOT NULL) campaign
  WHERE true
  ON CONFLICT DO UPDATE SET calls = calls + 1;
END;
CREATE TRIGGER calls_change_their_count AFTER UPDATE OF status ON calls WHEN old.status IS NOT NULL AND old.status IS NOT new.status
BEGIN
  SELECT raise(ABORT, 'the status of an ended call does not change');
END;
CREATE TRIGGER calls_leave_the_count AFTER DELETE ON calls WHEN old.status IS NOT NULL
BEGIN
  UPDATE call_counts SET calls = calls - 1
  WHERE organization_id = old.organization_id AND agent_id IN ('', old.agent_id)
    AND campaign_id IN ('', coalesce(old.campaign_id, '')) AND status = old.status;
END;

-- An ended call enters the indexes of its agent and campaign with its status, so that a list of one status reads only its own entries.
-- Live calls are listed from calls_live. It holds the status too, which is always NULL there, so that SQLite prefers it to
-- calls_of_organization: one more of its columns is compared.
DROP INDEX calls_of_agent;
CREATE INDEX calls_of_agent ON calls (agent_id, status, id) WHERE status IS NOT NULL;
DROP INDEX calls_of_campaign;
CREATE INDEX calls_of_campaign ON calls (campaign_id, status, id, agent_id) WHERE campaign_id IS NOT NULL AND status IS NOT NULL;
DROP INDEX calls_live;
CREATE INDEX calls_live ON calls (organization_id, status, id, agent_id, campaign_id) WHERE status IS NULL;

-- The counters of a campaign join several statuses (no_answer, busy and voicemail; failed, cancelled and expired). These columns
-- count the statuses that have no counter of their own; that of no_answer and of failed follows by subtraction.
ALTER TABLE campaigns ADD COLUMN busy INTEGER NOT NULL DEFAULT 0 CHECK (busy >= 0);
ALTER TABLE campaigns ADD COLUMN voicemail INTEGER NOT NULL DEFAULT 0 CHECK (voicemail >= 0);
ALTER TABLE campaigns ADD COLUMN cancelled INTEGER NOT NULL DEFAULT 0 CHECK (cancelled >= 0);
ALTER TABLE campaigns ADD COLUMN expired INTEGER NOT NULL DEFAULT 0 CHECK (expired >= 0);
UPDATE campaigns SET busy = counted.busy, voicemail = counted.voicemail, cancelled = counted.cancelled, expired = counted.expired
FROM (
  SELECT campaign_id, count(*) FILTER (WHERE status = 'busy') AS busy, count(*) FILTER (WHERE status = 'voicemail') AS voicemail,
    count(*) FILTER (WHERE status = 'cancelled') AS cancelled, count(*) FILTER (WHERE status = 'expired') AS expired
  FROM campaign_contacts WHERE status IN ('busy', 'voicemail', 'cancelled', 'expired') GROUP BY campaign_id
) AS counted
WHERE counted.campaign_id = campaigns.id;

CREATE TRIGGER campaign_contacts_are_counted AFTER UPDATE OF status ON campaign_contacts
WHEN old.status <> new.status
  AND (old.status IN ('busy', 'voicemail', 'cancelled', 'expired') OR new.status IN ('busy', 'voicemail', 'cancelled', 'expired'))
BEGIN
  UPDATE campaigns SET
    busy = busy + (new.status = 'busy') - (old.status = 'busy'),
    voicemail = voicemail + (new.status = 'voicemail') - (old.status = 'voicemail'),
    cancelled = cancelled + (new.status = 'cancelled') - (old.status = 'cancelled'),
    expired = expired + (new.status = 'expired') - (old.status = 'expired')
  WHERE id = new.campaign_id;
END;
CREATE TRIGGER campaign_contacts_leave_the_count AFTER DELETE ON campaign_contacts
WHEN old.status IN ('busy', 'voicemail', 'cancelled', 'expired')
BEGIN
  UPDATE campaigns SET
    busy = busy - (old.status = 'busy'), voicemail = voicemail - (old.status = 'voicemail'),
    cancelled = cancelled - (old.status = 'cancelled'), expired = expired - (old.status = 'expired')
  WHERE id = old.campaign_id;
END;

-- Deliveries of each endpoint by status; pending ones are the rest. Most deliveries go from pending to delivered, which changes one number.
CREATE TABLE delivery_counts (
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  endpoint_id TEXT NOT NULL REFERENCES webhook_endpoints (id) ON DELETE CASCADE,
  total INTEGER NOT NULL DEFAULT 0,
  retrying INTEGER NOT NULL DEFAULT 0 CHECK (retrying >= 0),
  held INTEGER NOT NULL DEFAULT 0 CHECK (held >= 0),
  delivered INTEGER NOT NULL DEFAULT 0 CHECK (delivered >= 0),
  exhausted INTEGER NOT NULL DEFAULT 0 CHECK (exhausted >= 0),
  cancelled INTEGER NOT NULL DEFAULT 0 CHECK (cancelled >= 0),
  PRIMARY KEY (organization_id, endpoint_id),
  CHECK (total >= retrying + held + delivered + exhausted + cancelled)
) STRICT, WITHOUT ROWID;
CREATE INDEX delivery_counts_of_endpoint ON delivery_counts (endpoint_id);
INSERT INTO delivery_counts
SELECT p.organization_id, p.id, count(d.id), count(*) FILTER (WHERE d.status = 'retrying'), count(*) FILTER (WHERE d.status = 'held'),
  count(*) FILTER (WHERE d.status = 'delivered'), count(*) FILTER (WHERE d.status = 'exhausted'),
  count(*) FILTER (WHERE d.status = 'cancelled')
FROM webhook_endpoints p LEFT JOIN webhook_deliveries d ON d.endpoint_id = p.id GROUP BY p.id;

CREATE TRIGGER webhook_endpoints_have_counts AFTER INSERT ON webhook_endpoints
BEGIN
  INSERT INTO delivery_counts (organization_id, endpoint_id) VALUES (new.organization_id, new.id);
END;
CREATE TRIGGER webhook_deliveries_are_counted AFTER INSERT ON webhook_deliveries
BEGIN
  UPDATE delivery_counts SET total = total + 1, retrying = retrying + (new.status = 'retrying'), held = held + (new.status = 'held'),
    delivered = delivered + (new.status = 'delivered'), exhausted = exhausted + (new.status = 'exhausted'),
    cancelled = cancelled + (new.status = 'cancelled')
  WHERE organization_id = new.organization_id AND endpoint_id = new.endpoint_id;
END;
CREATE TRIGGER webhook_deliveries_change_their_count AFTER UPDATE OF status ON webhook_deliveries WHEN old.status <> new.status
BEGIN
  UPDATE delivery_counts SET
    retrying = retrying + (new.status = 'retrying') - (old.status = 'retrying'),
    held = held + (new.status = 'held') - (old.status = 'held'),
    delivered = delivered + (new.status = 'delivered') - (old.status = 'delivered'),
    exhausted = exhausted + (new.status = 'exhausted') - (old.status = 'exhausted'),
    cancelled = cancelled + (new.status = 'cancelled') - (old.status = 'cancelled')
  WHERE organization_id = new.organization_id AND endpoint_id = new.endpoint_id;
END;
CREATE TRIGGER webhook_deliveries_leave_the_count AFTER DELETE ON webhook_deliveries
BEGIN
  UPDATE delivery_counts SET total = total - 1, retrying = retrying - (old.status = 'retrying'), held = held - (old.status = 'held'),
    delivered = delivered - (old.status = 'delivered'), exhausted = exhausted - (old.status = 'exhausted'),
    cancelled = cancelled - (old.status = 'cancelled')
  WHERE organization_id = old.organization_id AND endpoint_id = old.endpoint_id;
END;
-- Finds the endpoints of an agent, removed ones too.
CREATE INDEX webhook_endpoints_of_agent ON webhook_endpoints (agent_id, id);
