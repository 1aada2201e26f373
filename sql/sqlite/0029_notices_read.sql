-- When a person of the organization marked the notice as read; null until then. The index counts unread notices.
ALTER TABLE notices ADD COLUMN read_at INTEGER;
CREATE INDEX notices_unread ON notices (organization_id, id) WHERE read_at IS NULL;
