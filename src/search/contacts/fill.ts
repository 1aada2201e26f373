import { sql } from 'kysely';
import { nextMacrotask } from '../../base/clock.ts';
import { prepared } from '../../db/prepared.ts';
import type { Tx } from '../../db/transaction.ts';
import type { TermTable } from './pending.ts';
import { indexedTerms } from './terms.ts';

const atOnce = 500;

/** `text` is null where the contact is gone; its entry is pending then. */
type Entry = { number: number; owner: string | null; text: string | null };

const selectEntries = prepared(
  (_db, p: { after: number; limit: number }) => sql<Entry>`
    SELECT entry.number, coalesce(contact.organization_id, own.campaign_id) AS owner,
      coalesce(contact.search, folded(concat_ws(${'\n'}, own.name, own.phone, own.email))) AS text
    FROM contact_search_entries AS entry
    LEFT JOIN contacts AS contact ON contact.id = entry.id
    LEFT JOIN campaign_contacts AS own ON own.id = entry.id
    WHERE entry.number > ${p.after} ORDER BY entry.number LIMIT ${p.limit}`,
);

/** Fills an empty index with the terms of all entries, for a database that was copied without it. */
export async function fillIndex(tx: Tx, { insertTerms }: Pick<TermTable, 'insertTerms'>): Promise<void> {
  for (let after = 0; ;) {
    const { rows } = await selectEntries(tx, { after, limit: atOnce });
    const last = rows.at(-1);
    if (!last) return;
    for (const { number, owner, text } of rows)
      if (owner !== null && text !== null) await insertTerms(tx, number, indexedTerms(owner, text));
    after = last.number;
    await nextMacrotask();
  }
}
