import type { Selectable } from 'kysely';
import type { SavedViewsTable } from '../../db/schema.generated.ts';
import type { Queryable, Tx } from '../../db/transaction.ts';
import type { View, ViewPage } from './view.ts';

const viewOf = (row: Selectable<SavedViewsTable>): View => ({
  id: row.id,
  orgId: row.organization_id,
  owner: row.owner,
  page: row.page as ViewPage,
  name: row.name,
  query: row.query,
  shared: row.shared === 1,
  version: row.version,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

/** `userId`: the person whose removal deletes it. */
export async function insertView(tx: Tx, view: View, userId: string | null): Promise<void> {
  await tx
    .insertInto('saved_views')
    .values({
      id: view.id,
      organization_id: view.orgId,
      owner: view.owner,
      user_id: userId,
      page: view.page,
      name: view.name,
      query: view.query,
      shared: view.shared ? 1 : 0,
      version: view.version,
      created_at: view.createdAt,
      updated_at: view.updatedAt,
    })
    .execute();
}

export async function viewById(db: Queryable, orgId: string, id: string): Promise<View | undefined> {
  const row = await db
    .selectFrom('saved_views')
    .selectAll()
    .where('id', '=', id)
    .where('organization_id', '=', orgId)
    .executeTakeFirst();
  return row && viewOf(row);
}

/** The views that an owner sees, newest first: their own, and those that are shared. */
export async function viewsFor(
  db: Queryable,
  { orgId, owner, page, limit }: { orgId: string; owner: string; page: ViewPage | undefined; limit: number },
): Promise<View[]> {
  let query = db
    .selectFrom('saved_views')
    .selectAll()
    .where('organization_id', '=', orgId)
    .where((is) => is.or([is('owner', '=', owner), is('shared', '=', 1)]));
  if (page !== undefined) query = query.where('page', '=', page);
  return (await query.orderBy('id', 'desc').limit(limit).execute()).map(viewOf);
}

export async function countOf(db: Queryable, orgId: string, owner: string): Promise<number> {
  const counted = db
    .selectFrom('saved_views')
    .where('organization_id', '=', orgId)
    .where('owner', '=', owner)
    .select((is) => is.fn.countAll<number>().as('n'));
  return (await counted.executeTakeFirstOrThrow()).n;
}

type Changes = Pick<View, 'name' | 'query' | 'shared' | 'updatedAt'>;

export async function updateView(tx: Tx, id: string, { name, query, shared, updatedAt }: Changes): Promise<void> {
  const values = { name, query, shared: shared ? 1 : 0, updated_at: updatedAt };
  await tx.updateTable('saved_views').set(values).where('id', '=', id).execute();
}

export async function deleteView(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('saved_views').where('id', '=', id).execute();
}
