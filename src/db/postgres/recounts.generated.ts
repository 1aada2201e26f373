// Written by .build/generate-sql.ts from sql/counters.ts; change that file and run `npm run generate`.

/** Each query yields a row where a kept number differs from the rows that it counts. */
export const recounts: ReadonlyArray<{ what: string; query: string }> = [
  {
    what: 'contacts',
    query: `SELECT 1 FROM organization_counts k
    LEFT JOIN (SELECT t.organization_id AS by_organization_id, count(*) FILTER (WHERE t.removed_at IS NULL) AS contacts
      FROM contacts t GROUP BY 1) c
    ON c.by_organization_id = k.organization_id
    WHERE k.contacts <> coalesce(c.contacts, 0)`,
  },
  {
    what: 'phones not to call',
    query: `SELECT 1 FROM organization_counts k
    LEFT JOIN (SELECT t.organization_id AS by_organization_id, count(*) FILTER (WHERE true) AS do_not_call
      FROM do_not_call t GROUP BY 1) c
    ON c.by_organization_id = k.organization_id
    WHERE k.do_not_call <> coalesce(c.do_not_call, 0)`,
  },
  {
    what: 'audit entries',
    query: `SELECT 1 FROM organization_counts k
    LEFT JOIN (SELECT t.organization_id AS by_organization_id, count(*) FILTER (WHERE true) AS audit_entries
      FROM audit_log t GROUP BY 1) c
    ON c.by_organization_id = k.organization_id
    WHERE k.audit_entries <> coalesce(c.audit_entries, 0)`,
  },
  {
    what: 'notices',
    query: `SELECT 1 FROM organization_counts k
    LEFT JOIN (SELECT t.organization_id AS by_organization_id, count(*) FILTER (WHERE true) AS notices
      FROM notices t GROUP BY 1) c
    ON c.by_organization_id = k.organization_id
    WHERE k.notices <> coalesce(c.notices, 0)`,
  },
  {
    what: 'notes of contacts',
    query: `SELECT 1 FROM contacts k
    LEFT JOIN (SELECT t.contact_id AS by_id, count(*) FILTER (WHERE true) AS note_count
      FROM contact_notes t GROUP BY 1) c
    ON c.by_id = k.id
    WHERE k.note_count <> coalesce(c.note_count, 0)`,
  },
  {
    what: 'calls',
    query: `SELECT 1 FROM (
      SELECT t.organization_id AS organization_id, '' AS agent_id, '' AS campaign_id, t.status AS status, count(*) AS counted, 0 AS kept
      FROM calls t WHERE t.status IS NOT NULL AND t.organization_id IS NOT NULL AND t.status IS NOT NULL GROUP BY 1, 2, 3, 4
      UNION ALL SELECT t.organization_id AS organization_id, '' AS agent_id, t.campaign_id AS campaign_id, t.status AS status, count(*) AS counted, 0 AS kept
      FROM calls t WHERE t.status IS NOT NULL AND t.organization_id IS NOT NULL AND t.campaign_id IS NOT NULL AND t.status IS NOT NULL GROUP BY 1, 2, 3, 4
      UNION ALL SELECT t.organization_id AS organization_id, t.agent_id AS agent_id, '' AS campaign_id, t.status AS status, count(*) AS counted, 0 AS kept
      FROM calls t WHERE t.status IS NOT NULL AND t.organization_id IS NOT NULL AND t.agent_id IS NOT NULL AND t.status IS NOT NULL GROUP BY 1, 2, 3, 4
      UNION ALL SELECT t.organization_id AS organization_id, t.agent_id AS agent_id, t.campaign_id AS campaign_id, t.status AS status, count(*) AS counted, 0 AS kept
      FROM calls t WHERE t.status IS NOT NULL AND t.organization_id IS NOT NULL AND t.agent_id IS NOT NULL AND t.campaign_id IS NOT NULL AND t.status IS NOT NULL GROUP BY 1, 2, 3, 4
      UNION ALL SELECT organization_id, agent_id, campaign_id, status, 0, calls FROM call_counts) AS numbers
    GROUP BY organization_id, agent_id, campaign_id, status HAVING sum(counted) <> sum(kept)`,
  },
  {
    what: 'calls by their start',
    query: `SELECT 1 FROM (
      SELECT t.campaign_id AS campaign_id, t.started_at - t.started_at % 900000 AS quarter, t.status AS outcome, num(t.answered_at IS NOT NULL) AS answered, count(*) AS counted, 0 AS kept
      FROM calls t WHERE t.status IS NOT NULL AND t.campaign_id IS NOT NULL AND t.campaign_id IS NOT NULL AND t.started_at - t.started_at % 900000 IS NOT NULL AND t.status IS NOT NULL AND num(t.answered_at IS NOT NULL) IS NOT NULL GROUP BY 1, 2, 3, 4
      UNION ALL SELECT campaign_id, quarter, outcome, answered, 0, calls FROM call_counts_by_start) AS numbers
    GROUP BY campaign_id, quarter, outcome, answered HAVING sum(counted) <> sum(kept)`,
  },
  {
    what: 'calls by their end',
    query: `SELECT 1 FROM (
      SELECT t.campaign_id AS campaign_id, t.ended_at - t.ended_at % 900000 AS quarter, t.status AS outcome, count(*) AS counted, 0 AS kept
      FROM calls t WHERE t.status IS NOT NULL AND t.campaign_id IS NOT NULL AND t.campaign_id IS NOT NULL AND t.ended_at - t.ended_at % 900000 IS NOT NULL AND t.status IS NOT NULL GROUP BY 1, 2, 3
      UNION ALL SELECT campaign_id, quarter, outcome, 0, calls FROM call_counts_by_end) AS numbers
    GROUP BY campaign_id, quarter, outcome HAVING sum(counted) <> sum(kept)`,
  },
  {
    what: 'figures of calls',
    query: `SELECT 1 FROM (SELECT t.organization_id AS organization_id,
        coalesce(t.started_at, t.created_at) - coalesce(t.started_at, t.created_at) % 900000 AS quarter,
        t.agent_id AS agent_id,
        coalesce(t.agent_edition, 0) AS edition,
        coalesce(t.campaign_id, '') AS campaign_id,
        t.phone_number_id AS phone_number_id,
        t.direction AS direction,
        sum(0 + 1) AS calls,
        sum(0 + num(t.answered_at IS NOT NULL)) AS answered,
        sum(0 + num(t.status = 'completed')) AS completed,
        sum(0 + num(t.status = 'voicemail')) AS voicemail,
        sum(0 + num(t.status = 'no_answer')) AS no_answer,
        sum(0 + num(t.status = 'busy')) AS busy,
        sum(0 + num(t.status = 'failed')) AS failed,
        sum(0 + num((t.analysis::json ->> 'goals_met')::boolean::integer = 1)) AS goals_met,
        sum(0 + num((t.analysis::json ->> 'goals_met')::boolean::integer IS NOT NULL)) AS goals_judged,
        sum(0 + t.duration_sec) AS talk_sec,
        sum(0 + t.cost_total) AS cost,
        sum(0 + num(CASE WHEN t.call_latency_ms / 100 - 1 IS NOT NULL THEN least(19, greatest(0, t.call_latency_ms / 100 - 1)) END = 0)) AS latency_0,
        sum(0 + num(CASE WHEN t.call_latency_ms / 100 - 1 IS NOT NULL THEN least(19, greatest(0, t.call_latency_ms / 100 - 1)) END = 1)) AS latency_1,
        sum(0 + num(CASE WHEN t.call_latency_ms / 100 - 1 IS NOT NULL THEN least(19, greatest(0, t.call_latency_ms / 100 - 1)) END = 2)) AS latency_2,
        sum(0 + num(CASE WHEN t.call_latency_ms / 100 - 1 IS NOT NULL THEN least(19, greatest(0, t.call_latency_ms / 100 - 1)) END = 3)) AS latency_3,
        sum(0 + num(CASE WHEN t.call_latency_ms / 100 - 1 IS NOT NULL THEN least(19, greatest(0, t.call_latency_ms / 100 - 1)) END = 4)) AS latency_4,
        sum(0 + num(CASE WHEN t.call_latency_ms / 100 - 1 IS NOT NULL THEN least(19, greatest(0, t.call_latency_ms / 100 - 1)) END = 5)) AS latency_5,
        sum(0 + num(CASE WHEN t.call_latency_ms / 100 - 1 IS NOT NULL THEN least(19, greatest(0, t.call_latency_ms / 100 - 1)) END = 6)) AS latency_6,
        sum(0 + num(CASE WHEN t.call_latency_ms / 100 - 1 IS NOT NULL THEN least(19, greatest(0, t.call_latency_ms / 100 - 1)) END = 7)) AS latency_7,
        sum(0 + num(CASE WHEN t.call_latency_ms / 100 - 1 IS NOT NULL THEN least(19, greatest(0, t.call_latency_ms / 100 - 1)) END = 8)) AS latency_8,
        sum(0 + num(CASE WHEN t.call_latency_ms / 100 - 1 IS NOT NULL THEN least(19, greatest(0, t.call_latency_ms / 100 - 1)) END = 9)) AS latency_9,
        sum(0 + num(CASE WHEN t.call_latency_ms / 100 - 1 IS NOT NULL THEN least(19, greatest(0, t.call_latency_ms / 100 - 1)) END = 10)) AS latency_10,
        sum(0 + num(CASE WHEN t.call_latency_ms / 100 - 1 IS NOT NULL THEN least(19, greatest(0, t.call_latency_ms / 100 - 1)) END = 11)) AS latency_11,
        sum(0 + num(CASE WHEN t.call_latency_ms / 100 - 1 IS NOT NULL THEN least(19, greatest(0, t.call_latency_ms / 100 - 1)) END = 12)) AS latency_12,
        sum(0 + num(CASE WHEN t.call_latency_ms / 100 - 1 IS NOT NULL THEN least(19, greatest(0, t.call_latency_ms / 100 - 1)) END = 13)) AS latency_13,
        sum(0 + num(CASE WHEN t.call_latency_ms / 100 - 1 IS NOT NULL THEN least(19, greatest(0, t.call_latency_ms / 100 - 1)) END = 14)) AS latency_14,
        sum(0 + num(CASE WHEN t.call_latency_ms / 100 - 1 IS NOT NULL THEN least(19, greatest(0, t.call_latency_ms / 100 - 1)) END = 15)) AS latency_15,
        sum(0 + num(CASE WHEN t.call_latency_ms / 100 - 1 IS NOT NULL THEN least(19, greatest(0, t.call_latency_ms / 100 - 1)) END = 16)) AS latency_16,
        sum(0 + num(CASE WHEN t.call_latency_ms / 100 - 1 IS NOT NULL THEN least(19, greatest(0, t.call_latency_ms / 100 - 1)) END = 17)) AS latency_17,
        sum(0 + num(CASE WHEN t.call_latency_ms / 100 - 1 IS NOT NULL THEN least(19, greatest(0, t.call_latency_ms / 100 - 1)) END = 18)) AS latency_18,
        sum(0 + num(CASE WHEN t.call_latency_ms / 100 - 1 IS NOT NULL THEN least(19, greatest(0, t.call_latency_ms / 100 - 1)) END = 19)) AS latency_19
      FROM calls t WHERE t.status IS NOT NULL AND t.channel <> 'web' GROUP BY 1, 2, 3, 4, 5, 6, 7) c
    LEFT JOIN call_figures k ON k.organization_id = c.organization_id AND k.quarter = c.quarter AND k.agent_id = c.agent_id AND k.edition = c.edition AND k.campaign_id = c.campaign_id AND k.phone_number_id = c.phone_number_id AND k.direction = c.direction
    WHERE coalesce(k.calls, 0) < c.calls - 0.001 OR coalesce(k.answered, 0) < c.answered - 0.001 OR coalesce(k.completed, 0) < c.completed - 0.001 OR coalesce(k.voicemail, 0) < c.voicemail - 0.001 OR coalesce(k.no_answer, 0) < c.no_answer - 0.001 OR coalesce(k.busy, 0) < c.busy - 0.001 OR coalesce(k.failed, 0) < c.failed - 0.001 OR coalesce(k.goals_met, 0) < c.goals_met - 0.001 OR coalesce(k.goals_judged, 0) < c.goals_judged - 0.001 OR coalesce(k.talk_sec, 0) < c.talk_sec - 0.001 OR coalesce(k.cost, 0) < c.cost - 0.001 OR coalesce(k.latency_0, 0) < c.latency_0 - 0.001 OR coalesce(k.latency_1, 0) < c.latency_1 - 0.001 OR coalesce(k.latency_2, 0) < c.latency_2 - 0.001 OR coalesce(k.latency_3, 0) < c.latency_3 - 0.001 OR coalesce(k.latency_4, 0) < c.latency_4 - 0.001 OR coalesce(k.latency_5, 0) < c.latency_5 - 0.001 OR coalesce(k.latency_6, 0) < c.latency_6 - 0.001 OR coalesce(k.latency_7, 0) < c.latency_7 - 0.001 OR coalesce(k.latency_8, 0) < c.latency_8 - 0.001 OR coalesce(k.latency_9, 0) < c.latency_9 - 0.001 OR coalesce(k.latency_10, 0) < c.latency_10 - 0.001 OR coalesce(k.latency_11, 0) < c.latency_11 - 0.001 OR coalesce(k.latency_12, 0) < c.latency_12 - 0.001 OR coalesce(k.latency_13, 0) < c.latency_13 - 0.001 OR coalesce(k.latency_14, 0) < c.latency_14 - 0.001 OR coalesce(k.latency_15, 0) < c.latency_15 - 0.001 OR coalesce(k.latency_16, 0) < c.latency_16 - 0.001 OR coalesce(k.latency_17, 0) < c.latency_17 - 0.001 OR coalesce(k.latency_18, 0) < c.latency_18 - 0.001 OR coalesce(k.latency_19, 0) < c.latency_19 - 0.001`,
  },
  {
    what: 'live calls',
    query: `SELECT 1 FROM (
      SELECT t.organization_id AS organization_id, t.driver AS driver, count(*) AS counted, 0 AS kept
      FROM calls t WHERE t.status IS NULL AND t.organization_id IS NOT NULL AND t.driver IS NOT NULL GROUP BY 1, 2
      UNION ALL SELECT organization_id, driver, 0, calls FROM live_call_counts) AS numbers
    GROUP BY organization_id, driver HAVING sum(counted) <> sum(kept)`,
  },
  {
    what: 'campaign contacts',
    query: `SELECT 1 FROM campaigns k
    LEFT JOIN (SELECT t.campaign_id AS by_id, count(*) FILTER (WHERE t.status = 'busy') AS busy, count(*) FILTER (WHERE t.status = 'voicemail') AS voicemail, count(*) FILTER (WHERE t.status = 'cancelled') AS cancelled, count(*) FILTER (WHERE t.status = 'expired') AS expired
      FROM campaign_contacts t GROUP BY 1) c
    ON c.by_id = k.id
    WHERE k.busy <> coalesce(c.busy, 0) OR k.voicemail <> coalesce(c.voicemail, 0) OR k.cancelled <> coalesce(c.cancelled, 0) OR k.expired <> coalesce(c.expired, 0)`,
  },
  {
    what: 'deliveries',
    query: `SELECT 1 FROM delivery_counts k
    LEFT JOIN (SELECT t.organization_id AS by_organization_id, t.endpoint_id AS by_endpoint_id, count(*) FILTER (WHERE true) AS total, count(*) FILTER (WHERE t.status = 'retrying') AS retrying, count(*) FILTER (WHERE t.status = 'held') AS held, count(*) FILTER (WHERE t.status = 'delivered') AS delivered, count(*) FILTER (WHERE t.status = 'exhausted') AS exhausted, count(*) FILTER (WHERE t.status = 'cancelled') AS cancelled
      FROM webhook_deliveries t GROUP BY 1, 2) c
    ON c.by_organization_id = k.organization_id AND c.by_endpoint_id = k.endpoint_id
    WHERE k.total <> coalesce(c.total, 0) OR k.retrying <> coalesce(c.retrying, 0) OR k.held <> coalesce(c.held, 0) OR k.delivered <> coalesce(c.delivered, 0) OR k.exhausted <> coalesce(c.exhausted, 0) OR k.cancelled <> coalesce(c.cancelled, 0)`,
  },
  {
    what: 'deliveries by hour',
    query: `SELECT 1 FROM (SELECT t.delivered_at - t.delivered_at % 3600000 AS hour,
        t.organization_id AS organization_id,
        t.endpoint_id AS endpoint_id,
        sum(0 + 1) AS delivered
      FROM webhook_deliveries t WHERE t.delivered_at IS NOT NULL GROUP BY 1, 2, 3) c
    LEFT JOIN deliveries_by_hour k ON k.hour = c.hour AND k.organization_id = c.organization_id AND k.endpoint_id = c.endpoint_id
    WHERE coalesce(k.delivered, 0) < c.delivered - 0.001`,
  },
  {
    what: 'sources',
    query: `SELECT 1 FROM (
      SELECT t.knowledge_base_id AS knowledge_base_id, t.type AS type, t.status AS status, count(*) AS counted, 0 AS kept
      FROM knowledge_sources t WHERE t.removed_at IS NULL AND t.knowledge_base_id IS NOT NULL AND t.type IS NOT NULL AND t.status IS NOT NULL GROUP BY 1, 2, 3
      UNION ALL SELECT knowledge_base_id, type, status, 0, sources FROM knowledge_source_counts) AS numbers
    GROUP BY knowledge_base_id, type, status HAVING sum(counted) <> sum(kept)`,
  },
  {
    what: 'pages of crawls',
    query: `SELECT 1 FROM knowledge_crawls k
    LEFT JOIN (SELECT t.source_id AS by_source_id, count(*) FILTER (WHERE t.document_id IS NOT NULL) AS pages_found, count(*) FILTER (WHERE t.state = 'kept') AS pages_kept, count(*) FILTER (WHERE t.kind = 'page' AND t.state = 'found') AS pages_new, count(*) FILTER (WHERE t.kind = 'page' AND t.state IN ('blocked', 'asking')) AS pages_requested, count(*) FILTER (WHERE t.kind <> 'page' AND t.state IN ('blocked', 'asking')) AS files_requested, count(*) FILTER (WHERE t.kind = 'sitemap') AS sitemaps
      FROM knowledge_pages t GROUP BY 1) c
    ON c.by_source_id = k.source_id
    WHERE k.pages_found <> coalesce(c.pages_found, 0) OR k.pages_kept <> coalesce(c.pages_kept, 0) OR k.pages_new <> coalesce(c.pages_new, 0) OR k.pages_requested <> coalesce(c.pages_requested, 0) OR k.files_requested <> coalesce(c.files_requested, 0) OR k.sitemaps <> coalesce(c.sitemaps, 0)`,
  },
  {
    what: 'passages',
    query: `SELECT 1 FROM retrieval_bases k
    LEFT JOIN (SELECT t.base_id AS by_id, count(*) FILTER (WHERE true) AS passages, sum(t.length) AS words
      FROM retrieval_passages t GROUP BY 1) c
    ON c.by_id = k.id
    WHERE k.passages <> coalesce(c.passages, 0) OR k.words <> coalesce(c.words, 0)`,
  },
  {
    what: 'passages that wait for a vector',
    query: `SELECT 1 FROM retrieval_bases k
    LEFT JOIN (SELECT t.base_id AS by_id, count(*) FILTER (WHERE true) AS pending
      FROM retrieval_unembedded t GROUP BY 1) c
    ON c.by_id = k.id
    WHERE k.pending <> coalesce(c.pending, 0)`,
  },
];
