-- Calls that end together seldom have campaign, agent and status in common, so entering a call in five indexes when it ends changes five
-- pages. Instead it enters the index of its organization's recent calls alone, and a job files hundreds of them together into the five
-- (src/features/calls/filing.ts). An ended call is either recent or filed, so lists read both kinds. Calls that ended before this migration
-- are filed.
ALTER TABLE calls ADD COLUMN recent INTEGER NOT NULL DEFAULT 0 CHECK (recent = 0 OR state = 'ended');
CREATE INDEX calls_recent ON calls (organization_id, id, status, agent_id, campaign_id) WHERE recent = 1;

DROP INDEX calls_by_status;
DROP INDEX calls_of_agent;
DROP INDEX calls_of_campaign;
DROP INDEX calls_of_campaign_by_start;
DROP INDEX calls_of_campaign_by_end;
CREATE INDEX calls_by_status ON calls (organization_id, status, id) WHERE status IS NOT NULL AND recent = 0;
CREATE INDEX calls_of_agent ON calls (agent_id, status, id) WHERE status IS NOT NULL AND recent = 0;
CREATE INDEX calls_of_campaign ON calls (campaign_id, status, id, agent_id)
  WHERE campaign_id IS NOT NULL AND status IS NOT NULL AND recent = 0;
CREATE INDEX calls_of_campaign_by_start ON calls (campaign_id, started_at, answered_at)
  WHERE campaign_id IS NOT NULL AND state = 'ended' AND recent = 0;
CREATE INDEX calls_of_campaign_by_end ON calls (campaign_id, ended_at, status)
  WHERE campaign_id IS NOT NULL AND state = 'ended' AND recent = 0;

-- No query reads this index.
DROP INDEX outbox_external;
