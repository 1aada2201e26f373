-- Knowledge bases with a source that could not be read are listed without walking all sources.
CREATE INDEX knowledge_sources_failed ON knowledge_sources (knowledge_base_id)
  WHERE status = 'error' AND removed_at IS NULL;
