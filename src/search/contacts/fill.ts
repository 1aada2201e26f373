import { sql } from 'kysely';
import { prepared } from '../../db/prepared.ts';
import type { Tx } from '../../db/transaction.ts';
import { portions } from '../portions.ts';
import type { TermTable } from './pending.ts';
import { indexedTerms } from './terms.ts';

const atOnce = 500;

/** `text` is null where the contact is gone; its entry is pending then. */
type Entry = { id: number; owner: string | null; text: string | null };

const selectEntries = prepared(
  (_db, p: { after: number; limit: number }) => sql<Entry>`
    SELECT entry.number AS id, coalesce(contact.organization_id, own.campaign_id) AS owner,
      coalesce(contact.search, folded(concat_ws(${'\n'}, own.name, own.phone, own.email))) AS text
    FROM contact_search_entries AS entry
    LEFT JOIN contacts AS contact ON contact.id = entry.id
    LEFT JOIN campaign_contacts AS own ON own.id = entry.id
    WHERE entry.number > ${p.after} ORDER BY entry.number LIMIT ${p.limit}`,
);

/** Fills an empty index with the terms of all entries, for a database that was copied without it. */
export async function fillIndex(tx: Tx, { insertTerms }: Pick<TermTable, 'insertTerms'>): Promise<void> {
  for await (const entries of portions((after) => selectEntries(tx, { after, limit: atOnce })))
    for (const { id, owner, text } of entries)
      if (owner !== null && text !== null) await insertTerms(tx, id, indexedTerms(owner, text));
}
