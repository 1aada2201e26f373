-- Campaigns that share the lines or the pace of a number or of the organization wait in a queue and are given a turn one by one. The
-- dialer tick scheduled for `turn_at` starts a call, or passes the turn on.
ALTER TABLE campaigns ADD COLUMN turn_at INTEGER;

DROP INDEX campaigns_waiting;
-- Finds, for each number, the waiting campaign whose last call is longest ago.
CREATE INDEX campaigns_waiting ON campaigns (organization_id, phone_number_id, pace_at)
  WHERE waiting_for IN ('number', 'organization') AND turn_at IS NULL AND phone_number_id IS NOT NULL;
CREATE INDEX campaigns_with_turn ON campaigns (organization_id, phone_number_id, turn_at) WHERE turn_at IS NOT NULL;

-- Finds the next contact to call, whatever its time zone: with hundreds of open zones, a look-up for each would cost a tick a millisecond.
CREATE INDEX campaign_contacts_next_retry ON campaign_contacts (campaign_id, next_retry_at, position)
  WHERE status = 'pending' AND next_retry_at IS NOT NULL;
CREATE INDEX campaign_contacts_next_first ON campaign_contacts (campaign_id, position)
  WHERE status = 'pending' AND next_retry_at IS NULL;
