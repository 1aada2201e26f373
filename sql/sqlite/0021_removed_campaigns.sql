-- A campaign is removed at once; its rows, perhaps a million, are deleted afterwards in batches.
ALTER TABLE campaigns ADD COLUMN removed_at INTEGER;

DROP INDEX campaigns_of_organization;
CREATE INDEX campaigns_of_organization ON campaigns (organization_id, id) WHERE removed_at IS NULL;
DROP INDEX campaigns_by_status;
CREATE INDEX campaigns_by_status ON campaigns (organization_id, status, id) WHERE removed_at IS NULL;
