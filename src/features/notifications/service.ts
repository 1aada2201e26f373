import { onCommit, type Tx } from '../../db/transaction.ts';
import type { App } from '../../kernel/app.ts';
import type { Page, Paged } from '../../kernel/paging.ts';
import { enqueue, jobKind } from '../../kernel/queue.ts';
import { organizationOf } from '../organizations/service.ts';
import type { Notice } from './notice.ts';
import * as store from './store.ts';

/** Sends the e-mail of one notice; the job's key is the notice's id. */
export const sendEmail = jobKind<Record<string, never>>('email.send');

/** One e-mail of an organization is sent at a time, so that its flood of notices does not delay those of other organizations. */
const laneOf = (orgId: string): string => `email:${orgId}`;

/**
 * Stores a notice for an organization and logs it as a warning. With a mail server configured and addresses to send to, it is also
 * e-mailed after the commit (contract, section 11).
 */
export async function notify(
  app: App,
  tx: Tx,
  { orgId, kind, subject, body }: { orgId: string; kind: string; subject: string; body: string },
): Promise<void> {
  const id = app.ids.make();
  const now = app.clock.now();
  await store.insertNotice(tx, { id, orgId, kind, subject, body, createdAt: now });
  onCommit(tx, () => app.log.warn({ orgId, kind, notice: id }, subject));
  if (app.config.email.host === null) return;
  const { notificationEmails } = await organizationOf(tx, orgId);
  if (notificationEmails.length === 0) return;
  await enqueue(app, tx, sendEmail, { key: id, lane: laneOf(orgId), dueAt: now, payload: {} });
}

/** Newest first. */
export const listNotices = (app: App, orgId: string, page: Page): Promise<Paged<Notice>> =>
  store.noticePage(app.db, orgId, page);
