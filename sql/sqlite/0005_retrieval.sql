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
  title TEXT NOT NULL,
  heading TEXT,
  page INTEGER,
  -- Words of the text alone.
  length INTEGER NOT NULL,
  -- SHA-256 of what is embedded: title, headings and text.
  content_hash TEXT NOT NULL,
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
  DELETE FROM retrieval_vectors WHERE base_id = old.base_id AND passage_id = old.id;
  DELETE FROM retrieval_unembedded WHERE base_id = old.base_id AND passage_id = old.id;
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

-- Where vectors can be compared: those of one model with one length.
CREATE TABLE retrieval_spaces (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  model TEXT NOT NULL,
  -- What the endpoint is asked for; 0 leaves it to the model.
  asked_dimensions INTEGER NOT NULL,
  -- What its vectors have; null before the first.
  dimensions INTEGER,
  -- Whether it is what the settings name, and everything that has no vector in it is in retrieval_unembedded.
  is_current INTEGER NOT NULL DEFAULT 0,
  UNIQUE (model, asked_dimensions)
) STRICT;

-- What the endpoint answered, so that no organization pays for the same text twice.
CREATE TABLE retrieval_embeddings (
  id INTEGER PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  space_id INTEGER NOT NULL REFERENCES retrieval_spaces (id),
  content_hash TEXT NOT NULL,
  -- Float32, little-endian, of length 1.
  vector BLOB NOT NULL,
  UNIQUE (organization_id, space_id, content_hash)
) STRICT;

-- The vectors of a base's passages side by side: a bit for the sign of each dimension, to be compared with a question's.
CREATE TABLE retrieval_vectors (
  base_id INTEGER NOT NULL,
  space_id INTEGER NOT NULL REFERENCES retrieval_spaces (id),
  passage_id INTEGER NOT NULL,
  embedding_id INTEGER NOT NULL REFERENCES retrieval_embeddings (id),
  signs BLOB NOT NULL,
  PRIMARY KEY (base_id, passage_id, space_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX retrieval_vectors_of_embedding ON retrieval_vectors (embedding_id);

-- Passages that wait for the endpoint; words find them meanwhile.
CREATE TABLE retrieval_unembedded (
  base_id INTEGER NOT NULL,
  passage_id INTEGER NOT NULL,
  PRIMARY KEY (base_id, passage_id)
) STRICT, WITHOUT ROWID;
