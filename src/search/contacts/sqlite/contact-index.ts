import { sql } from 'kysely';
import { prepared } from '../../../db/prepared.ts';
import { listOf, recordsOf, rowsOf } from '../../../db/sql.ts';
import { totalChanges } from '../../../db/sqlite/total-changes.ts';
import type { Queryable, Tx } from '../../../db/transaction.ts';
import type { ContactIndex, SearchScope } from '../contact-index.ts';
import { indexedTerms, queryTerms } from '../terms.ts';

/** Pages of about 4 KiB that one step merges; they take a few milliseconds. */
const pagesPerStep = 32;

export const sqliteContactIndex: ContactIndex = {
  candidates,
  noteCampaignContacts,
  nextPending,
  indexPending,
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

type Noted = { id: string; campaignId: string };

const insertPending = prepared(
  (_db, p: { orgId: string; noted: readonly Noted[] }) => sql`
    INSERT INTO contact_search_pending (organization_id, campaign_id, id)
    SELECT ${p.orgId}, "campaignId", id FROM ${recordsOf(p.noted, { campaignId: 'text', id: 'text' })} AS noted WHERE true
    ON CONFLICT DO NOTHING`,
);

async function noteCampaignContacts(tx: Tx, orgId: string, noted: readonly Noted[]): Promise<void> {
  if (noted.length === 0) return;
  await insertPending(tx, { orgId, noted: noted.map(({ id, campaignId }) => ({ id, campaignId })) });
}

const selectNext = prepared(
  (_db, p: { orgId: string }) => sql<{ orgId: string }>`
    SELECT organization_id AS "orgId" FROM contact_search_pending WHERE organization_id > ${p.orgId}
    ORDER BY organization_id LIMIT 1`,
);

async function nextPending(db: Queryable, orgId: string): Promise<string | undefined> {
  const [next] = (await selectNext(db, { orgId })).rows;
  if (next || orgId === '') return next?.orgId;
  return nextPending(db, '');
}

/**
 * A contact, or with `campaignId` a campaign contact, that waits to be indexed. `number` is that of its entry in the index, null if it has
 * none; `text` is what it is found by, null if it was deleted or is found by its contact.
 */
type Pending = { id: string; campaignId: string; number: number | null; text: string | null };

const selectPending = prepared(
  (_db, p: { orgId: string; limit: number }) => sql<Pending>`
    SELECT pending.id, pending.campaign_id AS "campaignId", entry.number,
      CASE WHEN pending.campaign_id = '' THEN contact.search
        WHEN own.id IS NULL THEN NULL
        WHEN own.phone = contact_of.phone AND own.email IS contact_of.email
          AND coalesce(own.name, '') = concat_ws(' ', nullif(contact_of.first_name, ''), nullif(contact_of.last_name, '')) THEN NULL
        ELSE folded(concat_ws(char(10), own.name, own.phone, own.email)) END AS text
    FROM (SELECT campaign_id, id FROM contact_search_pending WHERE organization_id = ${p.orgId} LIMIT ${p.limit}) AS pending
    LEFT JOIN contact_search_entries AS entry ON entry.id = pending.id
    LEFT JOIN contacts AS contact ON contact.id = pending.id
    LEFT JOIN campaign_contacts AS own ON own.id = pending.id
    LEFT JOIN contacts AS contact_of ON contact_of.id = own.contact_id`,
);
const selectLastNumber = prepared(
  (_db, _p: object) => sql<{ number: number | null }>`SELECT max(number) AS number FROM contact_search_entries`,
);
const deletePending = prepared(
  (_db, p: { orgId: string; done: readonly Noted[] }) => sql`
    DELETE FROM contact_search_pending WHERE organization_id = ${p.orgId}
      AND (campaign_id, id) IN (SELECT "campaignId", id FROM ${recordsOf(p.done, { campaignId: 'text', id: 'text' })} AS done)`,
);
const deleteEntries = prepared((db, p: { ids: readonly string[] }) =>
  db.deleteFrom('contact_search_entries').where('id', 'in', listOf(p.ids)),
);
const insertEntries = prepared(
  (_db, p: { entries: ReadonlyArray<{ number: number; id: string }> }) => sql`
    INSERT INTO contact_search_entries (number, id)
    SELECT number, id FROM ${recordsOf(p.entries, { number: 'integer', id: 'text' })} AS entry`,
);
const deleteTerms = prepared(
  (_db, p: { number: number }) => sql`DELETE FROM contact_search_trigrams WHERE rowid = ${p.number}`,
);
const insertTerms = prepared(
  (_db, p: { number: number; terms: string }) => sql`
    INSERT INTO contact_search_trigrams (rowid, trigrams) VALUES (${p.number}, ${p.terms})`,
);

/**
 * A changed contact gets a new entry. FTS5 keeps terms in memory until the commit, but a statement that changes several rows makes it write
 * them as a segment of their own, so those statements come first.
 */
async function indexPending(tx: Tx, orgId: string, limit: number): Promise<number> {
  const { rows } = await selectPending(tx, { orgId, limit });
  const last = (await selectLastNumber(tx, {})).rows[0]!.number ?? 0;
  const entries = rows
    .flatMap(({ id, campaignId, text }) => (text === null ? [] : { id, owner: campaignId || orgId, text }))
    .map((contact, index) => ({ ...contact, number: last + 1 + index }));
  await deletePending(tx, { orgId, done: rows.map(({ id, campaignId }) => ({ id, campaignId })) });
  await deleteEntries(tx, { ids: rows.map(({ id }) => id) });
  await insertEntries(tx, { entries });
  for (const { number } of rows) if (number !== null) await deleteTerms(tx, { number });
  for (const { number, owner, text } of entries) await insertTerms(tx, { number, terms: indexedTerms(owner, text) });
  return rows.length;
}

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
