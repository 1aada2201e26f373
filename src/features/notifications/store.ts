import { type Selectable, sql } from 'kysely';
import { readPage } from '../../db/pages.ts';
import { listOf } from '../../db/sql.ts';
import type { NoticesTable } from '../../db/schema.generated.ts';
import type { Queryable, Tx } from '../../db/transaction.ts';
import { keptCount } from '../../kernel/counts.ts';
import { type Page, type Paged, pagedOf } from '../../kernel/paging.ts';
import type { Notice, NoticeKind } from './notice.ts';

const noticeOf = (row: Selectable<NoticesTable>): Notice => ({
  id: row.id,
  orgId: row.organization_id,
  kind: row.kind as NoticeKind,
  subject: row.subject,
  body: row.body,
  createdAt: row.created_at,
  sentAt: row.sent_at,
  lastError: row.last_error,
  readAt: row.read_at,
});

export async function insertNotice(tx: Tx, notice: Omit<Notice, 'sentAt' | 'lastError' | 'readAt'>): Promise<void> {
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

/** A page of the organization's notices, newest first. */
export async function noticePage(db: Queryable, orgId: string, page: Page): Promise<Paged<Notice>> {
  const notices = db.selectFrom('notices').where('organization_id', '=', orgId);
  const rows = notices.selectAll().orderBy('id', 'desc');
  return pagedOf(await readPage(db, rows, keptCount(db, orgId, 'notices'), page), noticeOf);
}

/** Which of the ids are notices of the organization. */
export async function existingNoticeIds(db: Queryable, orgId: string, ids: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('notices')
    .select('id')
    .where('organization_id', '=', orgId)
    .where('id', 'in', [...ids])
    .execute();
  return rows.map(({ id }) => id);
}

const unread = (db: Queryable, orgId: string) =>
  db.selectFrom('notices').where('organization_id', '=', orgId).where('read_at', 'is', null);

/** Some unread notices, oldest first. */
export async function unreadIds(db: Queryable, orgId: string, limit: number): Promise<string[]> {
  const rows = await unread(db, orgId).select('id').orderBy('id').limit(limit).execute();
  return rows.map(({ id }) => id);
}

/** The number of unread notices, counted up to `limit`. */
export async function countUnread(db: Queryable, orgId: string, limit: number): Promise<number> {
  const some = unread(db, orgId).select('id').limit(limit).as('some');
  const counted = db.selectFrom(some).select((eb) => eb.fn.countAll<number>().as('n'));
  return (await counted.executeTakeFirstOrThrow()).n;
}

/** Marks notices as read. Returns how many of them were unread. */
export async function setRead(tx: Tx, ids: readonly string[], at: number): Promise<number> {
  if (ids.length === 0) return 0;
  const { rows } = await sql<{ id: string }>`
    UPDATE notices SET read_at = ${at} WHERE id IN ${listOf(ids)} AND read_at IS NULL RETURNING id`.execute(tx);
  return rows.length;
}

export async function setSent(tx: Tx, id: string, at: number): Promise<void> {
  await tx.updateTable('notices').set({ sent_at: at, last_error: null }).where('id', '=', id).execute();
}

export async function setLastError(db: Queryable, id: string, error: string): Promise<void> {
  await db.updateTable('notices').set({ last_error: error }).where('id', '=', id).execute();
}
