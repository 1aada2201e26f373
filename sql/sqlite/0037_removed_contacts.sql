-- A deleted contact loses its data at once, and is hidden while a job clears the references to it. Then its row goes.
ALTER TABLE contacts ADD COLUMN removed_at INTEGER;

DROP TRIGGER contacts_leave_the_count;
CREATE TRIGGER contacts_leave_the_count AFTER DELETE ON contacts WHEN old.removed_at IS NULL
BEGIN
  UPDATE organization_counts SET contacts = contacts - 1 WHERE organization_id = old.organization_id;
END;
CREATE TRIGGER removed_contacts_leave_the_count AFTER UPDATE OF removed_at ON contacts
WHEN old.removed_at IS NULL AND new.removed_at IS NOT NULL
BEGIN
  UPDATE organization_counts SET contacts = contacts - 1 WHERE organization_id = new.organization_id;
END;
