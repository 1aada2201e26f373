import { sql } from 'kysely';
import { type DialectName, dialectOf } from '../db/dialect.ts';
import { recounts as postgresRecounts } from '../db/postgres/recounts.generated.ts';
import { recounts } from '../db/sqlite/counters.generated.ts';
import type { Check } from '../db/open-database.ts';
import type { Queryable } from '../db/transaction.ts';

/** Numbers of campaign contacts that the dialer keeps, beside those that triggers keep. */
const campaignNumbers = {
  what: 'contacts of campaigns',
  query: `SELECT 1 FROM campaigns k LEFT JOIN (SELECT campaign_id, count(*) AS total, count(*) FILTER (WHERE status = 'pending') AS pending,
        count(*) FILTER (WHERE status = 'in_progress') AS in_progress, count(*) FILTER (WHERE status = 'completed') AS contacted
      FROM campaign_contacts GROUP BY 1) c ON c.campaign_id = k.id
    WHERE k.removed_at IS NULL AND (k.total, k.pending, k.in_progress, k.contacted) IS DISTINCT FROM
      (coalesce(c.total, 0), coalesce(c.pending, 0), coalesce(c.in_progress, 0), coalesce(c.contacted, 0))`,
};

const differences = { sqlite: [...recounts, campaignNumbers], postgres: [...postgresRecounts, campaignNumbers] };

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
      WHERE (cc.phone IS DISTINCT FROM c.phone OR cc.email IS DISTINCT FROM c.email)
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

/** For the examination of a database. */
export const dataChecks = (dialect: DialectName): readonly Check[] => [
  ...differences[dialect].map(({ what, query }) => ({ query, fault: `the kept number of ${what} is wrong` })),
  ...searchFaults,
];

/** The kinds of stored counts that differ from the tables' rows. Reads the tables whole. */
export async function wrongNumbers(db: Queryable): Promise<string[]> {
  const wrong: string[] = [];
  for (const { what, query } of differences[dialectOf(db)]) {
    const { rows } = await sql`SELECT 1 WHERE EXISTS (${sql.raw(query)})`.execute(db);
    if (rows.length > 0) wrong.push(what);
  }
  return wrong;
}
