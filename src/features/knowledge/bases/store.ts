import { type Selectable, sql } from 'kysely';
import { readFiltered } from '../../../db/pages.ts';
import { insertInto, sent, updateById } from '../../../db/prepared.ts';
import type { KnowledgeBasesTable } from '../../../db/schema.generated.ts';
import { containsFolded } from '../../../db/sql.ts';
import type { Queryable, Tx } from '../../../db/transaction.ts';
import { type Page, type Paged, pagedOf } from '../../../kernel/paging.ts';
import type { UnpagedList } from '../../../kernel/unpaged.ts';
import type { KnowledgeBase } from './knowledge-base.ts';

const toBase = (row: Selectable<KnowledgeBasesTable>): KnowledgeBase => ({
  id: row.id,
  orgId: row.organization_id,
  name: row.name,
  enableAutoRefresh: row.enable_auto_refresh === 1,
  documentCount: row.document_count,
  version: row.version,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

const insertRow = insertInto('knowledge_bases');

export const insertBase = (tx: Tx, base: KnowledgeBase): Promise<void> =>
  insertRow(tx, {
    id: base.id,
    organization_id: base.orgId,
    name: base.name,
    enable_auto_refresh: Number(base.enableAutoRefresh),
    created_at: base.createdAt,
    updated_at: base.updatedAt,
  });

const ofOrganization = (db: Queryable, orgId: string) =>
  db.selectFrom('knowledge_bases').where('organization_id', '=', orgId).where('removed_at', 'is', null);

export const baseList: UnpagedList = {
  rowsOf: (orgId) => sql`SELECT 1 FROM knowledge_bases WHERE organization_id = ${orgId} AND removed_at IS NULL`,
  max: 2000,
  noun: 'knowledge bases',
  remedy: 'delete some, or put more documents into one',
};

const hasFailedSource = sql<boolean>`EXISTS (SELECT 1 FROM knowledge_source_counts AS count
  WHERE count.knowledge_base_id = knowledge_bases.id AND count.status = 'error' AND count.sources > 0)`;

/** The organization's bases, newest first. `failing`: only those with a source that could not be read. */
export async function listBases(
  db: Queryable,
  orgId: string,
  { failing = false, limit }: { failing?: boolean | undefined; limit?: number } = {},
): Promise<KnowledgeBase[]> {
  let found = ofOrganization(db, orgId).selectAll().orderBy('id', 'desc');
  if (failing) found = found.where(hasFailedSource);
  if (limit !== undefined) found = found.limit(limit);
  return (await found.execute()).map(toBase);
}

/** Bases whose name contains a folded text, newest first. */
export async function searchBases(
  db: Queryable,
  orgId: string,
  text: string,
  page: Page,
): Promise<Paged<KnowledgeBase>> {
  const all = ofOrganization(db, orgId);
  const found = all.where(containsFolded(['name'], text));
  return pagedOf(await readFiltered<Selectable<KnowledgeBasesTable>>(db, all, found, page), toBase);
}

export async function findBase(db: Queryable, orgId: string, id: string): Promise<KnowledgeBase | undefined> {
  const row = await ofOrganization(db, orgId).selectAll().where('id', '=', id).executeTakeFirst();
  return row && toBase(row);
}

/** Which of the ids are bases of the organization, in any order. */
export async function existingBaseIds(db: Queryable, orgId: string, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await ofOrganization(db, orgId)
    .select('id')
    .where('id', 'in', [...ids])
    .execute();
  return rows.map(({ id }) => id);
}

/** Number of documents in all bases of an organization. */
export async function countDocuments(db: Queryable, orgId: string): Promise<number> {
  const { total } = await ofOrganization(db, orgId)
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('document_count'), eb.lit(0)).as('total'))
    .executeTakeFirstOrThrow();
  return total;
}

const touch = sent((db, p: { id: string; now: number; documents: number }) =>
  db
    .updateTable('knowledge_bases')
    .set((eb) => ({ updated_at: p.now, document_count: eb('document_count', '+', p.documents) }))
    .where('id', '=', p.id),
);

/** Updates the base's timestamp and adds `documents`, which may be negative, to its document count. */
export async function touchBase(tx: Tx, id: string, now: number, documents = 0): Promise<void> {
  await touch(tx, { id, now, documents });
}

const updateRow = updateById('knowledge_bases');

export const updateBase = (
  tx: Tx,
  id: string,
  changes: Partial<Pick<KnowledgeBase, 'name' | 'enableAutoRefresh'>>,
  now: number,
): Promise<void> =>
  updateRow(tx, id, {
    ...(changes.name === undefined ? {} : { name: changes.name }),
    ...(changes.enableAutoRefresh === undefined ? {} : { enable_auto_refresh: Number(changes.enableAutoRefresh) }),
    updated_at: now,
  });

export async function markBaseRemoved(tx: Tx, id: string, now: number): Promise<void> {
  await tx.updateTable('knowledge_bases').set({ removed_at: now }).where('id', '=', id).execute();
}

export async function deleteBase(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('knowledge_bases').where('id', '=', id).execute();
}
