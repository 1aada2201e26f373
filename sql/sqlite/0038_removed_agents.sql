-- A deleted agent is hidden while a job clears it in its campaigns. Then its row goes.
ALTER TABLE agents ADD COLUMN removed_at INTEGER;
DROP INDEX agents_of_organization;
CREATE INDEX agents_of_organization ON agents (organization_id, id) WHERE removed_at IS NULL;
