import { after, nextMacrotask } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import { isInTransaction, onCommit, type Tx } from '../../db/transaction.ts';
import type { App } from '../../kernel/app.ts';
import { nodeState } from '../../kernel/node.ts';
import { keptCount } from '../../kernel/counts.ts';
import type { Page, Paged } from '../../kernel/paging.ts';
import { contactIndex } from '../../search/contacts/index.ts';
import { indexContacts, searchContactRows } from './background-tasks.ts';
import { foldText } from '../../base/fold-text.ts';
import type { Contact } from './contact.ts';
import * as store from './store.ts';

/** With at most this many contacts, the main thread compares all their texts, in a millisecond or two. */
const maxHere = 2000;

/** `q` is trimmed because a `+` that was not escaped in the query string arrives as a space. */
const foldQuery = (q: string): string => foldText(q).trim();

/** `mayBeCalled`: see DoNotCallState; all contacts if it is missing. */
export type ContactFilter = { q: string; mayBeCalled?: boolean };

/**
 * The contacts whose name, e-mail, phone or company contains `q`, ignoring case, newest first; all contacts if `q` is blank. A page by
 * position (`after`) costs less than one by offset, because nothing is counted.
 */
export async function searchContacts(
  app: App,
  orgId: string,
  { q, mayBeCalled }: ContactFilter,
  page: Page,
): Promise<Paged<Contact>> {
  const folded = foldQuery(q);
  if (folded === '' && mayBeCalled === undefined) return store.contactsPage(app.db, orgId, page);
  const args = { orgId, folded, isDoNotCall: mayBeCalled === undefined ? null : Number(!mayBeCalled), page };
  const isHere = await isSearchedHere(app, orgId);
  const rows = isHere ? store.matchingRows(app.db, args) : app.background.run(searchContactRows, args, orgId);
  return store.presentRows(orgId, await rows);
}

const isSearchedHere = async ({ db }: App, orgId: string): Promise<boolean> =>
  isInTransaction(db) || (await keptCount(db, orgId, 'contacts')) <= maxHere;

/** Further changes within this time join the batch. Meanwhile a search compares the text of each contact that is not indexed yet. */
const gatherMs = 500;

const indexingOf = nodeState('contactIndexing', () => ({ isScheduled: false, isRunning: false }));

/** Indexes contacts soon after the commit. Call it in every transaction that saves or deletes contacts. */
export const indexAfterCommit = (app: App, tx: Tx): void => onCommit(tx, () => indexSoon(app));

/** Indexes contacts that an earlier process left pending. Called at every start. */
export async function resumeIndexing(app: App): Promise<void> {
  if ((await contactIndex.nextPending(app.db, '')) !== undefined) indexSoon(app);
}

function indexSoon(app: App): void {
  const indexing = indexingOf(app);
  if (indexing.isScheduled) return;
  indexing.isScheduled = true;
  after(gatherMs, () => {
    indexing.isScheduled = false;
    void indexPending(app);
  });
}

/** Resolves when no contact is pending, or the background thread takes no more tasks; then the next start or change indexes the rest. */
export async function indexPending(app: App): Promise<void> {
  const indexing = indexingOf(app);
  if (indexing.isRunning) return;
  indexing.isRunning = true;
  try {
    let last: string | undefined = '';
    while (last !== undefined) {
      last = await app.background.run(indexContacts, { orgId: last });
      await nextMacrotask();
    }
  } catch (error) {
    app.log.info(
      { reason: messageOf(error) },
      'indexing contacts for search stopped; the next start or change resumes it',
    );
  } finally {
    indexing.isRunning = false;
  }
}
