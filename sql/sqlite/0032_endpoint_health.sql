-- What an attempt sent and was answered, as JSON objects; null for attempts of earlier releases.
ALTER TABLE webhook_attempts ADD COLUMN request_headers TEXT;
ALTER TABLE webhook_attempts ADD COLUMN response_headers TEXT;

-- Failed attempts since the last success, or since the endpoint was resumed. There are some exactly while there is a last_error.
ALTER TABLE webhook_endpoints ADD COLUMN failures INTEGER NOT NULL DEFAULT 0 CHECK (failures >= 0);
UPDATE webhook_endpoints SET failures = max(1, coalesce(
  (SELECT max(d.failures) FROM webhook_deliveries d WHERE d.endpoint_id = webhook_endpoints.id AND d.delivered_at IS NULL), 0))
WHERE last_error IS NOT NULL;

-- Stored in this table, because the trigger writes its row for every delivery anyway.
ALTER TABLE delivery_counts ADD COLUMN last_delivered_at INTEGER;
UPDATE delivery_counts SET last_delivered_at =
  (SELECT max(d.delivered_at) FROM webhook_deliveries d WHERE d.endpoint_id = delivery_counts.endpoint_id);

DROP TRIGGER webhook_deliveries_change_their_count;
CREATE TRIGGER webhook_deliveries_change_their_count AFTER UPDATE OF status ON webhook_deliveries WHEN old.status <> new.status
BEGIN
  UPDATE delivery_counts SET
    retrying = retrying + (new.status = 'retrying') - (old.status = 'retrying'),
    held = held + (new.status = 'held') - (old.status = 'held'),
    delivered = delivered + (new.status = 'delivered') - (old.status = 'delivered'),
    exhausted = exhausted + (new.status = 'exhausted') - (old.status = 'exhausted'),
    cancelled = cancelled + (new.status = 'cancelled') - (old.status = 'cancelled'),
    last_delivered_at = coalesce(new.delivered_at, last_delivered_at)
  WHERE organization_id = new.organization_id AND endpoint_id = new.endpoint_id;
END;
