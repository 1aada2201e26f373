import type { Queryable, Tx } from '../../db/transaction.ts';

/** Which texts are searched: those of an organization's contacts or, with a campaign, those of campaign contacts that differ from them. */
export type SearchScope = { orgId: string; campaignId?: string };

/**
 * Finds contacts by parts of their search text. Triggers note each contact that is new, changed or deleted as pending.
 *
 * A campaign contact is found by its contact. Only those whose name, phone or e-mail differ from their contact's are in the index
 * themselves: the contact changed after they had ended, or was deleted.
 */
export type ContactIndex = {
  /**
   * Ids of the contacts in `scope` that may contain `part`: those that do are among them. Undefined if there are more than `limit`, or if
   * `part` has fewer than three characters.
   */
  candidates(db: Queryable, scope: SearchScope, part: string, limit: number): Promise<string[] | undefined>;
  /** Notes campaign contacts that may differ from their contacts since these changed. Triggers note all other changes. */
  noteCampaignContacts(tx: Tx, orgId: string, noted: ReadonlyArray<{ id: string; campaignId: string }>): Promise<void>;
  /** An organization with pending contacts, the next one after `orgId`; undefined if no organization has any. */
  nextPending(db: Queryable, orgId: string): Promise<string | undefined>;
  /** Indexes up to `limit` pending contacts of an organization. Returns how many they were. */
  indexPending(tx: Tx, orgId: string, limit: number): Promise<number>;
  /** Fills the index, which is empty, with the terms of all entries. */
  fill(tx: Tx): Promise<void>;
  /** Merges some of the segments that additions leave behind. Returns whether there was something to merge. */
  mergeStep(tx: Tx): Promise<boolean>;
};
