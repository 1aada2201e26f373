-- Passages and where their words stand. SQLite's own bm25() counts over all tenants of an FTS5 table, so the index is only asked
-- which passages have a word: its words begin with the number of their base (3_refund), each base has its own, and the ranking is
-- computed from what a base has.

-- The index of a knowledge base. Numbers are never given again: words of a base that was removed may be in the index for a while.
CREATE TABLE retrieval_bases (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  knowledge_base_id TEXT NOT NULL UNIQUE,
  -- Passages, and the words in them all; kept by the triggers below.
  passages INTEGER NOT NULL DEFAULT 0,
  words INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE retrieval_passages (
  id INTEGER PRIMARY KEY,
  base_id INTEGER NOT NULL REFERENCES retrieval_bases (id),
  document_id TEXT NOT NULL REFERENCES knowledge_documents (id) ON DELETE CASCADE,
  heading TEXT,
  page INTEGER,
  -- Words of the text alone.
  length INTEGER NOT NULL,
  -- The index's words, in order: a line for the title, one for the headings, one for the text.
  words TEXT NOT NULL,
  text TEXT NOT NULL
) STRICT;
CREATE INDEX retrieval_passages_of_document ON retrieval_passages (document_id);
CREATE INDEX retrieval_passages_of_base ON retrieval_passages (base_id, id);

CREATE TRIGGER retrieval_passages_are_counted AFTER INSERT ON retrieval_passages
BEGIN
  UPDATE retrieval_bases SET passages = passages + 1, words = words + new.length WHERE id = new.base_id;
END;
CREATE TRIGGER retrieval_passages_leave_the_index AFTER DELETE ON retrieval_passages
BEGIN
  UPDATE retrieval_bases SET passages = passages - 1, words = words - old.length WHERE id = old.base_id;
  DELETE FROM retrieval_words WHERE rowid = old.id;
END;

-- Which passages have a word; the row is the passage's. Words come in cut and folded (words/ in src/features/knowledge/retrieval),
-- so the tokenizer only splits at blanks. salient has the words of title and headings and those that the text repeats.
CREATE VIRTUAL TABLE retrieval_words USING fts5(
  salient, plain,
  content = '', contentless_delete = 1, detail = column, tokenize = "ascii tokenchars '_.'"
);

-- Every word that a base ever had, to find what a misspelt one may have meant.
CREATE TABLE retrieval_vocabulary (
  id INTEGER PRIMARY KEY,
  base_id INTEGER NOT NULL REFERENCES retrieval_bases (id),
  word TEXT NOT NULL,
  UNIQUE (base_id, word)
) STRICT;

-- Which words have a trigram; the row is the word's.
CREATE VIRTUAL TABLE retrieval_trigrams USING fts5(
  trigrams,
  content = '', contentless_delete = 1, detail = none, tokenize = "ascii tokenchars '_.^$'"
);
CREATE TRIGGER retrieval_vocabulary_leaves_the_index AFTER DELETE ON retrieval_vocabulary
BEGIN
  DELETE FROM retrieval_trigrams WHERE rowid = old.id;
END;
