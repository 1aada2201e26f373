import type { Selectable } from 'kysely';
import { readPage } from '../../db/prepared.ts';
import type { NoticesTable } from '../../db/schema.generated.ts';
import type { Queryable, Tx } from '../../db/transaction.ts';
import type { Page, Paged } from '../../kernel/paging.ts';
import type { Notice } from './notice.ts';

const noticeOf = (row: Selectable<NoticesTable>): Notice => ({
  id: row.id,
  orgId: row.organization_id,
  kind: row.kind,
  subject: row.subject,
  body: row.body,
  createdAt: row.created_at,
  sentAt: row.sent_at,
  lastError: row.last_error,
});

export async function insertNotice(tx: Tx, notice: Omit<Notice, 'sentAt' | 'lastError'>): Promise<void> {
  await tx
    .insertInto('notices')
    .values({
      id: notice.id,
      organization_id: notice.orgId,
      kind: notice.kind,
      subject: notice.subject,
      body: notice.body,
      created_at: notice.createdAt,
    })
    .execute();
}

export async function noticeById(db: Queryable, id: string): Promise<Notice | undefined> {
  const row = await db.selectFrom('notices').selectAll().where('id', '=', id).executeTakeFirst();
  return row && noticeOf(row);
}

/** Newest first. */
export async function noticePage(db: Queryable, orgId: string, page: Page): Promise<Paged<Notice>> {
  const notices = db.selectFrom('notices').where('organization_id', '=', orgId);
  const rows = await readPage(db, notices.selectAll().orderBy('id', 'desc'), page);
  const count = await notices.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  return { items: rows.map(noticeOf), total: count.total };
}

export async function setSent(tx: Tx, id: string, at: number): Promise<void> {
  await tx.updateTable('notices').set({ sent_at: at, last_error: null }).where('id', '=', id).execute();
}

export async function setLastError(db: Queryable, id: string, error: string): Promise<void> {
  await db.updateTable('notices').set({ last_error: error }).where('id', '=', id).execute();
}
