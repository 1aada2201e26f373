-- Counts the live calls of a carrier, by organization: a carrier may have a limit of calls at once.
CREATE INDEX calls_live_of_driver ON calls (driver, organization_id) WHERE status IS NULL;
