-- A call moves its campaign contact from pending to in progress and then to its outcome. An index that begins with the campaign has pages
-- of its own for each campaign, and the write-ahead log takes a whole page for each entry that a call adds or removes. So contacts in
-- progress, which are few, have an index of their own whose pages campaigns share, and a pending contact has one entry instead of three.
DROP INDEX campaign_contacts_by_status;
DROP INDEX campaign_contacts_retries;
DROP INDEX campaign_contacts_first;
DROP INDEX campaign_contacts_next_retry;
DROP INDEX campaign_contacts_next_first;

-- The dialer's queues, one for each time zone: first attempts (without `next_retry_at`) in the order of adding, retries by their due time.
CREATE INDEX campaign_contacts_pending ON campaign_contacts (campaign_id, timezone, next_retry_at, position) WHERE status = 'pending';
-- The same over all time zones but '', because a look-up in each of hundreds of open zones would cost a tick a millisecond.
CREATE INDEX campaign_contacts_pending_zoned ON campaign_contacts (campaign_id, next_retry_at, position)
  WHERE status = 'pending' AND timezone <> '';
CREATE INDEX campaign_contacts_retries ON campaign_contacts (campaign_id, position)
  WHERE status = 'pending' AND next_retry_at IS NOT NULL;
CREATE INDEX campaign_contacts_in_progress ON campaign_contacts (campaign_id, position) WHERE status = 'in_progress';
CREATE INDEX campaign_contacts_ended ON campaign_contacts (campaign_id, status, position)
  WHERE status NOT IN ('pending', 'in_progress');
