import { type Insertable, type Selectable, sql } from 'kysely';
import { prepared } from '../../db/prepared.ts';
import type { UsersTable } from '../../db/schema.generated.ts';
import type { Queryable, Tx } from '../../db/transaction.ts';
import type { Role } from '../../kernel/route.ts';

export type UserRow = Selectable<UsersTable>;

export const userByEmail = (db: Queryable, email: string): Promise<UserRow | undefined> =>
  db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst();

const roleById = prepared((db, p: { orgId: string; id: string }) =>
  db.selectFrom('users').select('role').where('organization_id', '=', p.orgId).where('id', '=', p.id),
);

/** The role of a person; undefined when there is none of this id in the organization. */
export const roleOfUser = async (db: Queryable, person: { orgId: string; id: string }): Promise<Role | undefined> =>
  (await roleById(db, person)).rows[0]?.role;

export async function insertUser(tx: Tx, row: Insertable<UsersTable>): Promise<void> {
  await tx.insertInto('users').values(row).execute();
}

export async function setLastLogin(tx: Tx, id: string, at: number): Promise<void> {
  await tx.updateTable('users').set({ last_login_at: at }).where('id', '=', id).execute();
}

export async function attemptsSince(tx: Tx, emailHash: string, after: number): Promise<number> {
  const { attempts } = await tx
    .selectFrom('login_attempts')
    .select((eb) => eb.fn.countAll<number>().as('attempts'))
    .where('email_hash', '=', emailHash)
    .where('at', '>', after)
    .executeTakeFirstOrThrow();
  return attempts;
}

export async function insertAttempt(tx: Tx, emailHash: string, at: number): Promise<void> {
  await tx.insertInto('login_attempts').values({ email_hash: emailHash, at }).execute();
}

export async function deleteAttemptsOf(tx: Tx, emailHash: string): Promise<void> {
  await tx.deleteFrom('login_attempts').where('email_hash', '=', emailHash).execute();
}

export async function deleteAttemptsUpTo(tx: Tx, at: number, limit: number): Promise<void> {
  await sql`DELETE FROM login_attempts WHERE id IN
    (SELECT id FROM login_attempts WHERE at <= ${at} LIMIT ${limit})`.execute(tx);
}
