import { type Selectable, sql } from 'kysely';
import { insertInto, prepared } from '../../db/prepared.ts';
import type { AuditChangesTable, AuditLogTable, ImportedChangesTable } from '../../db/schema.generated.ts';
import { type ColumnType, listOf, recordsOf } from '../../db/sql.ts';
import type { Queryable, Tx } from '../../db/transaction.ts';
import type { Versioned } from '../../kernel/route.ts';

type ChangesRow = Selectable<AuditChangesTable>;

const insertRow = insertInto('audit_changes');
export const insertChangesRow = (db: Queryable, row: ChangesRow): Promise<void> => insertRow(db as Tx, row);

export const changesRows = (db: Queryable, auditIds: readonly string[]): Promise<ChangesRow[]> =>
  db.selectFrom('audit_changes').selectAll().where('audit_id', 'in', listOf(auditIds)).execute();

export async function deleteChanges(tx: Tx, targetId: string): Promise<void> {
  await tx.deleteFrom('audit_changes').where('target_id', '=', targetId).execute();
  await tx.deleteFrom('imported_changes').where('contact_id', '=', targetId).execute();
}

type DatedChanges = { version: number; changes: string } & Pick<
  Selectable<AuditLogTable>,
  'at' | 'actor_kind' | 'actor_id' | 'actor_name'
>;

/** The first changes after a version, in order. */
export async function changesAfter(
  db: Queryable,
  targetId: string,
  version: number,
  limit: number,
): Promise<DatedChanges[]> {
  const logged = (await db
    .selectFrom('audit_changes')
    .innerJoin('audit_log', 'audit_log.id', 'audit_changes.audit_id')
    .select(['version', 'changes', 'at', 'actor_kind', 'actor_id', 'actor_name'])
    .where('audit_changes.target_id', '=', targetId)
    .where('version', '>', version)
    .orderBy('version')
    .limit(limit)
    .execute()) as DatedChanges[];
  const imported = await db
    .selectFrom('imported_changes')
    .select(['version', 'changes', 'at', 'actor_kind', 'actor_id', 'actor_name'])
    .where('contact_id', '=', targetId)
    .where('version', '>', version)
    .orderBy('version')
    .limit(limit)
    .execute();
  return [...logged, ...imported].toSorted((a, b) => a.version - b.version).slice(0, limit);
}

const importedColumns = {
  contact_id: 'text',
  version: 'integer',
  at: 'integer',
  actor_kind: 'text',
  actor_id: 'text',
  actor_name: 'text',
  operation: 'text',
  changes: 'text',
} as const satisfies Record<keyof ImportedChangesTable, ColumnType>;
const importedList = sql.join(Object.keys(importedColumns).map((column) => sql.ref(column)));

const insertImported = prepared(
  (_db, p: { rows: ReadonlyArray<Selectable<ImportedChangesTable>> }) => sql`
    INSERT INTO imported_changes (${importedList}) SELECT ${importedList} FROM ${recordsOf(p.rows, importedColumns)} AS changed`,
);

/** One statement for any number of contacts. */
export async function insertImportedRows(tx: Tx, rows: ReadonlyArray<Selectable<ImportedChangesTable>>): Promise<void> {
  await insertImported(tx, { rows });
}

/** Deletes up to `limit` rows older than an instant; returns how many. */
export async function deleteImportedRows(tx: Tx, before: number, limit: number): Promise<number> {
  const result = await sql`DELETE FROM imported_changes WHERE (contact_id, version) IN
    (SELECT contact_id, version FROM imported_changes WHERE at < ${before} LIMIT ${limit})`.execute(tx);
  return Number(result.numAffectedRows);
}

/** Counts a change of what people set, and returns the new version. */
export async function raiseVersion(tx: Tx, table: Versioned['table'], id: string): Promise<number> {
  const { rows } = await sql<{ version: number }>`
    UPDATE ${sql.table(table)} SET version = version + 1 WHERE id = ${id} RETURNING version`.execute(tx);
  return rows[0]!.version;
}
