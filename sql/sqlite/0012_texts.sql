-- Texts move to a table of their own: when any column changes, SQLite rewrites the whole row, and every other query waits while a long
-- text is written.
CREATE TABLE knowledge_texts (
  document_id TEXT PRIMARY KEY REFERENCES knowledge_documents (id) ON DELETE CASCADE,
  text TEXT NOT NULL
) STRICT;

INSERT INTO knowledge_texts (document_id, text)
SELECT id, text FROM knowledge_documents WHERE text IS NOT NULL ORDER BY id;

ALTER TABLE knowledge_documents DROP COLUMN text;
