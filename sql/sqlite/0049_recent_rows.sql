-- A live call entered one index and left it at its end for another, on a page of its own each time, because calls end in another order than
-- they start. Now a call enters the index of recent calls when it is created, with the newest, and leaves it when it is filed. No index
-- changes when a call ends. A call now enters the index of calls by contact only when it is filed. At the same time its campaign contact
-- enters the indexes of ended and of attempted campaign contacts. Until then lists find both through the index of recent calls.
DROP INDEX calls_recent;
DROP INDEX calls_by_status;
DROP INDEX calls_of_agent;
DROP INDEX calls_of_campaign;
DROP INDEX calls_of_campaign_by_start;
DROP INDEX calls_of_campaign_by_end;
DROP INDEX calls_of_contact;
ALTER TABLE calls DROP COLUMN recent;
-- 1: live, or ended and not filed yet. Calls that ended before this migration are filed.
ALTER TABLE calls ADD COLUMN recent INTEGER NOT NULL DEFAULT 0 CHECK (recent IN (0, 1));
UPDATE calls SET recent = 1 WHERE status IS NULL;
DROP INDEX calls_live;
CREATE INDEX calls_recent ON calls (organization_id, id, campaign_id, agent_id, contact_id, campaign_contact_id) WHERE recent = 1;
CREATE INDEX calls_by_status ON calls (organization_id, status, id) WHERE status IS NOT NULL AND recent = 0;
CREATE INDEX calls_of_agent ON calls (agent_id, status, id) WHERE status IS NOT NULL AND recent = 0;
CREATE INDEX calls_of_contact ON calls (contact_id, id) WHERE contact_id IS NOT NULL AND status IS NOT NULL AND recent = 0;
CREATE INDEX calls_of_campaign ON calls (campaign_id, status, id, agent_id)
  WHERE campaign_id IS NOT NULL AND status IS NOT NULL AND recent = 0;
CREATE INDEX calls_of_campaign_by_start ON calls (campaign_id, started_at, answered_at)
  WHERE campaign_id IS NOT NULL AND state = 'ended' AND recent = 0;
CREATE INDEX calls_of_campaign_by_end ON calls (campaign_id, ended_at, status)
  WHERE campaign_id IS NOT NULL AND state = 'ended' AND recent = 0;

-- How many live calls an organization has with each carrier driver ('' if the call names none).
CREATE TABLE live_call_counts (
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  driver TEXT NOT NULL,
  calls INTEGER NOT NULL CHECK (calls >= 0),
  PRIMARY KEY (organization_id, driver)
) STRICT, WITHOUT ROWID;
CREATE INDEX live_call_counts_of_driver ON live_call_counts (driver) WHERE calls > 0;
INSERT INTO live_call_counts
  SELECT organization_id, coalesce(driver, ''), count(*) FROM calls INDEXED BY calls_recent WHERE recent = 1 GROUP BY 1, 2;
CREATE TRIGGER live_calls_are_counted AFTER INSERT ON calls WHEN new.status IS NULL
BEGIN
  SELECT raise(ABORT, 'a live call must be recent') WHERE new.recent = 0;
  INSERT INTO live_call_counts VALUES (new.organization_id, coalesce(new.driver, ''), 1) ON CONFLICT DO UPDATE SET calls = calls + 1;
END;
CREATE TRIGGER ended_calls_leave_the_live_ones AFTER UPDATE OF status ON calls WHEN old.status IS NULL AND new.status IS NOT NULL
BEGIN
  UPDATE live_call_counts SET calls = calls - 1 WHERE organization_id = old.organization_id AND driver = coalesce(old.driver, '');
END;
CREATE TRIGGER deleted_calls_leave_the_live_ones AFTER DELETE ON calls WHEN old.status IS NULL
BEGIN
  UPDATE live_call_counts SET calls = calls - 1 WHERE organization_id = old.organization_id AND driver = coalesce(old.driver, '');
END;

-- 1 from the start of an attempt until its call is filed: meanwhile lists find the contact through that call.
ALTER TABLE campaign_contacts ADD COLUMN recent INTEGER NOT NULL DEFAULT 0 CHECK (recent IN (0, 1));
UPDATE campaign_contacts SET recent = 1 WHERE id IN (
  SELECT cc.id FROM campaigns c CROSS JOIN campaign_contacts cc ON cc.campaign_id = c.id WHERE cc.status = 'in_progress'
);
DROP INDEX campaign_contacts_in_progress;
DROP INDEX campaign_contacts_ended;
DROP INDEX campaign_contacts_attempted;
CREATE INDEX campaign_contacts_ended ON campaign_contacts (campaign_id, status, position)
  WHERE status NOT IN ('pending', 'in_progress') AND recent = 0;
CREATE INDEX campaign_contacts_attempted ON campaign_contacts (campaign_id, last_attempted_at, position DESC)
  WHERE last_attempted_at IS NOT NULL AND recent = 0;
-- A contact that is being called again meanwhile is filed with its next call.
CREATE TRIGGER filed_calls_file_their_campaign_contact AFTER UPDATE OF recent ON calls WHEN old.recent = 1 AND new.recent = 0
BEGIN
  SELECT raise(ABORT, 'a live call must be recent') WHERE new.status IS NULL;
  UPDATE campaign_contacts SET recent = 0 WHERE id = new.campaign_contact_id AND recent = 1 AND status <> 'in_progress';
END;
CREATE TRIGGER deleted_calls_file_their_campaign_contact AFTER DELETE ON calls
WHEN old.recent = 1 AND old.campaign_contact_id IS NOT NULL
BEGIN
  UPDATE campaign_contacts SET recent = 0 WHERE id = old.campaign_contact_id AND recent = 1 AND status <> 'in_progress';
END;
