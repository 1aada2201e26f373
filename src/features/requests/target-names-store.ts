import { sql } from 'kysely';
import { prepared } from '../../db/prepared.ts';
import type { Queryable } from '../../db/transaction.ts';
import type { TargetKind } from './audited-operations.ts';

/** SQL for the name of a thing, as people see it. */
const names: Readonly<Record<TargetKind, { table: string; name: string; isOrganization?: true }>> = {
  agent: { table: 'agents', name: 'agent_name' },
  campaign: { table: 'campaigns', name: 'name' },
  contact: {
    table: 'contacts',
    name: "coalesce(nullif(trim(coalesce(first_name, '') || ' ' || coalesce(last_name, '')), ''), company, phone, email)",
  },
  number: { table: 'phone_numbers', name: 'phone' },
  knowledge_base: { table: 'knowledge_bases', name: 'name' },
  user: { table: 'users', name: 'email' },
  api_key: { table: 'api_keys', name: 'name' },
  organization: { table: 'organizations', name: 'name', isOrganization: true },
  webhook_endpoint: { table: 'webhook_endpoints', name: 'url' },
};

const queries = Object.fromEntries(
  Object.entries(names).map(([kind, { table, name, isOrganization }]) => [
    kind,
    prepared(
      (_db, p: { id: string; orgId: string }) => sql<{ name: string | null }>`
        SELECT ${sql.raw(name)} AS name FROM ${sql.table(table)}
        WHERE id = ${p.id} AND ${sql.ref(isOrganization ? 'id' : 'organization_id')} = ${p.orgId}`,
    ),
  ]),
) as Record<TargetKind, ReturnType<typeof prepared<{ id: string; orgId: string }, { name: string | null }>>>;

/** The name that a thing of an organization has now; null if it is gone or has none. */
export const nameOfThing = async (
  db: Queryable,
  { kind, id, orgId }: { kind: TargetKind; id: string; orgId: string },
): Promise<string | null> => (await queries[kind](db, { id, orgId })).rows[0]?.name ?? null;
