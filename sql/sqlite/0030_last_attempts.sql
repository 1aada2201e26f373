-- Lists the contacts of a campaign by their last attempt, the newest first. Contacts that were not attempted yet have no entry.
CREATE INDEX campaign_contacts_attempted ON campaign_contacts (campaign_id, last_attempted_at DESC, position)
  WHERE last_attempted_at IS NOT NULL;
