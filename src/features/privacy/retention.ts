import { dayMs } from '../../base/clock.ts';
import { idsFrom } from '../../base/ids.ts';
import type { Tx } from '../../db/transaction.ts';
import type { App } from '../../kernel/app.ts';
import { batchJob, startBatches } from '../../kernel/batch-job.ts';
import { nightly } from '../../kernel/nightly.ts';
import { enqueue, jobKind } from '../../kernel/queue.ts';
import { keepNumberAlone } from '../contacts/do-not-call.ts';
import { removeInTransaction } from '../contacts/removal.ts';
import { contactOf } from '../contacts/service.ts';
import { appendAudit, operator } from '../requests/audit.ts';
import * as store from './store.ts';

/** Deletes an organization's contacts whose time is over; the key is the organization's id, `deleted` how many went this night. */
const deleteOldContacts = jobKind<{ before: number; after: string; deleted: number }>('contacts.delete_old');

/** Starts the deletion of old contacts in the organizations after one, since there may be very many. */
const startDeletions = jobKind<{ before: number; after: string }>('contacts.start_deletions');

/** Starts the deletion of contacts that nobody has used for `contacts.retention_days`, if there is a limit. */
export const contactPruning = nightly(jobKind('privacy.prune'), '7 4 * * *', async (app, tx) => {
  const days = app.config.contacts.retention_days;
  if (days === 0) return false;
  await startBatches(app, tx, startDeletions, 'all', { before: app.clock.now() - days * dayMs, after: '' });
  return false;
});

/** A batch enqueues a job for each of the next organizations. */
export const contactDeletionStart = batchJob(startDeletions, async (app, tx, { payload, rows }) => {
  const { before } = payload;
  const ids = await store.organizationIdsAfter(tx, { after: payload.after, limit: rows });
  for (const id of ids) {
    const deletion = { before, after: '', deleted: 0 };
    await enqueue(app, tx, deleteOldContacts, { key: id, scope: id, dueAt: app.clock.now(), payload: deletion });
  }
  return ids.length === rows ? { before, after: ids.at(-1)! } : undefined;
});

/** A batch looks at the next contacts and deletes those without change, campaign, call or note since `before`. */
export const contactDeletion = batchJob(deleteOldContacts, async (app, tx, { key: orgId, payload, rows }) => {
  if (app.config.contacts.retention_days === 0) return undefined; // switched off while a deletion was under way
  const { before, after } = payload;
  const seen = await store.contactIdsAfter(tx, orgId, { after, limit: rows });
  const ids = seen.filter((id) => id < idsFrom(before));
  const unused = await store.unusedSince(tx, orgId, { ids, before });
  for (const id of unused) await deleteUnused(app, tx, orgId, id);
  const deleted = payload.deleted + unused.length;
  if (seen.length === rows) return { before, after: seen.at(-1)!, deleted };
  if (deleted > 0) {
    const target = { count: String(deleted) };
    await appendAudit(app, tx, {
      orgId,
      actor: operator,
      operation: 'contacts.retention',
      target,
      requestId: null,
      ip: null,
    });
  }
  return undefined;
});

/** Whoever opted out stays on the do-not-call list with the number alone. */
async function deleteUnused(app: App, tx: Tx, orgId: string, id: string): Promise<void> {
  const { phone, doNotCall } = await contactOf(tx, orgId, id);
  await removeInTransaction(app, tx, orgId, id);
  if (phone !== null && doNotCall) await keepNumberAlone(app, tx, orgId, phone, true);
}
