import { sql } from 'kysely';
import { prepared } from '../../../db/prepared.ts';
import { rowsOf } from '../../../db/sql.ts';
import { totalChanges } from '../../../db/sqlite/total-changes.ts';
import type { Queryable, Tx } from '../../../db/transaction.ts';
import type { ContactIndex, SearchScope } from '../contact-index.ts';
import { fillIndex } from '../fill.ts';
import { indexPending, nextPending, noteCampaignContacts, type TermTable } from '../pending.ts';
import { queryTerms } from '../terms.ts';

/** Pages of about 4 KiB that one step merges; they take a few milliseconds. */
const pagesPerStep = 32;

export const sqliteContactIndex: ContactIndex = {
  candidates,
  noteCampaignContacts,
  nextPending,
  indexPending: (tx, orgId, limit) => indexPending(tx, orgId, limit, terms),
  fill: (tx) => fillIndex(tx, terms),
  mergeStep,
};

/** A query intersects at most this many terms. */
const maxIntersected = 4;

/** A term in more contacts than about this share is not worth reading, if there are rarer ones. */
const maxShare = 0.02;

/** The numbers of the hundredth entry with a term, and of the hundredth from the end; null if there are fewer. */
type Reach = { term: string; early: number | null; late: number | null };

const selectReach = prepared(
  (_db, p: { terms: readonly string[] }) => sql<Reach>`
    SELECT value AS term,
      (SELECT rowid FROM contact_search_trigrams WHERE contact_search_trigrams MATCH value ORDER BY rowid LIMIT 1 OFFSET 99) AS early,
      (SELECT rowid FROM contact_search_trigrams WHERE contact_search_trigrams MATCH value ORDER BY rowid DESC LIMIT 1 OFFSET 99) AS late
    FROM ${rowsOf(p.terms)}`,
);

/**
 * The terms that the fewest contacts seem to have. An intersection reads the whole list of each term: of one that all contacts have, such
 * as the domain of an e-mail, a million entries. FTS5 stores no frequencies, so they are estimated: the rarer a term, the further from the
 * ends of the index lie its hundredth entries.
 */
async function rarestOf(db: Queryable, terms: readonly string[]): Promise<readonly string[]> {
  const { rows } = await selectReach(db, { terms });
  const widthOf = ({ early, late }: Reach): number => (early === null || late === null ? 0 : late - early);
  const widest = Math.max(...rows.map(widthOf));
  const rarestFirst = rows.toSorted((a, b) => widthOf(a) - widthOf(b));
  const rare = rarestFirst.filter((reach) => widthOf(reach) < widest * (1 - maxShare / 2));
  return (rare.length === 0 ? rarestFirst : rare).slice(0, maxIntersected).map(({ term }) => term);
}

const selectCandidates = prepared(
  (_db, p: { orgId: string; campaignId: string; match: string; limit: number }) => sql<{ id: string }>`
    SELECT id FROM (
      SELECT id FROM contact_search_pending WHERE organization_id = ${p.orgId} AND campaign_id = ${p.campaignId}
      UNION ALL
      SELECT entry.id FROM contact_search_trigrams AS found
        CROSS JOIN contact_search_entries AS entry ON entry.number = found.rowid
        WHERE contact_search_trigrams MATCH ${p.match}
    ) LIMIT ${p.limit}`,
);

async function candidates(
  db: Queryable,
  { orgId, campaignId = '' }: SearchScope,
  part: string,
  limit: number,
): Promise<string[] | undefined> {
  const terms = queryTerms(campaignId || orgId, part).map((term) => `"${term}"`);
  if (terms.length === 0) return undefined;
  const match = (await rarestOf(db, terms)).join(' AND ');
  const { rows } = await selectCandidates(db, { orgId, campaignId, match, limit: limit + 1 });
  return rows.length > limit ? undefined : [...new Set(rows.map(({ id }) => id))];
}

const deleteTerms = prepared(
  (_db, p: { number: number }) => sql`DELETE FROM contact_search_trigrams WHERE rowid = ${p.number}`,
);
const insertTerms = prepared(
  (_db, p: { number: number; terms: string }) => sql`
    INSERT INTO contact_search_trigrams (rowid, trigrams) VALUES (${p.number}, ${p.terms})`,
);

const terms: TermTable = {
  async deleteTerms(tx, number) {
    await deleteTerms(tx, { number });
  },
  async insertTerms(tx, number, list) {
    await insertTerms(tx, { number, terms: list });
  },
};

const merge = prepared(
  (_db, p: { pages: number }) =>
    sql`INSERT INTO contact_search_trigrams (contact_search_trigrams, rank) VALUES ('merge', ${p.pages})`,
);

async function mergeStep(tx: Tx): Promise<boolean> {
  const before = await totalChanges(tx);
  await merge(tx, { pages: pagesPerStep });
  // The command counts as one change when there is nothing to merge (https://www.sqlite.org/fts5.html#the_merge_command).
  return (await totalChanges(tx)) - before > 1;
}
