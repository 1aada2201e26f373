-- An agent's webhook URLs are stored once, as rows of webhook_endpoints. `position` keeps the order in which they were saved.
ALTER TABLE webhook_endpoints ADD COLUMN position INTEGER NOT NULL DEFAULT 0 CHECK (position >= 0);

UPDATE webhook_endpoints SET position = coalesce((
    SELECT min(saved.key) FROM agents, json_each(agents.webhook_urls) AS saved
    WHERE agents.id = webhook_endpoints.agent_id AND saved.value = webhook_endpoints.url
  ), 0)
  WHERE removed_at IS NULL;

ALTER TABLE agents DROP COLUMN webhook_urls;
