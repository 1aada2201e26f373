import { sql } from 'kysely';
import { hourMs } from '../../base/clock.ts';
import { prepared } from '../../db/prepared.ts';
import { listOf } from '../../db/sql.ts';
import type { Queryable, Tx } from '../../db/transaction.ts';

type Wanted = { ids: readonly string[]; hours: readonly number[] };

/** Each row is found by its whole key, because the hours of all organizations lie side by side. */
const selectDelivered = prepared(
  (_db, p: Wanted & { orgId: string }) => sql<{ id: string; hour: number; delivered: number }>`
    SELECT endpoint_id AS id, hour, delivered FROM deliveries_by_hour
    WHERE hour IN ${listOf(p.hours, 'integer')} AND organization_id = ${p.orgId} AND endpoint_id IN ${listOf(p.ids)}`,
);

/** How many deliveries endpoints took in hours of UTC, which are named by their first millisecond: by endpoint and hour. */
export async function deliveredIn(
  db: Queryable,
  orgId: string,
  wanted: Wanted,
): Promise<Map<string, Map<number, number>>> {
  const counts = new Map(wanted.ids.map((id) => [id, new Map<number, number>()]));
  const { rows } = await selectDelivered(db, { orgId, ...wanted });
  for (const { id, hour, delivered } of rows) counts.get(id)?.set(hour, delivered);
  return counts;
}

const deleteHours = prepared(
  (_db, p: { before: number; limit: number }) => sql<{ hour: number }>`
    DELETE FROM deliveries_by_hour WHERE (hour, organization_id, endpoint_id) IN (
      SELECT hour, organization_id, endpoint_id FROM deliveries_by_hour WHERE hour < ${p.before} ORDER BY hour LIMIT ${p.limit}
    ) RETURNING hour`,
);

/** Deletes up to `limit` counts of hours that ended before an instant. Returns how many. */
export const deleteHoursBefore = async (tx: Tx, instant: number, limit: number): Promise<number> =>
  (await deleteHours(tx, { before: instant - hourMs, limit })).rows.length;
