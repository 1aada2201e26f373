-- Counts of the lists of notices and of a contact's notes, kept by triggers.
ALTER TABLE organization_counts ADD COLUMN notices INTEGER NOT NULL DEFAULT 0 CHECK (notices >= 0);
UPDATE organization_counts
SET notices = (SELECT count(*) FROM notices WHERE notices.organization_id = organization_counts.organization_id);
CREATE TRIGGER notices_are_counted AFTER INSERT ON notices
BEGIN
  UPDATE organization_counts SET notices = notices + 1 WHERE organization_id = new.organization_id;
END;
CREATE TRIGGER notices_leave_the_count AFTER DELETE ON notices
BEGIN
  UPDATE organization_counts SET notices = notices - 1 WHERE organization_id = old.organization_id;
END;

ALTER TABLE contacts ADD COLUMN note_count INTEGER NOT NULL DEFAULT 0 CHECK (note_count >= 0);
UPDATE contacts
SET note_count = (SELECT count(*) FROM contact_notes WHERE contact_notes.contact_id = contacts.id)
WHERE id IN (SELECT contact_id FROM contact_notes);
CREATE TRIGGER contact_notes_are_counted AFTER INSERT ON contact_notes
BEGIN
  UPDATE contacts SET note_count = note_count + 1 WHERE id = new.contact_id;
END;
CREATE TRIGGER contact_notes_leave_the_count AFTER DELETE ON contact_notes
BEGIN
  UPDATE contacts SET note_count = note_count - 1 WHERE id = old.contact_id;
END;
