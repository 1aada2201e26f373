import { type Selectable, sql } from 'kysely';
import { prepared } from '../../../db/prepared.ts';
import type { SessionsTable } from '../../../db/schema.generated.ts';
import type { Queryable, Tx } from '../../../db/transaction.ts';
import type { Role } from '../../../kernel/route.ts';

export type SessionRow = Selectable<SessionsTable>;

export async function insertSession(tx: Tx, row: SessionRow): Promise<void> {
  await tx.insertInto('sessions').values(row).execute();
}

const byHash = prepared((db, p: { hash: string }) =>
  db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select([
      'sessions.id',
      'sessions.organization_id',
      'sessions.user_id',
      'sessions.created_at',
      'sessions.last_used_at',
      'users.email',
      'users.role',
    ])
    .where('sessions.secret_hash', '=', p.hash)
    .where('users.disabled_at', 'is', null),
);

/** A session with its person; read at each request, so that a removed person or a changed role counts at once. */
export const sessionByHash = async (db: Queryable, hash: string) => (await byHash(db, { hash })).rows[0];

const byId = prepared((db, p: { id: string; userId: string }) =>
  db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .selectAll('sessions')
    .select('users.role')
    .where('sessions.id', '=', p.id)
    .where('sessions.user_id', '=', p.userId)
    .where('users.disabled_at', 'is', null),
);

/** A session with the current role of its person. */
export const sessionById = async (
  db: Queryable,
  session: { id: string; userId: string },
): Promise<(SessionRow & { role: Role }) | undefined> => (await byId(db, session)).rows[0];

/** A person's sessions, newest first. */
export const sessionsOf = (db: Queryable, userId: string): Promise<SessionRow[]> =>
  db.selectFrom('sessions').selectAll().where('user_id', '=', userId).orderBy('id', 'desc').execute();

export async function setLastUsed(db: Queryable, id: string, at: number): Promise<void> {
  await db.updateTable('sessions').set({ last_used_at: at }).where('id', '=', id).execute();
}

export async function deleteSessions(tx: Tx, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await tx.deleteFrom('sessions').where('id', 'in', ids).execute();
}

export async function deleteAllSessions(tx: Tx): Promise<void> {
  await tx.deleteFrom('sessions').execute();
}

/** Deletes up to `limit` sessions made, or last used, before an instant; returns how many. */
export async function deleteOldSessions(
  tx: Tx,
  { madeBefore, usedBefore }: { madeBefore: number; usedBefore: number },
  limit: number,
): Promise<number> {
  const result = await sql`DELETE FROM sessions WHERE id IN
    (SELECT id FROM sessions WHERE created_at <= ${madeBefore} UNION SELECT id FROM sessions WHERE last_used_at <= ${usedBefore}
     LIMIT ${limit})`.execute(tx);
  return Number(result.numAffectedRows);
}
