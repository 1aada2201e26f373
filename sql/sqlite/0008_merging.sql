-- Words and trigrams come to the index as small segments, which are merged so that a question looks into few. FTS5 does that by itself
-- inside some insertion's commit, two hundred pages and more at a time, for which everybody waits. Instead each insertion merges a few
-- pages (merging.ts in src/features/knowledge/retrieval); crisismerge (16 segments of a size) stays as what catches the rest.
INSERT INTO retrieval_words (retrieval_words, rank) VALUES ('automerge', 0);
INSERT INTO retrieval_trigrams (retrieval_trigrams, rank) VALUES ('automerge', 0);
