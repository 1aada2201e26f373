-- PostgreSQL's own tables: the word indexes, which are full-text tables in SQLite, and the nodes. They stand at the end of
-- the migration; the rest is made from SQLite's schema.

-- Terms of the contacts that contact_search_entries numbers (src/search/contacts/terms.ts).
CREATE TABLE contact_search_trigrams (
  number bigint PRIMARY KEY,
  terms tsvector NOT NULL
);
CREATE INDEX contact_search_trigrams_by_term ON contact_search_trigrams USING gin (terms);

-- Passages by term, with how often they have it (4: more often than three times) and how many terms they have in all.
CREATE TABLE retrieval_postings (
  base_id bigint NOT NULL,
  term text COLLATE "C" NOT NULL,
  passage_id bigint NOT NULL REFERENCES retrieval_passages (id) ON DELETE CASCADE,
  frequency smallint NOT NULL,
  length integer NOT NULL,
  PRIMARY KEY (base_id, term, passage_id) INCLUDE (frequency, length)
);
CREATE INDEX retrieval_postings_of_passage ON retrieval_postings (passage_id);

-- Words of the vocabulary by trigram.
CREATE TABLE retrieval_trigrams (
  base_id bigint NOT NULL,
  trigram text COLLATE "C" NOT NULL,
  word_id bigint NOT NULL REFERENCES retrieval_vocabulary (id) ON DELETE CASCADE,
  PRIMARY KEY (base_id, trigram, word_id)
);
CREATE INDEX retrieval_trigrams_of_word ON retrieval_trigrams (word_id);

-- The node that works with this database. Every transaction looks whether its epoch is still the newest.
CREATE TABLE active_node (
  id bigint PRIMARY KEY CHECK (id = 1),
  node text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  epoch bigint NOT NULL,
  seen_at timestamptz NOT NULL,
  ended boolean NOT NULL
);

-- The nodes: the active one and those that stand by. Each writes when it was last seen; rows of nodes that died stay for a day.
CREATE TABLE nodes (
  id text COLLATE "C" PRIMARY KEY,
  name text COLLATE "C" NOT NULL,
  version text COLLATE "C" NOT NULL,
  roles text COLLATE "C" NOT NULL, -- JSON, as key_ids
  key_ids text COLLATE "C" NOT NULL, -- of the encryption keys that the node knows
  started_at timestamptz NOT NULL,
  seen_at timestamptz NOT NULL
);

-- Few rows that are updated again and again. With half of each page kept free, new versions stay in it and old ones go soon: 12,000
-- deliveries were counted in 1.5 s instead of 1.8.
ALTER TABLE organization_counts SET (fillfactor = 50);
ALTER TABLE delivery_counts SET (fillfactor = 50);
ALTER TABLE call_counts SET (fillfactor = 50);
ALTER TABLE live_call_counts SET (fillfactor = 50);
