import { type Insertable, type Selectable, sql } from 'kysely';
import { prepared } from '../../../db/prepared.ts';
import type { UsersTable } from '../../../db/schema.generated.ts';
import type { Queryable, Tx } from '../../../db/transaction.ts';
import type { Role } from '../../../kernel/route.ts';
import type { UnpagedList } from '../../../kernel/unpaged.ts';

export type UserRow = Selectable<UsersTable>;

const byEmail = prepared((db, p: { email: string }) => db.selectFrom('users').selectAll().where('email', '=', p.email));

export const userByEmail = async (db: Queryable, email: string): Promise<UserRow | undefined> =>
  (await byEmail(db, { email })).rows[0];

export const userById = (db: Queryable, orgId: string, id: string): Promise<UserRow | undefined> =>
  db.selectFrom('users').selectAll().where('organization_id', '=', orgId).where('id', '=', id).executeTakeFirst();

const activeById = prepared((db, p: { orgId: string; id: string }) =>
  db
    .selectFrom('users')
    .select(['role', 'email', 'disabled_count'])
    .where('organization_id', '=', p.orgId)
    .where('id', '=', p.id)
    .where('disabled_at', 'is', null),
);

/** A person who is not disabled; read at each request with a token of theirs. */
export const activeUser = async (
  db: Queryable,
  person: { orgId: string; id: string },
): Promise<{ role: Role; email: string; disabled_count: number } | undefined> => (await activeById(db, person)).rows[0];

/** The people of an organization or, without one, of all; newest first. */
export function usersOf(db: Queryable, orgId?: string): Promise<UserRow[]> {
  const users = db.selectFrom('users').selectAll().orderBy('id', 'desc');
  return (orgId === undefined ? users : users.where('organization_id', '=', orgId)).execute();
}

export const userList: UnpagedList = {
  rowsOf: (orgId) => sql`SELECT 1 FROM users WHERE organization_id = ${orgId}`,
  max: 2000,
  noun: 'people',
  remedy: 'remove some first',
};

export const hasUsers = async (db: Queryable, orgId: string): Promise<boolean> =>
  (await db.selectFrom('users').select('id').where('organization_id', '=', orgId).limit(1).executeTakeFirst()) !==
  undefined;

export async function insertUser(tx: Tx, row: Insertable<UsersTable>): Promise<void> {
  await tx.insertInto('users').values(row).execute();
}

export async function updateUser(
  tx: Tx,
  id: string,
  changes: Partial<Pick<UserRow, 'role' | 'password_hash' | 'last_login_at' | 'disabled_at' | 'disabled_count'>>,
): Promise<void> {
  await tx.updateTable('users').set(changes).where('id', '=', id).execute();
}

export async function deleteUser(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('users').where('id', '=', id).execute();
}

/** The number of addresses remembered per person: those of the newest log-ins. */
const maxAddresses = 20;

/** Remembers an address that a person has logged in from. */
export async function putLoginAddress(tx: Tx, userId: string, address: string, at: number): Promise<void> {
  await tx
    .insertInto('login_addresses')
    .values({ user_id: userId, address, last_login_at: at })
    .onConflict((conflict) => conflict.columns(['user_id', 'address']).doUpdateSet({ last_login_at: at }))
    .execute();
  await sql`DELETE FROM login_addresses WHERE user_id = ${userId} AND address NOT IN
    (SELECT address FROM login_addresses WHERE user_id = ${userId}
     ORDER BY last_login_at DESC, address LIMIT ${maxAddresses})`.execute(tx);
}

const addressOf = prepared((db, p: { email: string; address: string }) =>
  db
    .selectFrom('login_addresses')
    .innerJoin('users', 'users.id', 'login_addresses.user_id')
    .select('address')
    .where('email', '=', p.email)
    .where('address', '=', p.address),
);

/** Whether the person with an e-mail address has logged in from an address. */
export const hasLoggedInFrom = async (db: Queryable, login: { email: string; address: string }): Promise<boolean> =>
  (await addressOf(db, login)).rows.length > 0;
