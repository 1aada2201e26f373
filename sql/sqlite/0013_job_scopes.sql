-- A job's scope: the organization whose data it changes, or a named scope such as "installation". The job runner commits the work of one
-- scope at a time and lets scopes take turns.
ALTER TABLE outbox ADD COLUMN scope TEXT NOT NULL DEFAULT 'installation';

UPDATE outbox SET scope = coalesce(
  CASE
    WHEN kind IN ('simulated.step', 'call.start', 'call.dial', 'call.hangup', 'call.lease')
      THEN (SELECT organization_id FROM calls WHERE calls.id = outbox.key)
    WHEN kind LIKE 'campaign.%' THEN (SELECT organization_id FROM campaigns WHERE campaigns.id = outbox.key)
    WHEN kind = 'webhook.deliver' THEN (SELECT organization_id FROM webhook_deliveries WHERE webhook_deliveries.id = outbox.key)
    WHEN kind = 'email.send' THEN (SELECT organization_id FROM notices WHERE notices.id = outbox.key)
    WHEN kind = 'calendar.check' THEN json_extract(payload, '$.orgId')
    WHEN kind = 'knowledge.ingest' THEN (SELECT organization_id FROM knowledge_documents WHERE knowledge_documents.id = outbox.key)
    WHEN kind IN ('knowledge.crawl') THEN (
      SELECT s.organization_id FROM knowledge_pages p JOIN knowledge_sources s ON s.id = p.source_id WHERE p.id = outbox.key)
    WHEN kind = 'knowledge.refresh' THEN (SELECT organization_id FROM knowledge_sources WHERE knowledge_sources.id = outbox.key)
    WHEN kind = 'knowledge.remove' THEN coalesce(
      (SELECT organization_id FROM knowledge_documents WHERE knowledge_documents.id = outbox.key),
      (SELECT organization_id FROM knowledge_sources WHERE knowledge_sources.id = outbox.key),
      (SELECT organization_id FROM knowledge_bases WHERE knowledge_bases.id = outbox.key))
    WHEN kind = 'retrieval.embed' THEN (SELECT organization_id FROM retrieval_bases WHERE retrieval_bases.id = CAST(outbox.key AS INTEGER))
  END,
  'installation');

DROP INDEX outbox_due;
DROP INDEX outbox_lanes;
DROP INDEX outbox_lanes_due;
CREATE INDEX outbox_transactional ON outbox (scope, due_at, id) WHERE lane IS NULL;
CREATE INDEX outbox_external ON outbox (scope, due_at, id) WHERE lane IS NOT NULL AND lease_until IS NULL;
CREATE INDEX outbox_lanes ON outbox (scope, lane, due_at, id) WHERE lane IS NOT NULL AND lease_until IS NULL;
