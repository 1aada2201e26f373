-- A crawl reads its next pages, its start page and known URLs by index: it looks for them after each page, and may have thousands.
DROP INDEX knowledge_pages_by_state;
CREATE INDEX knowledge_pages_by_state ON knowledge_pages (source_id, state, kind, depth, id);
CREATE INDEX knowledge_pages_start ON knowledge_pages (source_id) WHERE is_start = 1;
-- Whether a host of the crawl has a crawl delay; the rules may be half a megabyte.
ALTER TABLE knowledge_robots ADD COLUMN delay_ms INTEGER NOT NULL DEFAULT 0 CHECK (delay_ms >= 0);
UPDATE knowledge_robots SET delay_ms = coalesce(json_extract(rules, '$.delayMs'), 0);
