import { type Insertable, type Selectable, sql } from 'kysely';
import { prepared, sent, updateById } from '../../db/prepared.ts';
import type { ApiKeysTable, OrganizationsTable } from '../../db/schema.generated.ts';
import type { Queryable, Tx } from '../../db/transaction.ts';
import type { UnpagedList } from '../../kernel/unpaged.ts';

export type OrganizationRow = Selectable<OrganizationsTable>;
export type ApiKeyRow = Selectable<ApiKeysTable>;

export async function insertOrganization(db: Queryable, row: Insertable<OrganizationsTable>): Promise<void> {
  await db.insertInto('organizations').values(row).execute();
}

const byId = prepared((db, p: { id: string }) => db.selectFrom('organizations').selectAll().where('id', '=', p.id));

export const organizationById = async (db: Queryable, id: string): Promise<OrganizationRow | undefined> =>
  (await byId(db, { id })).rows[0];

export const updateOrganization = updateById('organizations');

/** The oldest organizations. Not in the order of their ids: PARLEY_BOOTSTRAP_ORG_ID may be any UUID. */
export const oldestOrganizations = (
  db: Queryable,
  limit: number,
): Promise<Array<{ id: string; name: string; created_at: number }>> =>
  db
    .selectFrom('organizations')
    .select(['id', 'name', 'created_at'])
    .orderBy('created_at')
    .orderBy('id')
    .limit(limit)
    .execute();

export const firstOrganizationId = async (db: Queryable): Promise<string | undefined> =>
  (await oldestOrganizations(db, 1))[0]?.id;

export async function insertApiKey(db: Queryable, row: Insertable<ApiKeysTable>): Promise<void> {
  await db.insertInto('api_keys').values(row).execute();
}

export const apiKeyByHash = (db: Queryable, hash: string): Promise<ApiKeyRow | undefined> =>
  db.selectFrom('api_keys').selectAll().where('key_hash', '=', hash).executeTakeFirst();

const roleAndExpiry = prepared((db, p: { orgId: string; id: string }) =>
  db
    .selectFrom('api_keys')
    .select(['role', 'name', 'expires_at'])
    .where('organization_id', '=', p.orgId)
    .where('id', '=', p.id),
);

/** The current role, name and expiry of a key; read at each request with a token of the key. */
export const apiKeyRole = async (
  db: Queryable,
  key: { orgId: string; id: string },
): Promise<Pick<ApiKeyRow, 'role' | 'name' | 'expires_at'> | undefined> => (await roleAndExpiry(db, key)).rows[0];

export const apiKeyById = (db: Queryable, orgId: string, id: string): Promise<ApiKeyRow | undefined> =>
  db.selectFrom('api_keys').selectAll().where('organization_id', '=', orgId).where('id', '=', id).executeTakeFirst();

export async function organizationOfApiKey(db: Queryable, id: string): Promise<string | undefined> {
  const row = await db.selectFrom('api_keys').select('organization_id').where('id', '=', id).executeTakeFirst();
  return row?.organization_id;
}

/** A rotated key counts until its overlap ends and the next key is created. */
export const apiKeyList: UnpagedList = {
  rowsOf: (orgId) => sql`SELECT 1 FROM api_keys WHERE organization_id = ${orgId}`,
  max: 1000,
  noun: 'API keys',
  remedy: 'revoke some that are not used any more',
};

/** Deletes up to `limit` keys that expired before an instant. */
export async function deleteExpiredApiKeys(tx: Tx, orgId: string, before: number, limit: number): Promise<void> {
  await sql`DELETE FROM api_keys WHERE id IN
    (SELECT id FROM api_keys WHERE organization_id = ${orgId} AND expires_at <= ${before} LIMIT ${limit})`.execute(tx);
}

export const apiKeysOf = (db: Queryable, orgId: string): Promise<ApiKeyRow[]> =>
  db.selectFrom('api_keys').selectAll().where('organization_id', '=', orgId).orderBy('id', 'desc').execute();

export async function setApiKeyExpiry(tx: Tx, id: string, expiresAt: number): Promise<void> {
  await tx.updateTable('api_keys').set({ expires_at: expiresAt }).where('id', '=', id).execute();
}

export async function setLastUsed(db: Queryable, id: string, at: number): Promise<void> {
  await db.updateTable('api_keys').set({ last_used_at: at }).where('id', '=', id).execute();
}

export async function deleteApiKey(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('api_keys').where('id', '=', id).execute();
}

const countInFlight = sent((db, p: { id: string; change: number; paceAt: number | null }) =>
  db
    .updateTable('organizations')
    .set((eb) => ({ in_flight: eb('in_flight', '+', p.change), pace_at: eb.fn.coalesce(eb.val(p.paceAt), 'pace_at') }))
    .where('id', '=', p.id),
);

/** Updates the state of the dialing limits: calls in flight, and when the next may start (null leaves that unchanged). */
export async function addInFlight(tx: Tx, id: string, change: 1 | -1, paceAt: number | null = null): Promise<void> {
  await countInFlight(tx, { id, change, paceAt });
}

export const setPaceAt = (tx: Tx, orgId: string, paceAt: number): Promise<void> =>
  updateOrganization(tx, orgId, { pace_at: paceAt });
