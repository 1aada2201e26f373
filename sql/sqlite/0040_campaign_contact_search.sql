-- A campaign contact has the name, phone and e-mail of its contact, so a search in a campaign uses the index of contacts. Campaign
-- contacts that differ, because they ended before the contact changed or because it was deleted, are in the index themselves.
CREATE TABLE search_pending (
  organization_id TEXT NOT NULL,
  -- '' if `id` is a contact's, else it is a campaign contact's.
  campaign_id TEXT NOT NULL,
  id TEXT NOT NULL,
  PRIMARY KEY (organization_id, campaign_id, id)
) STRICT, WITHOUT ROWID;
INSERT INTO search_pending SELECT organization_id, '', contact_id FROM contact_search_pending;
DROP TRIGGER contacts_enter_the_search;
DROP TRIGGER contacts_change_in_the_search;
DROP TRIGGER contacts_leave_the_search;
DROP TABLE contact_search_pending;
ALTER TABLE search_pending RENAME TO contact_search_pending;
ALTER TABLE contact_search_entries RENAME COLUMN contact_id TO id;

CREATE TRIGGER contacts_enter_the_search AFTER INSERT ON contacts
BEGIN
  INSERT INTO contact_search_pending VALUES (new.organization_id, '', new.id) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER contacts_change_in_the_search AFTER UPDATE OF search ON contacts WHEN old.search <> new.search
BEGIN
  INSERT INTO contact_search_pending VALUES (new.organization_id, '', new.id) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER contacts_leave_the_search AFTER DELETE ON contacts
BEGIN
  INSERT INTO contact_search_pending VALUES (old.organization_id, '', old.id) ON CONFLICT DO NOTHING;
END;

-- The program notes the campaign contacts that do not follow a change of their contact.
CREATE TRIGGER campaign_contacts_change_in_the_search AFTER UPDATE OF name, phone, email, contact_id ON campaign_contacts
WHEN old.name IS NOT new.name OR old.phone <> new.phone OR old.email IS NOT new.email OR old.contact_id IS NOT new.contact_id
BEGIN
  INSERT INTO contact_search_pending SELECT organization_id, id, new.id FROM campaigns WHERE id = new.campaign_id
  ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER campaign_contacts_leave_the_search AFTER DELETE ON campaign_contacts
WHEN EXISTS (SELECT 1 FROM contact_search_entries WHERE id = old.id)
BEGIN
  INSERT INTO contact_search_pending SELECT organization_id, id, old.id FROM campaigns WHERE id = old.campaign_id
  ON CONFLICT DO NOTHING;
END;
INSERT INTO contact_search_pending
SELECT campaign.organization_id, cc.campaign_id, cc.id
FROM campaign_contacts cc JOIN campaigns campaign ON campaign.id = cc.campaign_id LEFT JOIN contacts contact ON contact.id = cc.contact_id
WHERE cc.phone IS NOT contact.phone OR cc.email IS NOT contact.email
  OR coalesce(cc.name, '') <> concat_ws(' ', nullif(contact.first_name, ''), nullif(contact.last_name, ''));
