import { sql } from 'kysely';
import { prepared, sent } from '../../../db/prepared.ts';
import type { Queryable } from '../../../db/transaction.ts';
import type { ContactIndex, SearchScope } from '../contact-index.ts';
import { fillIndex } from '../fill.ts';
import { indexPending, nextPending, noteCampaignContacts, type TermTable } from '../pending.ts';
import { queryTerms } from '../terms.ts';

const deleteTerms = sent(
  (_db, p: { number: number }) => sql`DELETE FROM contact_search_trigrams WHERE number = ${p.number}`,
);
const insertTerms = sent(
  (_db, p: { number: number; terms: string }) => sql`
    INSERT INTO contact_search_trigrams (number, terms)
    VALUES (${p.number}, array_to_tsvector(array_remove(string_to_array(${p.terms}, ' '), '')))`,
);

const terms: TermTable = {
  async deleteTerms(tx, number) {
    await deleteTerms(tx, { number });
  },
  async insertTerms(tx, number, list) {
    await insertTerms(tx, { number, terms: list });
  },
};

const selectCandidates = prepared(
  (_db, p: { orgId: string; campaignId: string; match: string; limit: number }) => sql<{ id: string }>`
    SELECT id FROM (
      SELECT id FROM contact_search_pending WHERE organization_id = ${p.orgId} AND campaign_id = ${p.campaignId}
      UNION ALL
      SELECT entry.id FROM contact_search_trigrams AS found
        JOIN contact_search_entries AS entry ON entry.number = found.number
        WHERE found.terms @@ ${p.match}::tsquery
    ) AS candidate LIMIT ${p.limit}`,
);

async function candidates(
  db: Queryable,
  { orgId, campaignId = '' }: SearchScope,
  part: string,
  limit: number,
): Promise<string[] | undefined> {
  const match = queryTerms(campaignId || orgId, part)
    .map((term) => `'${term}'`)
    .join(' & ');
  if (match === '') return undefined;
  const { rows } = await selectCandidates(db, { orgId, campaignId, match, limit: limit + 1 });
  return rows.length > limit ? undefined : [...new Set(rows.map(({ id }) => id))];
}

/** Terms in a tsvector, of which PostgreSQL's index begins with the rarest. Nothing has to be merged: the server's autovacuum does. */
export const postgresContactIndex: ContactIndex = {
  candidates,
  noteCampaignContacts,
  nextPending,
  indexPending: (tx, orgId, limit) => indexPending(tx, orgId, limit, terms),
  fill: (tx) => fillIndex(tx, terms),
  mergeStep: () => Promise.resolve(false),
};
