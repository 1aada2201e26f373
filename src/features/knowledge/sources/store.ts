import type { Selectable } from 'kysely';
import { insertInto, updateById } from '../../../db/prepared.ts';
import type { KnowledgeSourcesTable } from '../../../db/schema.generated.ts';
import type { Queryable, Tx } from '../../../db/transaction.ts';
import type { Source } from '../bases/knowledge-base.ts';

type SourceRow = Selectable<KnowledgeSourcesTable>;

export const sourceOf = (row: SourceRow): Source => ({
  id: row.id,
  orgId: row.organization_id,
  baseId: row.knowledge_base_id,
  type: row.type,
  name: row.name,
  url: row.url,
  status: row.status,
  error: row.error,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

const insertRow = insertInto('knowledge_sources');

export const insertSource = (tx: Tx, source: Source): Promise<void> =>
  insertRow(tx, {
    id: source.id,
    organization_id: source.orgId,
    knowledge_base_id: source.baseId,
    type: source.type,
    name: source.name,
    url: source.url,
    status: source.status,
    error: source.error,
    created_at: source.createdAt,
    updated_at: source.updatedAt,
    removed_at: null,
  });

const updateRow = updateById('knowledge_sources');

export const updateSource = (
  tx: Tx,
  id: string,
  changes: Partial<Pick<Source, 'name' | 'url' | 'status' | 'error'>>,
  now: number,
): Promise<void> => updateRow(tx, id, { ...changes, updated_at: now });

/** Marks a pending source as processing. A complete one stays complete while it is refreshed. */
export async function markSourceProcessing(tx: Tx, id: string, now: number): Promise<void> {
  await tx
    .updateTable('knowledge_sources')
    .set({ status: 'processing', updated_at: now })
    .where('id', '=', id)
    .where('status', '=', 'pending')
    .execute();
}

const present = (db: Queryable, baseId: string) =>
  db.selectFrom('knowledge_sources').where('knowledge_base_id', '=', baseId).where('removed_at', 'is', null);

export async function findSource(db: Queryable, baseId: string, id: string): Promise<Source | undefined> {
  const row = await present(db, baseId).selectAll().where('id', '=', id).executeTakeFirst();
  return row && sourceOf(row);
}

/** Finds a source by id alone, unless it was removed. */
export async function activeSource(db: Queryable, id: string): Promise<Source | undefined> {
  const row = await db
    .selectFrom('knowledge_sources')
    .selectAll()
    .where('id', '=', id)
    .where('removed_at', 'is', null)
    .executeTakeFirst();
  return row && sourceOf(row);
}

export async function markSourceRemoved(tx: Tx, id: string, now: number): Promise<void> {
  await updateRow(tx, id, { removed_at: now });
}

export async function deleteSource(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('knowledge_sources').where('id', '=', id).execute();
}

/** Some sources of a base, to delete them in batches. */
export async function sourceIdBatch(tx: Tx, baseId: string, limit: number): Promise<string[]> {
  const rows = await tx
    .selectFrom('knowledge_sources')
    .select('id')
    .where('knowledge_base_id', '=', baseId)
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}
