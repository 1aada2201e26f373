import { type Selectable, sql } from 'kysely';
import { insertInto } from '../../db/prepared.ts';
import type { AuditChangesTable, AuditLogTable } from '../../db/schema.generated.ts';
import { listOf } from '../../db/sql.ts';
import type { Queryable, Tx } from '../../db/transaction.ts';
import type { Versioned } from '../../kernel/route.ts';

type ChangesRow = Selectable<AuditChangesTable>;

const insertRow = insertInto('audit_changes');
export const insertChangesRow = (db: Queryable, row: ChangesRow): Promise<void> => insertRow(db as Tx, row);

export const changesRows = (db: Queryable, auditIds: readonly string[]): Promise<ChangesRow[]> =>
  db.selectFrom('audit_changes').selectAll().where('audit_id', 'in', listOf(auditIds)).execute();

export async function deleteChanges(tx: Tx, targetId: string): Promise<void> {
  await tx.deleteFrom('audit_changes').where('target_id', '=', targetId).execute();
}

type DatedChanges = { version: number; changes: string } & Pick<
  Selectable<AuditLogTable>,
  'at' | 'actor_kind' | 'actor_id' | 'actor_name'
>;

/** The first changes after a version, in order. */
export const changesAfter = async (
  db: Queryable,
  targetId: string,
  version: number,
  limit: number,
): Promise<DatedChanges[]> =>
  (await db
    .selectFrom('audit_changes')
    .innerJoin('audit_log', 'audit_log.id', 'audit_changes.audit_id')
    .select(['version', 'changes', 'at', 'actor_kind', 'actor_id', 'actor_name'])
    .where('audit_changes.target_id', '=', targetId)
    .where('version', '>', version)
    .orderBy('version')
    .limit(limit)
    .execute()) as DatedChanges[];

/** Counts a change of what people set, and returns the new version. */
export async function raiseVersion(tx: Tx, table: Versioned['table'], id: string): Promise<number> {
  const { rows } = await sql<{ version: number }>`
    UPDATE ${sql.table(table)} SET version = version + 1 WHERE id = ${id} RETURNING version`.execute(tx);
  return rows[0]!.version;
}
