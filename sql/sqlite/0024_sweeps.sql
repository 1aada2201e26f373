-- A hundred thousand deliveries may wait for an endpoint. When it fails, recovers or is removed, they are held, released or cancelled in
-- batches: a sweep. Readers see the new status of a delivery as soon as the sweep begins, although it is stored batch by batch.
ALTER TABLE webhook_endpoints ADD COLUMN sweep TEXT CHECK (sweep IN ('hold', 'release', 'cancel'));
-- How many sweeps have been started; this is also the number of the present or last one.
ALTER TABLE webhook_endpoints ADD COLUMN sweeps INTEGER NOT NULL DEFAULT 0;
CREATE INDEX webhook_endpoints_sweeping ON webhook_endpoints (organization_id) WHERE sweep IS NOT NULL;

-- The endpoint's `sweeps` when the delivery's status was stored. If they are equal, the present sweep has reached the delivery.
ALTER TABLE webhook_deliveries ADD COLUMN swept INTEGER NOT NULL DEFAULT 0;

-- With `swept`, so that a sweep finds what it has not reached without reading the deliveries.
DROP INDEX webhook_deliveries_undelivered;
CREATE INDEX webhook_deliveries_undelivered
  ON webhook_deliveries (organization_id, status, id, endpoint_id, swept, delivered_at) WHERE delivered_at IS NULL;
