-- The beginning of each text, for lists: SQLite reads a text from its first page to its last, also for its first characters.
CREATE TABLE knowledge_excerpts (
  document_id TEXT PRIMARY KEY REFERENCES knowledge_documents (id) ON DELETE CASCADE,
  excerpt TEXT NOT NULL
) STRICT;
INSERT INTO knowledge_excerpts (document_id, excerpt)
SELECT document_id, substr(text, 1, 2000) FROM knowledge_texts ORDER BY rowid;

CREATE TRIGGER knowledge_texts_have_excerpts AFTER INSERT ON knowledge_texts
BEGIN
  INSERT INTO knowledge_excerpts (document_id, excerpt) VALUES (new.document_id, substr(new.text, 1, 2000));
END;
CREATE TRIGGER knowledge_texts_change_their_excerpts AFTER UPDATE OF text ON knowledge_texts
BEGIN
  UPDATE knowledge_excerpts SET excerpt = substr(new.text, 1, 2000) WHERE document_id = new.document_id;
END;
