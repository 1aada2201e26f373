import type { Insertable, Selectable } from 'kysely';
import type { CalendarAccountsTable } from '../../db/schema.generated.ts';
import type { Queryable, Tx } from '../../db/transaction.ts';
import type { CalendarAccount } from './connection.ts';

type Row = Selectable<CalendarAccountsTable>;

const accountOf = (row: Row): CalendarAccount => ({
  id: row.id,
  orgId: row.organization_id,
  agentId: row.agent_id,
  accountName: row.account_name,
  encryptedKey: row.key_sealed!, // an active account has one
  error: row.error,
  connectedAt: row.connected_at,
});

const activeAccounts = (db: Queryable, orgId: string) =>
  db.selectFrom('calendar_accounts').selectAll().where('organization_id', '=', orgId).where('status', '=', 'active');

/** All connected accounts of the organization and its agents, in the order in which they were connected. */
export async function allAccounts(db: Queryable, orgId: string): Promise<CalendarAccount[]> {
  return (await activeAccounts(db, orgId).orderBy('id').execute()).map(accountOf);
}

/** Connected accounts, at most `limit`, of one organization or of all. */
export async function someAccounts(db: Queryable, limit: number, orgId?: string): Promise<CalendarAccount[]> {
  const active = db.selectFrom('calendar_accounts').selectAll().where('status', '=', 'active');
  const accounts = orgId === undefined ? active : active.where('organization_id', '=', orgId);
  return (await accounts.orderBy('id').limit(limit).execute()).map(accountOf);
}

/** The accounts connected for the organization itself (`agentId` is null) or for one agent, in the order in which they were connected. */
export async function accountsOf(db: Queryable, orgId: string, agentId: string | null): Promise<CalendarAccount[]> {
  return (
    await activeAccounts(db, orgId).where('agent_id', 'is not distinct from', agentId).orderBy('id').execute()
  ).map(accountOf);
}

/** A connected account of the organization or of one of its agents. */
export async function activeAccount(db: Queryable, orgId: string, id: string): Promise<CalendarAccount | undefined> {
  const row = await activeAccounts(db, orgId).where('id', '=', id).executeTakeFirst();
  return row && accountOf(row);
}

/** The connected account with the same key at the same level, if any. */
export async function accountByKey(
  db: Queryable,
  { orgId, agentId, digest }: { orgId: string; agentId: string | null; digest: string },
): Promise<CalendarAccount | undefined> {
  const row = await activeAccounts(db, orgId)
    .where('key_digest', '=', digest)
    .where('agent_id', 'is not distinct from', agentId)
    .executeTakeFirst();
  return row && accountOf(row);
}

export async function insertAccount(tx: Tx, row: Insertable<CalendarAccountsTable>): Promise<void> {
  await tx.insertInto('calendar_accounts').values(row).execute();
}

/** Saves an account that was connected again. The key is the same, but its encrypted form is new. */
export async function updateAccount(tx: Tx, { id, accountName, encryptedKey, error }: CalendarAccount): Promise<void> {
  await tx
    .updateTable('calendar_accounts')
    .set({ account_name: accountName, key_sealed: encryptedKey, error })
    .where('id', '=', id)
    .where('status', '=', 'active')
    .execute();
}

/** Records the result of a check. Returns whether the account was still connected. */
export async function setError(tx: Tx, id: string, error: string | null): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('calendar_accounts')
    .set({ error })
    .where('id', '=', id)
    .where('status', '=', 'active')
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Marks the account inactive and erases its key; the row stays as a record. */
export async function disconnectAccount(tx: Tx, id: string, at: number): Promise<void> {
  await tx
    .updateTable('calendar_accounts')
    .set({ status: 'inactive', key_sealed: null, key_digest: null, error: null, disconnected_at: at })
    .where('id', '=', id)
    .execute();
}
