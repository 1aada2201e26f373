import { sql } from 'kysely';
import { prepared } from '../prepared.ts';
import type { Queryable } from '../transaction.ts';

const select = prepared((_db, _p: object) => sql<{ changes: number }>`SELECT total_changes() AS changes`);

/** How many rows the connection has changed since it was opened. */
export const totalChanges = async (db: Queryable): Promise<number> => (await select(db, {})).rows[0]!.changes;
