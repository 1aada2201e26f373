import { preparedBy } from '../db/prepared.ts';
import type { Queryable } from '../db/transaction.ts';

type Counted = 'contacts' | 'do_not_call' | 'audit_entries' | 'notices';

const selectCount = preparedBy(
  (counted: Counted) => (db, p: { orgId: string }) =>
    db
      .selectFrom('organization_counts')
      .select((eb) => eb.ref(counted).as('count'))
      .where('organization_id', '=', p.orgId),
);

/** How many rows of a table an organization has. Triggers keep the number, so this costs the same for any number of rows. */
export const keptCount = async (db: Queryable, orgId: string, counted: Counted): Promise<number> =>
  (await selectCount(counted)(db, { orgId })).rows[0]?.count ?? 0;
