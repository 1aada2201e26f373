-- Lists campaign contacts that ended without an attempt after those that were called. A call never changes this index.
CREATE INDEX campaign_contacts_unattempted ON campaign_contacts (campaign_id, status, position)
  WHERE last_attempted_at IS NULL AND status <> 'pending';
