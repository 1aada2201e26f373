-- One index for what is under way instead of two, by organization: what endpoints have under way lies in as many places as there are
-- endpoints, and every delivery moved through both. What is delivered needs none: it is found in the order of ids, and counted as
-- everything but what is not.
DROP INDEX webhook_deliveries_by_status;
DROP INDEX webhook_deliveries_undelivered;
CREATE INDEX webhook_deliveries_undelivered ON webhook_deliveries (organization_id, status, id, endpoint_id, delivered_at)
  WHERE delivered_at IS NULL;
