-- Finds contacts by any part of their search text. Indexing takes longer than writing the contact, so the writing transaction only notes
-- the contact as pending, and the background thread indexes pending contacts in batches. A search looks at both.
CREATE TABLE contact_search_pending (
  organization_id TEXT NOT NULL,
  contact_id TEXT NOT NULL,
  PRIMARY KEY (organization_id, contact_id)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER contacts_enter_the_search AFTER INSERT ON contacts
BEGIN
  INSERT INTO contact_search_pending VALUES (new.organization_id, new.id) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER contacts_change_in_the_search AFTER UPDATE OF search ON contacts WHEN old.search <> new.search
BEGIN
  INSERT INTO contact_search_pending VALUES (new.organization_id, new.id) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER contacts_leave_the_search AFTER DELETE ON contacts
BEGIN
  INSERT INTO contact_search_pending VALUES (old.organization_id, old.id) ON CONFLICT DO NOTHING;
END;
INSERT INTO contact_search_pending SELECT organization_id, id FROM contacts;

-- The contacts in the index; their number is the rowid there.
CREATE TABLE contact_search_entries (
  number INTEGER PRIMARY KEY,
  contact_id TEXT NOT NULL UNIQUE
) STRICT;

-- Which contacts contain a trigram. src/search/contacts makes the terms, so the tokenizer only splits at spaces. Merging a few pages at a
-- time is up to the background thread, as for retrieval_words.
CREATE VIRTUAL TABLE contact_search_trigrams USING fts5(
  trigrams,
  content = '', contentless_delete = 1, detail = none, tokenize = "ascii tokenchars '.'"
);
INSERT INTO contact_search_trigrams (contact_search_trigrams, rank) VALUES ('automerge', 0);
