-- The same list as before, read backwards. With the newest attempt first, each one came before the others of its campaign, and SQLite left
-- the pages of the index half empty.
DROP INDEX campaign_contacts_attempted;
CREATE INDEX campaign_contacts_attempted ON campaign_contacts (campaign_id, last_attempted_at, position DESC)
  WHERE last_attempted_at IS NOT NULL;

-- One trigger counts an ended call: the first a call without a campaign, the second a call of a campaign, which changes four counts.
DROP TRIGGER ended_calls_are_counted;
CREATE TRIGGER ended_calls_are_counted AFTER UPDATE OF status ON calls
WHEN old.status IS NULL AND new.status IS NOT NULL AND new.campaign_id IS NULL
BEGIN
  INSERT INTO call_counts VALUES
    (new.organization_id, '', '', new.status, 1), (new.organization_id, new.agent_id, '', new.status, 1)
  ON CONFLICT DO UPDATE SET calls = calls + 1;
END;
DROP TRIGGER ended_calls_of_campaigns_are_counted;
CREATE TRIGGER ended_calls_of_campaigns_are_counted AFTER UPDATE OF status ON calls
WHEN old.status IS NULL AND new.status IS NOT NULL AND new.campaign_id IS NOT NULL
BEGIN
  INSERT INTO call_counts VALUES
    (new.organization_id, '', '', new.status, 1), (new.organization_id, new.agent_id, '', new.status, 1),
    (new.organization_id, '', new.campaign_id, new.status, 1), (new.organization_id, new.agent_id, new.campaign_id, new.status, 1)
  ON CONFLICT DO UPDATE SET calls = calls + 1;
END;
