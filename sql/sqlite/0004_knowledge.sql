-- What was removed is invisible at once (removed_at), and its rows go in batches afterwards: a base may have 100,000s of passages.

CREATE TABLE knowledge_bases (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  name TEXT NOT NULL,
  enable_auto_refresh INTEGER NOT NULL,
  -- Documents that were not removed; kept in the transaction that adds or removes one.
  document_count INTEGER NOT NULL DEFAULT 0 CHECK (document_count >= 0),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  removed_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX knowledge_bases_of_organization ON knowledge_bases (organization_id, id) WHERE removed_at IS NULL;

-- One per text, file, crawled site and upserted document.
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

-- One per text, file, upserted document and kept page.
CREATE TABLE knowledge_documents (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  knowledge_base_id TEXT NOT NULL REFERENCES knowledge_bases (id),
  source_id TEXT NOT NULL REFERENCES knowledge_sources (id),
  -- The caller's name for it, or the id.
  doc_id TEXT NOT NULL,
  -- Title or file name, for people.
  name TEXT NOT NULL,
  url TEXT,
  metadata TEXT NOT NULL DEFAULT '{}',
  status TEXT NOT NULL CHECK (status IN ('pending', 'processing', 'complete', 'error')),
  error TEXT,
  -- Counts the changes of what it says, so that the work on an earlier state does not end up in a later one.
  version INTEGER NOT NULL DEFAULT 1,
  -- SHA-256 of what is searchable of it; null before that.
  content_hash TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  removed_at INTEGER,
  -- The last column, because what stands behind a long text is slow to reach. Null until it is known.
  text TEXT
) STRICT;
CREATE UNIQUE INDEX knowledge_documents_by_doc_id ON knowledge_documents (organization_id, doc_id)
  WHERE removed_at IS NULL;
CREATE INDEX knowledge_documents_of_organization ON knowledge_documents (organization_id, id) WHERE removed_at IS NULL;
CREATE INDEX knowledge_documents_of_base ON knowledge_documents (knowledge_base_id, id);
CREATE INDEX knowledge_documents_of_source ON knowledge_documents (source_id, id);

-- The bytes of a file in pieces, from its upload to its ingestion. Written before the document, in transactions of their own;
-- pieces without a document are what an upload left that was broken off.
CREATE TABLE knowledge_file_pieces (
  document_id TEXT NOT NULL,
  position INTEGER NOT NULL,
  bytes BLOB NOT NULL,
  PRIMARY KEY (document_id, position)
) STRICT, WITHOUT ROWID;

-- The crawl of a source: of type url, or of type document without a text of its own.
CREATE TABLE knowledge_crawls (
  source_id TEXT PRIMARY KEY REFERENCES knowledge_sources (id) ON DELETE CASCADE,
  -- The document that its one page becomes; null for a site.
  document_id TEXT REFERENCES knowledge_documents (id) ON DELETE CASCADE,
  -- Host and port that its pages are on: the start URL's, or where that redirects to.
  host TEXT NOT NULL,
  -- 1, and one more with each refresh.
  round INTEGER NOT NULL,
  max_pages INTEGER NOT NULL,
  max_depth INTEGER NOT NULL,
  -- Requests made in this round.
  requests INTEGER NOT NULL DEFAULT 0,
  finished_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX knowledge_crawls_of_document ON knowledge_crawls (document_id) WHERE document_id IS NOT NULL;

-- Everything that a crawl asks for, and what came of it.
CREATE TABLE knowledge_pages (
  id TEXT PRIMARY KEY,
  source_id TEXT NOT NULL REFERENCES knowledge_sources (id) ON DELETE CASCADE,
  kind TEXT NOT NULL CHECK (kind IN ('robots', 'sitemap', 'page')),
  url TEXT NOT NULL,
  -- Links from the start page, which has 0.
  depth INTEGER NOT NULL,
  -- Whether it is the start URL, or what that redirects to.
  is_start INTEGER NOT NULL,
  -- Redirects on the way here.
  redirects INTEGER NOT NULL,
  -- found: may be asked for later. blocked: waits for the robots.txt of its host. asking: has a job. kept: has a document.
  -- followed: was read for its links alone. unreachable, dropped: brought nothing, this time or for good; reason says why.
  state TEXT NOT NULL CHECK (state IN ('found', 'blocked', 'asking', 'kept', 'followed', 'unreachable', 'dropped')),
  reason TEXT,
  -- Its document was deleted by hand: it is read for its links alone.
  excluded INTEGER NOT NULL DEFAULT 0,
  -- The round in which that was found out.
  round INTEGER NOT NULL,
  -- The URL that it says it goes by, on its own host.
  canonical TEXT,
  document_id TEXT REFERENCES knowledge_documents (id) ON DELETE SET NULL,
  etag TEXT,
  last_modified TEXT,
  UNIQUE (source_id, kind, url)
) STRICT;
CREATE INDEX knowledge_pages_by_state ON knowledge_pages (source_id, state, depth, id);
CREATE INDEX knowledge_pages_by_canonical ON knowledge_pages (source_id, canonical) WHERE canonical IS NOT NULL;
CREATE INDEX knowledge_pages_of_document ON knowledge_pages (document_id) WHERE document_id IS NOT NULL;

-- What the robots.txt of an origin said to a crawl, for one round of it. rules is null when it forbids everything.
CREATE TABLE knowledge_robots (
  source_id TEXT NOT NULL REFERENCES knowledge_sources (id) ON DELETE CASCADE,
  origin TEXT NOT NULL,
  rules TEXT,
  reason TEXT,
  PRIMARY KEY (source_id, origin)
) STRICT, WITHOUT ROWID;

-- When a host that asks for a pause between requests may be asked next, whoever crawls it.
CREATE TABLE knowledge_hosts (
  host TEXT PRIMARY KEY,
  next_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
