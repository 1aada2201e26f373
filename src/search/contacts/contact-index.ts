import type { Queryable, Tx } from '../../db/transaction.ts';

/** Finds contacts by parts of their search text. Triggers note each contact that is new, changed or deleted as pending. */
export type ContactIndex = {
  /**
   * Ids of an organization's contacts that may contain `part`: those that do are among them. Undefined if there are more than `limit`, or
   * if `part` has fewer than three characters.
   */
  candidates(db: Queryable, orgId: string, part: string, limit: number): Promise<string[] | undefined>;
  /** An organization with pending contacts, the next one after `orgId`; undefined if no organization has any. */
  nextPending(db: Queryable, orgId: string): Promise<string | undefined>;
  /** Indexes up to `limit` pending contacts of an organization. Returns how many they were. */
  indexPending(tx: Tx, orgId: string, limit: number): Promise<number>;
  /** Merges some of the segments that additions leave behind. Returns whether there was something to merge. */
  mergeStep(tx: Tx): Promise<boolean>;
};
