-- FTS5 stores insertions as small segments and merges them, so that a search reads few. By default it merges 200 pages or more inside
-- some insertion's commit, and every other query waits. So switch that off; src/search/index/sqlite/merge.ts merges a few pages after
-- each insertion, and FTS5's crisismerge (16 segments of one size) remains as the fallback.
INSERT INTO retrieval_words (retrieval_words, rank) VALUES ('automerge', 0);
INSERT INTO retrieval_trigrams (retrieval_trigrams, rank) VALUES ('automerge', 0);
