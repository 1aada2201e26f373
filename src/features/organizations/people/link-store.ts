import { type Selectable, sql } from 'kysely';
import type { SetupLinksTable } from '../../../db/schema.generated.ts';
import type { Queryable, Tx } from '../../../db/transaction.ts';

export type LinkRow = Selectable<SetupLinksTable>;

export async function insertLink(tx: Tx, row: LinkRow): Promise<void> {
  await tx.insertInto('setup_links').values(row).execute();
}

export const linkByHash = (db: Queryable, tokenHash: string): Promise<LinkRow | undefined> =>
  db.selectFrom('setup_links').selectAll().where('token_hash', '=', tokenHash).executeTakeFirst();

export async function deleteLinksOf(
  tx: Tx,
  { organization_id: orgId, user_id: userId }: Pick<LinkRow, 'organization_id' | 'user_id'>,
): Promise<void> {
  const links = tx.deleteFrom('setup_links').where('organization_id', '=', orgId);
  await (userId === null ? links.where('user_id', 'is', null) : links.where('user_id', '=', userId)).execute();
}

/** Deletes up to `limit` links that expired before an instant; returns how many. */
export async function deleteExpiredLinks(tx: Tx, before: number, limit: number): Promise<number> {
  const result = await sql`DELETE FROM setup_links WHERE token_hash IN
    (SELECT token_hash FROM setup_links WHERE expires_at <= ${before} LIMIT ${limit})`.execute(tx);
  return Number(result.numAffectedRows);
}

export async function deleteAllLinks(tx: Tx): Promise<void> {
  await tx.deleteFrom('setup_links').execute();
}
