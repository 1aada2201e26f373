import { JsonObject } from '../../../base/json.ts';
import type { Queryable, Tx } from '../../../db/transaction.ts';
import type { ContactsToAdd, NewCampaignContact } from './campaign-contacts.ts';

/** Up to 128 contacts of a request. `firstIndex` is the index in the request of the first of `contacts`. */
export type Part = ContactsToAdd & { firstIndex: number };

/** A contact with its metadata as text, so that it comes back as it was sent. */
type StoredContact = Omit<NewCampaignContact, 'metadata'> & { metadata?: string | null };

const stored = ({ metadata, ...contact }: NewCampaignContact): StoredContact =>
  metadata === undefined ? contact : { ...contact, metadata: metadata && metadata.text };

const restored = ({ metadata, ...contact }: StoredContact): NewCampaignContact =>
  metadata === undefined
    ? contact
    : { ...contact, metadata: typeof metadata === 'string' ? new JsonObject(metadata) : metadata };

export async function insertPart(tx: Tx, id: string, part: number, entries: Part): Promise<void> {
  const text = JSON.stringify({ ...entries, contacts: entries.contacts.map(stored) });
  await tx.insertInto('campaign_joins').values({ id, part, entries: text }).execute();
}

export async function countParts(db: Queryable, id: string): Promise<number> {
  const { count } = await db
    .selectFrom('campaign_joins')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return count;
}

/** Removes the first part that is left, and returns it. */
export async function takePart(tx: Tx, id: string): Promise<Part | undefined> {
  const first = tx
    .selectFrom('campaign_joins')
    .select((eb) => eb.fn.min('part').as('part'))
    .where('id', '=', id);
  const row = await tx
    .deleteFrom('campaign_joins')
    .where('id', '=', id)
    .where('part', '=', first)
    .returning('entries')
    .executeTakeFirst();
  if (!row) return undefined;
  const part = JSON.parse(row.entries) as Omit<Part, 'contacts'> & { contacts: StoredContact[] };
  return { ...part, contacts: part.contacts.map(restored) };
}

export async function deleteParts(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('campaign_joins').where('id', '=', id).execute();
}
