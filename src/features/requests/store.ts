import { type Selectable, sql } from 'kysely';
import { prepared, readPage } from '../../db/prepared.ts';
import type { AuditLogTable, IdempotencyKeysTable } from '../../db/schema.generated.ts';
import type { Queryable, Tx } from '../../db/transaction.ts';
import type { Page, Paged } from '../../kernel/paging.ts';

export type IdempotencyRow = Selectable<IdempotencyKeysTable>;
export type AuditRow = Selectable<AuditLogTable>;

/** What identifies the row of a request. */
export type IdempotencyKey = Pick<IdempotencyRow, 'organization_id' | 'caller' | 'key'>;

/** The `caller` of requests that were stored before callers were recorded. */
export const unknownCaller = '';

const byKey = prepared((db, key: IdempotencyKey) =>
  db
    .selectFrom('idempotency_keys')
    .selectAll()
    .where('organization_id', '=', key.organization_id)
    .where('caller', '=', key.caller)
    .where('key', '=', key.key),
);

export const idempotencyRow = async (db: Queryable, key: IdempotencyKey): Promise<IdempotencyRow | undefined> =>
  (await byKey(db, key)).rows[0];

/** Replaces an existing row: the caller has checked that it has expired. */
export async function putIdempotencyRow(db: Queryable, row: IdempotencyRow): Promise<void> {
  const { organization_id: _, caller: __, key: ___, ...values } = row;
  await db
    .insertInto('idempotency_keys')
    .values(row)
    .onConflict((conflict) => conflict.columns(['organization_id', 'caller', 'key']).doUpdateSet(values))
    .execute();
}

export async function deleteIdempotencyRow(db: Queryable, key: IdempotencyKey): Promise<void> {
  await db
    .deleteFrom('idempotency_keys')
    .where('organization_id', '=', key.organization_id)
    .where('caller', '=', key.caller)
    .where('key', '=', key.key)
    .execute();
}

/** Deletes up to `limit` rows older than an instant; returns how many. */
export async function deleteIdempotencyRows(tx: Tx, before: number, limit: number): Promise<number> {
  const result = await sql`DELETE FROM idempotency_keys WHERE (organization_id, caller, key) IN
    (SELECT organization_id, caller, key FROM idempotency_keys WHERE created_at < ${before} LIMIT ${limit})`.execute(
    tx,
  );
  return Number(result.numAffectedRows);
}

const insertAudit = prepared((db, row: AuditRow) =>
  db.insertInto('audit_log').values({
    id: row.id,
    organization_id: row.organization_id,
    at: row.at,
    actor_kind: row.actor_kind,
    actor_id: row.actor_id,
    operation: row.operation,
    target: row.target,
    request_id: row.request_id,
    ip: row.ip,
  }),
);

export async function insertAuditRow(db: Queryable, row: AuditRow): Promise<void> {
  await insertAudit(db, row);
}

/** Newest first. */
export async function auditPage(db: Queryable, orgId: string, page: Page): Promise<Paged<AuditRow>> {
  const all = db.selectFrom('audit_log').where('organization_id', '=', orgId);
  const items = await readPage(db, all.selectAll().orderBy('id', 'desc'), page);
  const { total } = await all.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  return { items, total };
}

/** Deletes up to `limit` rows older than an instant; returns how many. */
export async function deleteAuditRows(tx: Tx, before: number, limit: number): Promise<number> {
  const result = await sql`DELETE FROM audit_log WHERE id IN
    (SELECT id FROM audit_log WHERE at < ${before} LIMIT ${limit})`.execute(tx);
  return Number(result.numAffectedRows);
}
