import { sql } from 'kysely';
import { listOf } from '../../db/sql.ts';
import type { Queryable } from '../../db/transaction.ts';

const tables = {
  agent: ['agents', 'agent_name'],
  campaign: ['campaigns', 'name'],
  number: ['phone_numbers', 'phone'],
} as const;

/** The names of agents, campaigns or numbers of an organization, by id; those that were deleted have none. */
export async function namesOf(
  db: Queryable,
  orgId: string,
  kind: keyof typeof tables,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const [table, column] = tables[kind];
  const { rows } = await sql<{ id: string; name: string }>`
    SELECT id, ${sql.ref(column)} AS name FROM ${sql.table(table)}
    WHERE organization_id = ${orgId} AND id IN ${listOf(ids)}`.execute(db);
  return new Map(rows.map(({ id, name }) => [id, name]));
}
