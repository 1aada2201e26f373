import { sql } from 'kysely';
import type { Queryable } from '../transaction.ts';

/** The damage that SQLite finds in a database; empty when every page, index and reference is sound. Reads the whole file. */
export async function damageIn(db: Queryable): Promise<string[]> {
  const integrity = await sql<{ integrity_check: string }>`PRAGMA integrity_check(10)`.execute(db);
  const faults = integrity.rows.map((row) => row.integrity_check).filter((text) => text !== 'ok');
  const references = await sql<{ table: string; parent: string }>`PRAGMA foreign_key_check`.execute(db);
  const dangling = references.rows.map(({ table, parent }) => `a row of ${table} refers to a missing row of ${parent}`);
  return [...faults, ...new Set(dangling)];
}
