import { sql } from 'kysely';
import { prepared } from '../../../db/prepared.ts';
import { listOf, recordsOf } from '../../../db/sql.ts';
import type { Queryable, Tx } from '../../../db/transaction.ts';
import type { ContactIndex } from '../contact-index.ts';
import { indexedTerms, queryTerms } from '../terms.ts';

/** Pages of about 4 KiB that one step merges; they take a few milliseconds. */
const pagesPerStep = 32;

export const sqliteContactIndex: ContactIndex = { candidates, nextPending, indexPending, mergeStep };

const selectCandidates = prepared(
  (_db, p: { orgId: string; match: string; limit: number }) => sql<{ id: string }>`
    SELECT id FROM (
      SELECT contact_id AS id FROM contact_search_pending WHERE organization_id = ${p.orgId}
      UNION ALL
      SELECT entry.contact_id FROM contact_search_trigrams AS found
        CROSS JOIN contact_search_entries AS entry ON entry.number = found.rowid
        WHERE contact_search_trigrams MATCH ${p.match}
    ) LIMIT ${p.limit}`,
);

async function candidates(db: Queryable, orgId: string, part: string, limit: number): Promise<string[] | undefined> {
  const terms = queryTerms(orgId, part);
  if (terms.length === 0) return undefined;
  const match = terms.map((term) => `"${term}"`).join(' AND ');
  const { rows } = await selectCandidates(db, { orgId, match, limit: limit + 1 });
  return rows.length > limit ? undefined : [...new Set(rows.map(({ id }) => id))];
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
 * A contact that waits to be indexed. `number` is that of its entry in the index, null if it has none; `text` is what it is found by, null
 * if it was deleted.
 */
type Pending = { id: string; number: number | null; text: string | null };

const selectPending = prepared(
  (_db, p: { orgId: string; limit: number }) => sql<Pending>`
    SELECT pending.contact_id AS id, entry.number, contact.search AS text
    FROM (SELECT contact_id FROM contact_search_pending WHERE organization_id = ${p.orgId} LIMIT ${p.limit}) AS pending
    LEFT JOIN contact_search_entries AS entry ON entry.contact_id = pending.contact_id
    LEFT JOIN contacts AS contact ON contact.id = pending.contact_id`,
);
const selectLastNumber = prepared(
  (_db, _p: object) => sql<{ number: number | null }>`SELECT max(number) AS number FROM contact_search_entries`,
);
const deletePending = prepared((db, p: { orgId: string; ids: readonly string[] }) =>
  db
    .deleteFrom('contact_search_pending')
    .where('organization_id', '=', p.orgId)
    .where('contact_id', 'in', listOf(p.ids)),
);
const deleteEntries = prepared((db, p: { ids: readonly string[] }) =>
  db.deleteFrom('contact_search_entries').where('contact_id', 'in', listOf(p.ids)),
);
const insertEntries = prepared(
  (_db, p: { entries: ReadonlyArray<{ number: number; id: string }> }) => sql`
    INSERT INTO contact_search_entries (number, contact_id)
    SELECT number, id FROM ${recordsOf(p.entries, ['number', 'id'])} AS entry`,
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
    .flatMap(({ id, text }) => (text === null ? [] : { id, text }))
    .map((contact, index) => ({ ...contact, number: last + 1 + index }));
  const ids = rows.map(({ id }) => id);
  await deletePending(tx, { orgId, ids });
  await deleteEntries(tx, { ids });
  await insertEntries(tx, { entries });
  for (const { number } of rows) if (number !== null) await deleteTerms(tx, { number });
  for (const { number, text } of entries) await insertTerms(tx, { number, terms: indexedTerms(orgId, text) });
  return rows.length;
}

const merge = prepared(
  (_db, p: { pages: number }) =>
    sql`INSERT INTO contact_search_trigrams (contact_search_trigrams, rank) VALUES ('merge', ${p.pages})`,
);
const selectTotalChanges = prepared((_db, _p: object) => sql<{ n: number }>`SELECT total_changes() AS n`);
const totalChanges = async (db: Queryable): Promise<number> => (await selectTotalChanges(db, {})).rows[0]!.n;

async function mergeStep(tx: Tx): Promise<boolean> {
  const before = await totalChanges(tx);
  await merge(tx, { pages: pagesPerStep });
  // The command counts as one change when there is nothing to merge (https://www.sqlite.org/fts5.html#the_merge_command).
  return (await totalChanges(tx)) - before > 1;
}
