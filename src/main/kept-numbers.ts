import { sql } from 'kysely';
import type { Check } from '../db/sqlite/integrity.ts';
import type { Queryable } from '../db/transaction.ts';

const ofOrganization = (column: string, table: string, where = 'true'): string =>
  `SELECT 1 FROM organization_counts k
   WHERE k.${column} <> (SELECT count(*) FROM ${table} t WHERE t.organization_id = k.organization_id AND ${where})`;

/** Ended calls counted again, for all agents and campaigns or for each. */
const endedCalls = (agent: string, campaign: string, where = ''): string =>
  `SELECT organization_id, ${agent} AS agent_id, ${campaign} AS campaign_id, status, count(*) AS calls FROM calls
   WHERE status IS NOT NULL ${where} GROUP BY 1, 2, 3, 4`;

const allEndedCalls = [
  endedCalls("''", "''"),
  endedCalls('agent_id', "''"),
  endedCalls("''", 'campaign_id', 'AND campaign_id IS NOT NULL'),
  endedCalls('agent_id', 'campaign_id', 'AND campaign_id IS NOT NULL'),
].join(' UNION ALL ');

const withStatus = (statuses: readonly string[]): string =>
  statuses.map((status) => `count(*) FILTER (WHERE status = '${status}') AS ${status}`).join(', ');

/** A query for each kind of count that triggers keep. It counts again, and yields a row where the stored count differs. */
const differences: ReadonlyArray<readonly [what: string, query: string]> = [
  ['contacts', ofOrganization('contacts', 'contacts', 'removed_at IS NULL')],
  ['phones not to call', ofOrganization('do_not_call', 'do_not_call')],
  ['audit entries', ofOrganization('audit_entries', 'audit_log')],
  ['notices', ofOrganization('notices', 'notices')],
  [
    'notes of contacts',
    `SELECT 1 FROM contacts c LEFT JOIN (SELECT contact_id, count(*) AS n FROM contact_notes GROUP BY 1) k ON k.contact_id = c.id
     WHERE c.note_count <> coalesce(k.n, 0)`,
  ],
  [
    'calls',
    `SELECT 1 FROM (SELECT organization_id, agent_id, campaign_id, status, calls, 0 AS kept FROM (${allEndedCalls})
       UNION ALL SELECT organization_id, agent_id, campaign_id, status, 0, calls FROM call_counts)
     GROUP BY organization_id, agent_id, campaign_id, status HAVING sum(calls) <> sum(kept)`,
  ],
  [
    'live calls',
    `SELECT 1 FROM (SELECT organization_id, coalesce(driver, '') AS driver, count(*) AS calls, 0 AS kept FROM calls
         WHERE status IS NULL GROUP BY 1, 2
       UNION ALL SELECT organization_id, driver, 0, calls FROM live_call_counts)
     GROUP BY organization_id, driver HAVING sum(calls) <> sum(kept)`,
  ],
  [
    'campaign contacts',
    `SELECT 1 FROM campaigns k LEFT JOIN (SELECT campaign_id, count(*) AS total,
         ${withStatus(['pending', 'in_progress', 'completed', 'busy', 'voicemail', 'cancelled', 'expired'])}
       FROM campaign_contacts GROUP BY 1) c ON c.campaign_id = k.id
     WHERE k.removed_at IS NULL AND (k.total, k.pending, k.in_progress, k.contacted, k.busy, k.voicemail, k.cancelled, k.expired) IS NOT
       (coalesce(c.total, 0), coalesce(c.pending, 0), coalesce(c.in_progress, 0), coalesce(c.completed, 0), coalesce(c.busy, 0),
        coalesce(c.voicemail, 0), coalesce(c.cancelled, 0), coalesce(c.expired, 0))`,
  ],
  [
    'deliveries',
    `SELECT 1 FROM delivery_counts k LEFT JOIN (SELECT endpoint_id, count(*) AS total,
         ${withStatus(['retrying', 'held', 'delivered', 'exhausted', 'cancelled'])}
       FROM webhook_deliveries GROUP BY 1) c ON c.endpoint_id = k.endpoint_id
     WHERE (k.total, k.retrying, k.held, k.delivered, k.exhausted, k.cancelled) IS NOT
       (coalesce(c.total, 0), coalesce(c.retrying, 0), coalesce(c.held, 0), coalesce(c.delivered, 0), coalesce(c.exhausted, 0),
        coalesce(c.cancelled, 0))`,
  ],
  [
    'sources',
    `SELECT 1 FROM (SELECT knowledge_base_id, type, status, count(*) AS sources, 0 AS kept FROM knowledge_sources
         WHERE removed_at IS NULL GROUP BY 1, 2, 3
       UNION ALL SELECT knowledge_base_id, type, status, 0, sources FROM knowledge_source_counts)
     GROUP BY knowledge_base_id, type, status HAVING sum(sources) <> sum(kept)`,
  ],
  [
    'pages of crawls',
    `SELECT 1 FROM knowledge_crawls k LEFT JOIN (SELECT source_id, count(document_id) AS found,
         count(*) FILTER (WHERE state = 'kept') AS kept, count(*) FILTER (WHERE kind = 'sitemap') AS sitemaps,
         count(*) FILTER (WHERE kind = 'page' AND state = 'found') AS new,
         count(*) FILTER (WHERE kind = 'page' AND state IN ('blocked', 'asking')) AS pages,
         count(*) FILTER (WHERE kind <> 'page' AND state IN ('blocked', 'asking')) AS files
       FROM knowledge_pages GROUP BY 1) c ON c.source_id = k.source_id
     WHERE (k.pages_found, k.pages_kept, k.sitemaps, k.pages_new, k.pages_requested, k.files_requested) IS NOT
       (coalesce(c.found, 0), coalesce(c.kept, 0), coalesce(c.sitemaps, 0), coalesce(c.new, 0), coalesce(c.pages, 0),
        coalesce(c.files, 0))`,
  ],
];

/** Rows that the index of contact search and the contacts do not share, although none of them is pending. */
const searchFaults: readonly Check[] = [
  {
    query: `SELECT 1 FROM contacts c WHERE NOT EXISTS (SELECT 1 FROM contact_search_entries e WHERE e.id = c.id)
      AND NOT EXISTS (SELECT 1 FROM contact_search_pending p
        WHERE p.organization_id = c.organization_id AND p.campaign_id = '' AND p.id = c.id)`,
    fault: 'a contact is missing from the search',
  },
  {
    query: `SELECT 1 FROM campaign_contacts cc JOIN campaigns k ON k.id = cc.campaign_id LEFT JOIN contacts c ON c.id = cc.contact_id
      WHERE (cc.phone IS NOT c.phone OR cc.email IS NOT c.email)
        AND NOT EXISTS (SELECT 1 FROM contact_search_entries e WHERE e.id = cc.id)
        AND NOT EXISTS (SELECT 1 FROM contact_search_pending p
          WHERE p.organization_id = k.organization_id AND p.campaign_id = cc.campaign_id AND p.id = cc.id)`,
    fault: 'a campaign contact that differs from its contact is missing from the search',
  },
  {
    query: `SELECT 1 FROM contact_search_entries e WHERE NOT EXISTS (SELECT 1 FROM contacts c WHERE c.id = e.id)
      AND NOT EXISTS (SELECT 1 FROM campaign_contacts cc WHERE cc.id = e.id)
      AND e.id NOT IN (SELECT id FROM contact_search_pending)`,
    fault: 'the search has a contact that was deleted',
  },
];

/** Rows that lists of campaign contacts would leave out. */
const listFaults: readonly Check[] = [
  {
    query: `SELECT 1 FROM campaign_contacts WHERE status = 'pending' AND next_retry_at IS NOT NULL AND last_attempted_at IS NULL`,
    fault: 'a campaign contact waits for a retry, but was never attempted',
  },
  {
    query: `SELECT 1 FROM campaign_contacts WHERE status = 'in_progress' AND recent = 0`,
    fault: 'a campaign contact in progress is missing from the lists by status',
  },
  {
    // The contacts of a removed campaign, which nobody can list, may outlive their calls.
    query: `SELECT 1 FROM campaign_contacts cc JOIN campaigns k ON k.id = cc.campaign_id
      WHERE cc.recent = 1 AND k.removed_at IS NULL AND NOT EXISTS (
        SELECT 1 FROM calls c WHERE c.campaign_contact_id = cc.id AND c.campaign_id = cc.campaign_id AND c.recent = 1)`,
    fault: 'a campaign contact is missing from the lists by status, because its call is filed or deleted',
  },
];

/** For the examination of a database (db/sqlite/integrity.ts). */
export const dataChecks: readonly Check[] = [
  ...differences.map(([what, query]) => ({ query, fault: `the kept number of ${what} is wrong` })),
  ...searchFaults,
  ...listFaults,
];

/** The kinds of stored counts that differ from the tables' rows. Reads the tables whole. */
export async function wrongNumbers(db: Queryable): Promise<string[]> {
  const wrong: string[] = [];
  for (const [what, query] of differences) {
    const { rows } = await sql`SELECT 1 WHERE EXISTS (${sql.raw(query)})`.execute(db);
    if (rows.length > 0) wrong.push(what);
  }
  return wrong;
}
