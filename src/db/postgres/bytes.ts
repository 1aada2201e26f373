import { sql } from 'kysely';
import type { Queryable } from '../transaction.ts';

/** Bytes of the database's tables and indexes; the server's write-ahead log is not among them. */
export async function databaseBytes(db: Queryable): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`SELECT pg_database_size(current_database()) AS bytes`.execute(db);
  return rows[0]!.bytes;
}
