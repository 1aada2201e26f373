import { sql } from 'kysely';
import type { Queryable, Tx } from '../../../db/transaction.ts';

export const keptKinds = ['rejected', 'warnings'] as const;
/** `warnings`: rows that were imported without the cells that could not be read. */
export type KeptKind = (typeof keptKinds)[number];

export type KeptRow = { row: number; kind: KeptKind; reason: string; cells: string[] };

type Import = { id: string; orgId: string; header: readonly string[]; startedAt: number };

export async function insertImport(tx: Tx, { id, orgId, header, startedAt }: Import): Promise<void> {
  const row = {
    id,
    organization_id: orgId,
    header: JSON.stringify(header),
    started_at: startedAt,
    ended_at: startedAt,
  };
  await tx.insertInto('imports').values(row).execute();
}

export async function isTaken(db: Queryable, id: string): Promise<boolean> {
  const row = await db.selectFrom('imports').select('id').where('id', '=', id).executeTakeFirst();
  return row !== undefined;
}

export type ImportCounters = {
  rowsRead: number;
  created: number;
  updated: number;
  rejectedCount: number;
  warningCount: number;
};

export async function updateImport(
  tx: Tx,
  id: string,
  { rowsRead, created, updated, rejectedCount, warningCount, at }: ImportCounters & { at: number },
): Promise<void> {
  const counters = {
    rows_read: rowsRead,
    created,
    updated,
    rejected_count: rejectedCount,
    warning_count: warningCount,
  };
  await tx
    .updateTable('imports')
    .set({ ...counters, ended_at: at })
    .where('id', '=', id)
    .execute();
}

export async function endImport(tx: Tx, id: string, { isDone, at }: { isDone: boolean; at: number }): Promise<void> {
  const changes = { is_done: isDone ? 1 : 0, ended_at: at };
  await tx.updateTable('imports').set(changes).where('id', '=', id).execute();
}

export type ProgressOfImport = ImportCounters & { isDone: boolean; startedAt: number; endedAt: number | null };

type Wanted = { id: string; orgId: string; after: number };

/** What an import that began after an instant has done; undefined if the organization has none. */
export async function progressOf(db: Queryable, wanted: Wanted): Promise<ProgressOfImport | undefined> {
  const row = await importRow(db, wanted).selectAll().executeTakeFirst();
  return (
    row && {
      rowsRead: row.rows_read,
      created: row.created,
      updated: row.updated,
      rejectedCount: row.rejected_count,
      warningCount: row.warning_count,
      isDone: row.is_done === 1,
      startedAt: row.started_at,
      endedAt: row.ended_at,
    }
  );
}

const importRow = (db: Queryable, { id, orgId, after }: Wanted) =>
  db.selectFrom('imports').where('id', '=', id).where('organization_id', '=', orgId).where('started_at', '>', after);

export async function insertRows(tx: Tx, importId: string, rows: readonly KeptRow[]): Promise<void> {
  if (rows.length === 0) return;
  const values = rows.map(({ row, kind, reason, cells }) => ({
    import_id: importId,
    kind,
    row,
    reason,
    cells: JSON.stringify(cells),
  }));
  await tx.insertInto('import_rows').values(values).execute();
}

/** The header of an import that began after an instant; undefined if the organization has none. */
export async function headerOf(db: Queryable, wanted: Wanted): Promise<string[] | undefined> {
  const row = await importRow(db, wanted).select('header').executeTakeFirst();
  return row && (JSON.parse(row.header) as string[]);
}

export type RowsAfter = { importId: string; kind: KeptKind; after: number; limit: number };

export async function rowsAfter(
  db: Queryable,
  { importId, kind, after, limit }: RowsAfter,
): Promise<Array<Omit<KeptRow, 'kind'>>> {
  const rows = await db
    .selectFrom('import_rows')
    .select(['row', 'reason', 'cells'])
    .where('import_id', '=', importId)
    .where('kind', '=', kind)
    .where('row', '>', after)
    .orderBy('row')
    .limit(limit)
    .execute();
  return rows.map(({ cells, ...row }) => ({ ...row, cells: JSON.parse(cells) as string[] }));
}

/** Deletes up to `limit` rows of imports that began before an instant, and imports without rows. Returns whether there may be more. */
export async function deleteBefore(tx: Tx, before: number, limit: number): Promise<boolean> {
  const { numAffectedRows: rows } = await sql`
    DELETE FROM import_rows WHERE (import_id, kind, row) IN (
      SELECT import_id, kind, row FROM import_rows
      WHERE import_id IN (SELECT id FROM imports WHERE started_at <= ${before}) LIMIT ${limit}
    )`.execute(tx);
  if (Number(rows ?? 0n) === limit) return true;
  const { numAffectedRows: imports } = await sql`
    DELETE FROM imports WHERE id IN (SELECT id FROM imports WHERE started_at <= ${before} LIMIT ${limit})`.execute(tx);
  return Number(imports ?? 0n) === limit;
}
