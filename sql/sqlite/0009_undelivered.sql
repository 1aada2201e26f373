-- One index of undelivered rows instead of two that every delivery had to pass through. It starts with the organization, because an index
-- that starts with the endpoint spreads its writes over as many pages as there are endpoints. Delivered rows need no index: lists read
-- them in order of id, and their count is the total minus the undelivered.
DROP INDEX webhook_deliveries_by_status;
DROP INDEX webhook_deliveries_undelivered;
CREATE INDEX webhook_deliveries_undelivered ON webhook_deliveries (organization_id, status, id, endpoint_id, delivered_at)
  WHERE delivered_at IS NULL;
