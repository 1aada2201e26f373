import { sql } from 'kysely';
import type { Queryable, Tx } from '../../../db/transaction.ts';

export const keptKinds = ['rejected', 'warnings'] as const;
/** `warnings`: rows that were imported without the cells that could not be read. */
export type KeptKind = (typeof keptKinds)[number];

export type KeptRow = { row: number; kind: KeptKind; reason: string; cells: string[] };

/** Ids of imports are unique in their organization. */
export type ImportKey = { orgId: string; id: string };

type Import = ImportKey & { header: readonly string[]; startedAt: number };

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

export type Leftover = { importId: string; kind: string; row: number; cells: string; reason: string };
const leftoversAtOnce = 1000;

export const importsOf = (db: Queryable, orgId: string): Promise<Array<{ id: string; header: string }>> =>
  db.selectFrom('imports').select(['id', 'header']).where('organization_id', '=', orgId).execute();

/** The next kept rows of an import. */
export async function leftoversAfter(
  db: Queryable,
  { orgId, id, kind, row }: ImportKey & Pick<Leftover, 'kind' | 'row'>,
): Promise<Leftover[]> {
  const { rows } = await sql<Leftover>`
    SELECT import_id AS "importId", kind, row, cells, reason FROM import_rows
    WHERE organization_id = ${orgId} AND import_id = ${id} AND (kind, row) > (${kind}, ${row})
    ORDER BY kind, row LIMIT ${leftoversAtOnce}`.execute(db);
  return rows;
}

export async function deleteLeftovers(tx: Tx, orgId: string, leftovers: readonly Leftover[]): Promise<void> {
  for (const { importId, kind, row } of leftovers) {
    const kept = tx.deleteFrom('import_rows').where('organization_id', '=', orgId).where('import_id', '=', importId);
    await kept
      .where('kind', '=', kind as KeptKind)
      .where('row', '=', row)
      .execute();
  }
}

/** A header that is no header but the first row of a file without one. */
export async function emptyHeader(tx: Tx, { orgId, id }: ImportKey): Promise<void> {
  await tx
    .updateTable('imports')
    .set({ header: '[]' })
    .where('organization_id', '=', orgId)
    .where('id', '=', id)
    .execute();
}

export async function isTaken(db: Queryable, { orgId, id }: ImportKey): Promise<boolean> {
  const imports = db.selectFrom('imports').select('id').where('organization_id', '=', orgId);
  return (await imports.where('id', '=', id).executeTakeFirst()) !== undefined;
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
  { orgId, id }: ImportKey,
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
    .where('organization_id', '=', orgId)
    .where('id', '=', id)
    .execute();
}

type End = ImportKey & { isDone: boolean; at: number };

export async function endImport(tx: Tx, { orgId, id, isDone, at }: End): Promise<void> {
  const changes = { is_done: isDone ? 1 : 0, ended_at: at };
  await tx.updateTable('imports').set(changes).where('organization_id', '=', orgId).where('id', '=', id).execute();
}

export type ProgressOfImport = ImportCounters & { isDone: boolean; startedAt: number; endedAt: number | null };

type Wanted = ImportKey & { after: number };

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

export async function insertRows(tx: Tx, { orgId, id }: ImportKey, rows: readonly KeptRow[]): Promise<void> {
  if (rows.length === 0) return;
  const values = rows.map(({ row, kind, reason, cells }) => ({
    organization_id: orgId,
    import_id: id,
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

export type RowsAfter = ImportKey & { kind: KeptKind; after: number; limit: number };

export async function rowsAfter(
  db: Queryable,
  { orgId, id, kind, after, limit }: RowsAfter,
): Promise<Array<Omit<KeptRow, 'kind'>>> {
  const rows = await db
    .selectFrom('import_rows')
    .select(['row', 'reason', 'cells'])
    .where('organization_id', '=', orgId)
    .where('import_id', '=', id)
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
    DELETE FROM import_rows WHERE (organization_id, import_id, kind, row) IN (
      SELECT r.organization_id, r.import_id, r.kind, r.row FROM imports i
      JOIN import_rows r ON r.organization_id = i.organization_id AND r.import_id = i.id
      WHERE i.started_at <= ${before} LIMIT ${limit}
    )`.execute(tx);
  if (Number(rows ?? 0n) === limit) return true;
  const { numAffectedRows: imports } = await sql`
    DELETE FROM imports WHERE (organization_id, id) IN (
      SELECT organization_id, id FROM imports WHERE started_at <= ${before} LIMIT ${limit}
    )`.execute(tx);
  return Number(imports ?? 0n) === limit;
}
