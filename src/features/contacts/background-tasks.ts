import { nextMacrotask } from '../../base/clock.ts';
import { transact } from '../../db/transaction.ts';
import { backgroundRead, backgroundWrite } from '../../kernel/background.ts';
import { contactIndex } from '../../search/contacts/index.ts';
import { matchingRows } from './store.ts';

/** Contact searches that may read many rows. */
export const searchContactRows = backgroundRead('contacts.search', ({ db }, args: Parameters<typeof matchingRows>[1]) =>
  matchingRows(db, args),
);

/** One transaction indexes this many contacts, in some 20 ms for which other writers wait. */
const batchSize = 500;
/** The index is merged after this many batches. Each batch leaves a segment, and SQLite merges no fewer than four. */
const batchesPerTask = 4;
/** Merge steps at most per task; a large index needs several until nothing is left to merge. */
const maxMerges = 16;

/**
 * Indexes pending contacts of the next organizations after `orgId`, so that one with a million of them delays no other. Returns the last
 * organization, or undefined when no contact is pending.
 */
export const indexContacts = backgroundWrite(
  'contacts.index',
  async ({ db }, { orgId }: { orgId: string }): Promise<string | undefined> => {
    let last = orgId;
    for (let batch = 0; batch < batchesPerTask; batch += 1) {
      const next = await contactIndex.nextPending(db, last);
      if (next === undefined) return undefined;
      last = next;
      await transact(db, next, (tx) => contactIndex.indexPending(tx, next, batchSize));
      await nextMacrotask();
    }
    // In the last organization's scope: on PostgreSQL, where nothing is merged, a scope of all would keep everybody waiting.
    for (let step = 0; step < maxMerges; step += 1) {
      if (!(await transact(db, last, (tx) => contactIndex.mergeStep(tx)))) break;
      await nextMacrotask();
    }
    return last;
  },
);
