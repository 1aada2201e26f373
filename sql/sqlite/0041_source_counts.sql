-- Counts of a knowledge base's sources and of a crawl's pages, kept by triggers. A base may have a hundred thousand sources, and a crawl
-- thousands of pages: an answer about a base reads these numbers instead of counting.

CREATE TABLE knowledge_source_counts (
  knowledge_base_id TEXT NOT NULL REFERENCES knowledge_bases (id) ON DELETE CASCADE,
  type TEXT NOT NULL,
  status TEXT NOT NULL,
  -- Sources that are not removed.
  sources INTEGER NOT NULL CHECK (sources >= 0),
  PRIMARY KEY (knowledge_base_id, type, status)
) STRICT, WITHOUT ROWID;
INSERT INTO knowledge_source_counts
SELECT knowledge_base_id, type, status, count(*) FROM knowledge_sources WHERE removed_at IS NULL GROUP BY 1, 2, 3;

CREATE TRIGGER knowledge_sources_are_counted AFTER INSERT ON knowledge_sources WHEN new.removed_at IS NULL
BEGIN
  INSERT INTO knowledge_source_counts VALUES (new.knowledge_base_id, new.type, new.status, 1)
  ON CONFLICT DO UPDATE SET sources = sources + 1;
END;
CREATE TRIGGER knowledge_sources_change_their_count AFTER UPDATE OF status, removed_at ON knowledge_sources
WHEN old.status <> new.status OR (old.removed_at IS NULL) <> (new.removed_at IS NULL)
BEGIN
  UPDATE knowledge_source_counts SET sources = sources - 1
  WHERE knowledge_base_id = old.knowledge_base_id AND type = old.type AND status = old.status AND old.removed_at IS NULL;
  INSERT INTO knowledge_source_counts SELECT new.knowledge_base_id, new.type, new.status, 1 WHERE new.removed_at IS NULL
  ON CONFLICT DO UPDATE SET sources = sources + 1;
END;
CREATE TRIGGER knowledge_sources_leave_the_count AFTER DELETE ON knowledge_sources WHEN old.removed_at IS NULL
BEGIN
  UPDATE knowledge_source_counts SET sources = sources - 1
  WHERE knowledge_base_id = old.knowledge_base_id AND type = old.type AND status = old.status;
END;

-- Lists of sources: all of a base, or those with a status, a type or both. Bases with failed sources are found by their counts.
CREATE INDEX knowledge_sources_present ON knowledge_sources (knowledge_base_id, id) WHERE removed_at IS NULL;
CREATE INDEX knowledge_sources_by_status ON knowledge_sources (knowledge_base_id, type, status, id) WHERE removed_at IS NULL;
DROP INDEX knowledge_sources_sites;
DROP INDEX knowledge_sources_failed;

-- Pages of the crawl with a document, kept pages, pages to request later, requested pages, requested robots.txt files and sitemaps, and
-- sitemaps.
ALTER TABLE knowledge_crawls ADD COLUMN pages_found INTEGER NOT NULL DEFAULT 0 CHECK (pages_found >= 0);
ALTER TABLE knowledge_crawls ADD COLUMN pages_kept INTEGER NOT NULL DEFAULT 0 CHECK (pages_kept >= 0);
ALTER TABLE knowledge_crawls ADD COLUMN pages_new INTEGER NOT NULL DEFAULT 0 CHECK (pages_new >= 0);
ALTER TABLE knowledge_crawls ADD COLUMN pages_requested INTEGER NOT NULL DEFAULT 0 CHECK (pages_requested >= 0);
ALTER TABLE knowledge_crawls ADD COLUMN files_requested INTEGER NOT NULL DEFAULT 0 CHECK (files_requested >= 0);
ALTER TABLE knowledge_crawls ADD COLUMN sitemaps INTEGER NOT NULL DEFAULT 0 CHECK (sitemaps >= 0);
UPDATE knowledge_crawls SET pages_found = counted.found, pages_kept = counted.kept, pages_new = counted.new,
  pages_requested = counted.pages_requested, files_requested = counted.files_requested, sitemaps = counted.sitemaps
FROM (
  SELECT source_id, count(document_id) AS found, count(*) FILTER (WHERE state = 'kept') AS kept,
    count(*) FILTER (WHERE kind = 'page' AND state = 'found') AS new,
    count(*) FILTER (WHERE kind = 'page' AND state IN ('blocked', 'asking')) AS pages_requested,
    count(*) FILTER (WHERE kind <> 'page' AND state IN ('blocked', 'asking')) AS files_requested,
    count(*) FILTER (WHERE kind = 'sitemap') AS sitemaps
  FROM knowledge_pages GROUP BY source_id
) AS counted
WHERE counted.source_id = knowledge_crawls.source_id;

CREATE TRIGGER knowledge_pages_are_counted AFTER INSERT ON knowledge_pages
BEGIN
  UPDATE knowledge_crawls SET
    pages_found = pages_found + (new.document_id IS NOT NULL),
    pages_kept = pages_kept + (new.state = 'kept'),
    pages_new = pages_new + (new.kind = 'page' AND new.state = 'found'),
    pages_requested = pages_requested + (new.kind = 'page' AND new.state IN ('blocked', 'asking')),
    files_requested = files_requested + (new.kind <> 'page' AND new.state IN ('blocked', 'asking')),
    sitemaps = sitemaps + (new.kind = 'sitemap')
  WHERE source_id = new.source_id;
END;
CREATE TRIGGER knowledge_pages_change_their_count AFTER UPDATE OF state, document_id ON knowledge_pages
WHEN old.state <> new.state OR (old.document_id IS NULL) <> (new.document_id IS NULL)
BEGIN
  UPDATE knowledge_crawls SET
    pages_found = pages_found + (new.document_id IS NOT NULL) - (old.document_id IS NOT NULL),
    pages_kept = pages_kept + (new.state = 'kept') - (old.state = 'kept'),
    pages_new = pages_new + (new.kind = 'page') * ((new.state = 'found') - (old.state = 'found')),
    pages_requested = pages_requested
      + (new.kind = 'page') * ((new.state IN ('blocked', 'asking')) - (old.state IN ('blocked', 'asking'))),
    files_requested = files_requested
      + (new.kind <> 'page') * ((new.state IN ('blocked', 'asking')) - (old.state IN ('blocked', 'asking')))
  WHERE source_id = new.source_id;
END;
CREATE TRIGGER knowledge_pages_leave_the_count AFTER DELETE ON knowledge_pages
BEGIN
  UPDATE knowledge_crawls SET
    pages_found = pages_found - (old.document_id IS NOT NULL),
    pages_kept = pages_kept - (old.state = 'kept'),
    pages_new = pages_new - (old.kind = 'page' AND old.state = 'found'),
    pages_requested = pages_requested - (old.kind = 'page' AND old.state IN ('blocked', 'asking')),
    files_requested = files_requested - (old.kind <> 'page' AND old.state IN ('blocked', 'asking')),
    sitemaps = sitemaps - (old.kind = 'sitemap')
  WHERE source_id = old.source_id;
END;
