import { sql } from 'kysely';
import { prepared, sent } from '../../db/prepared.ts';
import { listOf, recordsOf } from '../../db/sql.ts';
import type { Queryable, Tx } from '../../db/transaction.ts';
import { indexedTerms } from './terms.ts';

/** How an index keeps the terms of the entry with a number. */
export type TermTable = {
  deleteTerms: (tx: Tx, number: number) => Promise<void>;
  /** `terms`: with blanks between them, some perhaps repeatedly. */
  insertTerms: (tx: Tx, number: number, terms: string) => Promise<void>;
};

type Noted = { id: string; campaignId: string };

const insertPending = sent(
  (_db, p: { orgId: string; noted: readonly Noted[] }) => sql`
    INSERT INTO contact_search_pending (organization_id, campaign_id, id)
    SELECT ${p.orgId}, "campaignId", id FROM ${recordsOf(p.noted, { campaignId: 'text', id: 'text' })} AS noted WHERE true
    ON CONFLICT DO NOTHING`,
);

export async function noteCampaignContacts(tx: Tx, orgId: string, noted: readonly Noted[]): Promise<void> {
  if (noted.length === 0) return;
  await insertPending(tx, { orgId, noted: noted.map(({ id, campaignId }) => ({ id, campaignId })) });
}

const selectNext = prepared(
  (_db, p: { orgId: string }) => sql<{ orgId: string }>`
    SELECT organization_id AS "orgId" FROM contact_search_pending WHERE organization_id > ${p.orgId}
    ORDER BY organization_id LIMIT 1`,
);

export async function nextPending(db: Queryable, orgId: string): Promise<string | undefined> {
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
        WHEN own.phone = contact_of.phone AND own.email IS NOT DISTINCT FROM contact_of.email
          AND coalesce(own.name, '') = concat_ws(' ', nullif(contact_of.first_name, ''), nullif(contact_of.last_name, '')) THEN NULL
        ELSE folded(concat_ws(${'\n'}, own.name, own.phone, own.email)) END AS text
    FROM (SELECT campaign_id, id FROM contact_search_pending WHERE organization_id = ${p.orgId} LIMIT ${p.limit}) AS pending
    LEFT JOIN contact_search_entries AS entry ON entry.id = pending.id
    LEFT JOIN contacts AS contact ON contact.id = pending.id
    LEFT JOIN campaign_contacts AS own ON own.id = pending.id
    LEFT JOIN contacts AS contact_of ON contact_of.id = own.contact_id`,
);
const selectLastNumber = prepared(
  (_db, _p: object) => sql<{ number: number | null }>`SELECT max(number) AS number FROM contact_search_entries`,
);
const deletePending = sent(
  (_db, p: { orgId: string; done: readonly Noted[] }) => sql`
    DELETE FROM contact_search_pending WHERE organization_id = ${p.orgId}
      AND (campaign_id, id) IN (SELECT "campaignId", id FROM ${recordsOf(p.done, { campaignId: 'text', id: 'text' })} AS done)`,
);
const deleteEntries = sent((db, p: { ids: readonly string[] }) =>
  db.deleteFrom('contact_search_entries').where('id', 'in', listOf(p.ids)),
);
const insertEntries = sent(
  (_db, p: { entries: ReadonlyArray<{ number: number; id: string }> }) => sql`
    INSERT INTO contact_search_entries (number, id)
    SELECT number, id FROM ${recordsOf(p.entries, { number: 'integer', id: 'text' })} AS entry`,
);
/**
 * A changed contact gets a new entry. FTS5 keeps terms in memory until the commit, but a statement that changes several rows makes it write
 * them as a segment of their own, so those statements come first.
 */
export async function indexPending(
  tx: Tx,
  orgId: string,
  limit: number,
  { deleteTerms, insertTerms }: TermTable,
): Promise<number> {
  const { rows } = await selectPending(tx, { orgId, limit });
  const last = (await selectLastNumber(tx, {})).rows[0]!.number ?? 0;
  const entries = rows
    .flatMap(({ id, campaignId, text }) => (text === null ? [] : { id, owner: campaignId || orgId, text }))
    .map((contact, index) => ({ ...contact, number: last + 1 + index }));
  await deletePending(tx, { orgId, done: rows.map(({ id, campaignId }) => ({ id, campaignId })) });
  await deleteEntries(tx, { ids: rows.map(({ id }) => id) });
  await insertEntries(tx, { entries });
  for (const { number } of rows) if (number !== null) await deleteTerms(tx, number);
  for (const { number, owner, text } of entries) await insertTerms(tx, number, indexedTerms(owner, text));
  return rows.length;
}
