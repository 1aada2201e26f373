-- Passages and their full-text index. FTS5's own bm25() would count words across all organizations, so the index only answers which
-- passages contain a word. Every indexed word starts with the number of its base (3_refund), and the ranking uses that base's counts.

-- The index of a knowledge base. Its number is never reused (AUTOINCREMENT): words of a removed base stay in the index for a while.
CREATE TABLE retrieval_bases (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  knowledge_base_id TEXT NOT NULL UNIQUE,
  -- Number of passages, and of words in all of them; the triggers below keep both up to date.
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
  -- Number of words in the text, without title and headings.
  length INTEGER NOT NULL,
  -- SHA-256 of the text that is embedded: title, headings and text.
  content_hash TEXT NOT NULL,
  -- The indexed words in order, in three lines: title, headings, text.
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

-- Which passages contain a word; a rowid is a passage's id. src/search segments, folds and stems words before they get here, so the
-- tokenizer only splits at spaces. salient holds the words of title and headings, and those that the text repeats.
CREATE VIRTUAL TABLE retrieval_words USING fts5(
  salient, plain,
  content = '', contentless_delete = 1, detail = column, tokenize = "ascii tokenchars '_.'"
);

-- Every word that a base has ever contained, to correct misspelt words in questions.
CREATE TABLE retrieval_vocabulary (
  id INTEGER PRIMARY KEY,
  base_id INTEGER NOT NULL REFERENCES retrieval_bases (id),
  word TEXT NOT NULL,
  UNIQUE (base_id, word)
) STRICT;

-- Which words contain a trigram; a rowid is the id of a word in retrieval_vocabulary.
CREATE VIRTUAL TABLE retrieval_trigrams USING fts5(
  trigrams,
  content = '', contentless_delete = 1, detail = none, tokenize = "ascii tokenchars '_.^$'"
);
CREATE TRIGGER retrieval_vocabulary_leaves_the_index AFTER DELETE ON retrieval_vocabulary
BEGIN
  DELETE FROM retrieval_trigrams WHERE rowid = old.id;
END;

-- Vector spaces. Only vectors of the same model and the same length can be compared.
CREATE TABLE retrieval_spaces (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  model TEXT NOT NULL,
  -- The vector length requested from the endpoint; 0 requests the model's default.
  asked_dimensions INTEGER NOT NULL,
  -- The actual vector length; null until the first vector arrives.
  dimensions INTEGER,
  -- 1 if the settings name this space, and every passage without a vector in it is listed in retrieval_unembedded.
  is_current INTEGER NOT NULL DEFAULT 0,
  UNIQUE (model, asked_dimensions)
) STRICT;

-- Vectors that the endpoint returned, kept so that no organization pays for embedding the same text twice.
CREATE TABLE retrieval_embeddings (
  id INTEGER PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  space_id INTEGER NOT NULL REFERENCES retrieval_spaces (id),
  content_hash TEXT NOT NULL,
  -- Unit-length vector of little-endian 32-bit floats.
  vector BLOB NOT NULL,
  UNIQUE (organization_id, space_id, content_hash)
) STRICT;

-- Vectors of a base's passages, reduced to one sign bit per dimension and stored side by side for fast comparison with a question.
CREATE TABLE retrieval_vectors (
  base_id INTEGER NOT NULL,
  space_id INTEGER NOT NULL REFERENCES retrieval_spaces (id),
  passage_id INTEGER NOT NULL,
  embedding_id INTEGER NOT NULL REFERENCES retrieval_embeddings (id),
  signs BLOB NOT NULL,
  PRIMARY KEY (base_id, passage_id, space_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX retrieval_vectors_of_embedding ON retrieval_vectors (embedding_id);

-- Passages that have no vector yet. Until they get one, only their words can find them.
CREATE TABLE retrieval_unembedded (
  base_id INTEGER NOT NULL,
  passage_id INTEGER NOT NULL,
  PRIMARY KEY (base_id, passage_id)
) STRICT, WITHOUT ROWID;
