import { type Selectable, sql } from 'kysely';
import { idsFrom } from '../../base/ids.ts';
import { countRows, newestFirst, readList } from '../../db/pages.ts';
import { prepared, sent } from '../../db/prepared.ts';
import type { AuditLogTable, IdempotencyKeysTable } from '../../db/schema.generated.ts';
import { listOf } from '../../db/sql.ts';
import type { Queryable, Tx } from '../../db/transaction.ts';
import { keptCount } from '../../kernel/counts.ts';
import { type Page, type Paged, pagedOf } from '../../kernel/paging.ts';

export type IdempotencyRow = Selectable<IdempotencyKeysTable>;
export type AuditRow = Selectable<AuditLogTable>;

/** The columns that identify the row of a request. */
export type IdempotencyKey = Pick<IdempotencyRow, 'organization_id' | 'caller' | 'key'>;

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

const answersAtOnce = 200;

/** The next requests of an organization whose answers are stored. */
export async function answersAfter(
  db: Queryable,
  { organization_id: orgId, caller, key }: IdempotencyKey,
): Promise<IdempotencyRow[]> {
  const { rows } = await sql<IdempotencyRow>`SELECT * FROM idempotency_keys
    WHERE organization_id = ${orgId} AND (caller, key) > (${caller}, ${key}) AND body_sealed IS NOT NULL
    ORDER BY caller, key LIMIT ${answersAtOnce}`.execute(db);
  return rows;
}

export async function forgetAnswers(tx: Tx, rows: readonly IdempotencyKey[]): Promise<void> {
  for (const { organization_id: orgId, caller, key } of rows) {
    await tx
      .updateTable('idempotency_keys')
      .set({ body_sealed: null })
      .where('organization_id', '=', orgId)
      .where('caller', '=', caller)
      .where('key', '=', key)
      .execute();
  }
}

const auditRowsAtOnce = 2000;

/** The next entries of an organization, oldest first. */
export const auditRowsAfter = (db: Queryable, orgId: string, after: string): Promise<AuditRow[]> =>
  db
    .selectFrom('audit_log')
    .selectAll()
    .where('organization_id', '=', orgId)
    .where('id', '>', after)
    .orderBy('id')
    .limit(auditRowsAtOnce)
    .execute();

/** Entries are never updated, so an entry that must lose something is written anew. Its changes stay. */
export async function rewriteAuditRow(tx: Tx, row: AuditRow): Promise<void> {
  const changes = await tx.selectFrom('audit_changes').selectAll().where('audit_id', '=', row.id).executeTakeFirst();
  await tx.deleteFrom('audit_log').where('id', '=', row.id).execute();
  await insertAuditRow(tx, row);
  if (changes) await tx.insertInto('audit_changes').values(changes).execute();
}

/** Deletes up to `limit` rows older than an instant; returns how many. */
export async function deleteIdempotencyRows(tx: Tx, before: number, limit: number): Promise<number> {
  const result = await sql`DELETE FROM idempotency_keys WHERE (organization_id, caller, key) IN
    (SELECT organization_id, caller, key FROM idempotency_keys WHERE created_at < ${before} LIMIT ${limit})`.execute(
    tx,
  );
  return Number(result.numAffectedRows);
}

const insertAudit = sent((db, row: AuditRow) =>
  db.insertInto('audit_log').values({
    id: row.id,
    organization_id: row.organization_id,
    at: row.at,
    actor_kind: row.actor_kind,
    actor_id: row.actor_id,
    actor_name: row.actor_name,
    operation: row.operation,
    target: row.target,
    request_id: row.request_id,
    ip: row.ip,
    verb: row.verb,
    target_kind: row.target_kind,
    target_id: row.target_id,
    target_name: row.target_name,
  }),
);

export async function insertAuditRow(db: Queryable, row: AuditRow): Promise<void> {
  await insertAudit(db, row);
}

export type AuditFilter = {
  actorId?: string;
  operation?: string;
  verbs?: readonly string[];
  targetKinds?: readonly string[];
  targetIds?: readonly string[];
  /** Appended at or after `since`, and before `until`. */
  since?: number;
  until?: number;
};

/**
 * A page of the audit log, newest first. Times become bounds on ids, which sort by them; the entries of a thing have an index. The other
 * filters have none, because every request that changes something would have to write it.
 */
export async function auditPage(
  db: Queryable,
  orgId: string,
  filter: AuditFilter,
  page: Page,
): Promise<Paged<AuditRow>> {
  const all = await keptCount(db, orgId, 'audit_entries');
  const { actorId, operation, verbs, targetKinds, targetIds, since, until } = filter;
  let found = db.selectFrom('audit_log').where('organization_id', '=', orgId);
  if (since !== undefined) found = found.where('id', '>=', idsFrom(since));
  if (until !== undefined) found = found.where('id', '<', idsFrom(until));
  if (actorId !== undefined) found = found.where('actor_id', '=', actorId);
  if (operation !== undefined) found = found.where('operation', '=', operation);
  if (verbs) found = found.where('verb', 'in', listOf(verbs));
  if (targetKinds) found = found.where('target_kind', 'in', listOf(targetKinds));
  if (targetIds) found = found.where('target_id', 'in', listOf(targetIds));
  const isFiltered = [actorId, operation, verbs, targetKinds, targetIds].some((value) => value !== undefined);
  const maxSkipped = isFiltered ? all : 0;
  const isWhole = maxSkipped === 0 && since === undefined && until === undefined;
  const total = () => (isWhole ? all : countRows(db, found, orgId, maxSkipped));
  return pagedOf(
    await readList(db, { ...newestFirst<AuditRow>(found.selectAll()), total, maxSkipped }, page),
    (row) => row,
  );
}

/** Deletes up to `limit` rows older than an instant; returns how many. */
export async function deleteAuditRows(tx: Tx, before: number, limit: number): Promise<number> {
  const result = await sql`DELETE FROM audit_log WHERE id IN
    (SELECT id FROM audit_log WHERE at < ${before} LIMIT ${limit})`.execute(tx);
  return Number(result.numAffectedRows);
}
