-- Texts are apart from their documents: SQLite writes a row anew, however long it is, when any column of it changes, and holds up
-- everybody meanwhile.
CREATE TABLE knowledge_texts (
  document_id TEXT PRIMARY KEY REFERENCES knowledge_documents (id) ON DELETE CASCADE,
  text TEXT NOT NULL
) STRICT;

INSERT INTO knowledge_texts (document_id, text)
SELECT id, text FROM knowledge_documents WHERE text IS NOT NULL ORDER BY id;

ALTER TABLE knowledge_documents DROP COLUMN text;
