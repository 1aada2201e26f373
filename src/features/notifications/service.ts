import { invalid } from '../../base/errors.ts';
import { onCommit, type Queryable, transact, type Tx } from '../../db/transaction.ts';
import type { App } from '../../kernel/app.ts';
import type { Page, Paged } from '../../kernel/paging.ts';
import { enqueue, jobKind } from '../../kernel/queue.ts';
import { organizationOf } from '../organizations/service.ts';
import type { Notice, NoticeKind } from './notice.ts';
import * as store from './store.ts';

/** Sends the e-mail of one notice; the job's key is the notice's id. */
export const sendEmail = jobKind<Record<string, never>>('email.send');

/**
 * The lane of an organization's e-mails, which are sent one at a time, so that its flood of notices does not delay those of other
 * organizations.
 */
export const emailLaneOf = (orgId: string): string => `email:${orgId}`;

/**
 * Stores a notice for an organization and logs it as a warning. With a mail server configured and addresses to send to, it is also
 * e-mailed after the commit (docs/api/webhooks.md, "Notices").
 */
export async function notify(
  app: App,
  tx: Tx,
  { orgId, kind, subject, body }: { orgId: string; kind: NoticeKind; subject: string; body: string },
): Promise<void> {
  const id = app.ids.make();
  const now = app.clock.now();
  await store.insertNotice(tx, { id, orgId, kind, subject, body, createdAt: now });
  onCommit(tx, () => app.log.warn({ orgId, kind, notice: id }, subject));
  if (app.config.email.host === null) return;
  const { notificationEmails } = await organizationOf(tx, orgId);
  if (notificationEmails.length === 0) return;
  await enqueue(app, tx, sendEmail, { key: id, lane: emailLaneOf(orgId), dueAt: now, payload: {} });
}

/**
 * Marks notices as read. Returns how many were unread.
 * @throws invalid when one of them is no notice of the organization; then none is marked
 */
export function markRead(app: App, orgId: string, ids: readonly string[]): Promise<number> {
  return transact(app.db, orgId, async (tx) => {
    const existing = new Set(await store.existingNoticeIds(tx, orgId, [...new Set(ids)]));
    const faults = ids.flatMap((id, index) =>
      existing.has(id) ? [] : [{ path: `ids[${index}]`, message: 'no such notice' }],
    );
    if (faults.length > 0) throw invalid(faults);
    return store.setRead(tx, [...existing], app.clock.now());
  });
}

/** One transaction marks this many notices, so that a flood of them delays no other work. */
const batchSize = 500;

/** Marks all notices as read. Returns how many were unread. */
export async function markAllRead(app: App, orgId: string): Promise<number> {
  for (let marked = 0; ;) {
    const batch = await transact(app.db, orgId, async (tx) =>
      store.setRead(tx, await store.unreadIds(tx, orgId, batchSize), app.clock.now()),
    );
    marked += batch;
    if (batch < batchSize) return marked;
  }
}

/** The number of unread notices, counted up to `limit`. */
export const countUnread = (db: Queryable, orgId: string, limit: number): Promise<number> =>
  store.countUnread(db, orgId, limit);

/** A page of the organization's notices, newest first. */
export const listNotices = (app: App, orgId: string, page: Page): Promise<Paged<Notice>> =>
  store.noticePage(app.db, orgId, page);
