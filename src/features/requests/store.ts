import { type Selectable, sql } from 'kysely';
import type { IdempotencyKeysTable } from '../../db/schema.ts';
import type { Queryable, Tx } from '../../db/transaction.ts';

export type IdempotencyRow = Selectable<IdempotencyKeysTable>;

export const idempotencyRow = (db: Queryable, orgId: string, key: string): Promise<IdempotencyRow | undefined> =>
  db
    .selectFrom('idempotency_keys')
    .selectAll()
    .where('organization_id', '=', orgId)
    .where('key', '=', key)
    .executeTakeFirst();

/** One that was there already is too old to count, and replaced. */
export async function putIdempotencyRow(db: Queryable, row: IdempotencyRow): Promise<void> {
  const { organization_id: _, key: __, ...values } = row;
  await db
    .insertInto('idempotency_keys')
    .values(row)
    .onConflict((conflict) => conflict.columns(['organization_id', 'key']).doUpdateSet(values))
    .execute();
}

/** Deletes up to `limit` rows from before an instant; how many. */
export async function deleteIdempotencyRows(tx: Tx, before: number, limit: number): Promise<number> {
  const result = await sql`DELETE FROM idempotency_keys WHERE rowid IN
    (SELECT rowid FROM idempotency_keys WHERE created_at < ${before} LIMIT ${limit})`.execute(tx);
  return Number(result.numAffectedRows);
}
