-- Setting removed_at hides a row at once. Its data is deleted in batches afterwards: a base may have hundreds of thousands of passages.

CREATE TABLE knowledge_bases (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  name TEXT NOT NULL,
  enable_auto_refresh INTEGER NOT NULL,
  -- Documents that are not removed; updated in the transaction that adds or removes one.
  document_count INTEGER NOT NULL DEFAULT 0 CHECK (document_count >= 0),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  removed_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX knowledge_bases_of_organization ON knowledge_bases (organization_id, id) WHERE removed_at IS NULL;

-- One row per text, file, crawled site and upserted document.
CREATE TABLE knowledge_sources (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  knowledge_base_id TEXT NOT NULL REFERENCES knowledge_bases (id),
  type TEXT NOT NULL CHECK (type IN ('text', 'url', 'file', 'document')),
  name TEXT NOT NULL,
  url TEXT,
  status TEXT NOT NULL CHECK (status IN ('pending', 'processing', 'complete', 'error')),
  error TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  removed_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX knowledge_sources_of_base ON knowledge_sources (knowledge_base_id, id);
CREATE INDEX knowledge_sources_sites ON knowledge_sources (knowledge_base_id, id)
  WHERE type = 'url' AND removed_at IS NULL;

-- One row per text, file, upserted document and indexed web page.
CREATE TABLE knowledge_documents (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  knowledge_base_id TEXT NOT NULL REFERENCES knowledge_bases (id),
  source_id TEXT NOT NULL REFERENCES knowledge_sources (id),
  -- The caller's identifier; the id if the caller gave none.
  doc_id TEXT NOT NULL,
  -- Title or file name, shown to people.
  name TEXT NOT NULL,
  url TEXT,
  metadata TEXT NOT NULL DEFAULT '{}',
  status TEXT NOT NULL CHECK (status IN ('pending', 'processing', 'complete', 'error')),
  error TEXT,
  -- Incremented with each change of the content, so that the result of reading an old version is not stored for a new one.
  version INTEGER NOT NULL DEFAULT 1,
  -- SHA-256 of the indexed content; null until the document is indexed.
  content_hash TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  removed_at INTEGER,
  -- Null until the document is read. Last, because SQLite reaches a column behind a long text only through all pages of that text.
  text TEXT
) STRICT;
CREATE UNIQUE INDEX knowledge_documents_by_doc_id ON knowledge_documents (organization_id, doc_id)
  WHERE removed_at IS NULL;
CREATE INDEX knowledge_documents_of_organization ON knowledge_documents (organization_id, id) WHERE removed_at IS NULL;
CREATE INDEX knowledge_documents_of_base ON knowledge_documents (knowledge_base_id, id);
CREATE INDEX knowledge_documents_of_source ON knowledge_documents (source_id, id);

-- The bytes of an uploaded file, in pieces, until the file is ingested. They are written before the document, each in its own
-- transaction; an aborted upload leaves pieces without a document.
CREATE TABLE knowledge_file_pieces (
  document_id TEXT NOT NULL,
  position INTEGER NOT NULL,
  bytes BLOB NOT NULL,
  PRIMARY KEY (document_id, position)
) STRICT, WITHOUT ROWID;

-- The crawl of a source of type url, or of type document that was given a URL instead of a text.
CREATE TABLE knowledge_crawls (
  source_id TEXT PRIMARY KEY REFERENCES knowledge_sources (id) ON DELETE CASCADE,
  -- The document that a single page fills; null for the crawl of a site.
  document_id TEXT REFERENCES knowledge_documents (id) ON DELETE CASCADE,
  -- Host and port that the crawl stays on: the start URL's, or those that it redirects to.
  host TEXT NOT NULL,
  -- 1 for the first crawl, incremented with each refresh.
  round INTEGER NOT NULL,
  max_pages INTEGER NOT NULL,
  max_depth INTEGER NOT NULL,
  -- Number of requests made in this round.
  requests INTEGER NOT NULL DEFAULT 0,
  finished_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX knowledge_crawls_of_document ON knowledge_crawls (document_id) WHERE document_id IS NOT NULL;

-- Every URL that a crawl requests, and the result.
CREATE TABLE knowledge_pages (
  id TEXT PRIMARY KEY,
  source_id TEXT NOT NULL REFERENCES knowledge_sources (id) ON DELETE CASCADE,
  kind TEXT NOT NULL CHECK (kind IN ('robots', 'sitemap', 'page')),
  url TEXT NOT NULL,
  -- Number of links from the start page, which has depth 0.
  depth INTEGER NOT NULL,
  -- 1 for the start URL and for the page that it redirects to.
  is_start INTEGER NOT NULL,
  -- Number of redirects followed to reach this URL.
  redirects INTEGER NOT NULL,
  -- found: may be requested later. blocked: waits for the robots.txt of its host. asking: a job requests it. kept: has a document.
  -- followed: read only for its links. unreachable: failed this time. dropped: failed for good. reason explains the last two.
  state TEXT NOT NULL CHECK (state IN ('found', 'blocked', 'asking', 'kept', 'followed', 'unreachable', 'dropped')),
  reason TEXT,
  -- 1 after a user deleted the page's document: the page is then read only for its links.
  excluded INTEGER NOT NULL DEFAULT 0,
  -- The round in which the state was set.
  round INTEGER NOT NULL,
  -- The canonical URL that the page declares, if it is on the same host.
  canonical TEXT,
  document_id TEXT REFERENCES knowledge_documents (id) ON DELETE SET NULL,
  etag TEXT,
  last_modified TEXT,
  UNIQUE (source_id, kind, url)
) STRICT;
CREATE INDEX knowledge_pages_by_state ON knowledge_pages (source_id, state, depth, id);
CREATE INDEX knowledge_pages_by_canonical ON knowledge_pages (source_id, canonical) WHERE canonical IS NOT NULL;
CREATE INDEX knowledge_pages_of_document ON knowledge_pages (document_id) WHERE document_id IS NOT NULL;

-- The robots.txt rules of an origin, for one round of a crawl. rules is null if they forbid everything.
CREATE TABLE knowledge_robots (
  source_id TEXT NOT NULL REFERENCES knowledge_sources (id) ON DELETE CASCADE,
  origin TEXT NOT NULL,
  rules TEXT,
  reason TEXT,
  PRIMARY KEY (source_id, origin)
) STRICT, WITHOUT ROWID;

-- Earliest time of the next request to a host that asks for a crawl delay, shared by all crawls of that host.
CREATE TABLE knowledge_hosts (
  host TEXT PRIMARY KEY,
  next_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
