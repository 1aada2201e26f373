-- Count the calls of a campaign by time without reading the calls: those that started in a period, with how many were answered, and those
-- that ended in it, by outcome. Live calls have no entry, so a call adds to these indexes once, when it ends.
CREATE INDEX calls_of_campaign_by_start ON calls (campaign_id, started_at, answered_at)
  WHERE campaign_id IS NOT NULL AND state = 'ended';
CREATE INDEX calls_of_campaign_by_end ON calls (campaign_id, ended_at, status)
  WHERE campaign_id IS NOT NULL AND state = 'ended';
