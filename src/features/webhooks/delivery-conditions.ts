import { type RawBuilder, sql } from 'kysely';
import { listOf, withoutIndex } from '../../db/sql.ts';
import { sweepNames } from '../endpoints/endpoint.ts';
import { type DeliveryStatus, deliveryStatuses, statusAfter, sweptStatuses } from './delivery.ts';
import { unreachedSweep } from './delivery-store.ts';

/** SQL conditions on the status of deliveries, in queries that call the delivery `d` and, while a sweep runs, its endpoint `p`. */
type Condition = RawBuilder<unknown>;

const undeliveredStatuses = deliveryStatuses.filter((status) => status !== 'delivered' && status !== 'delivering');

/**
 * All undelivered deliveries. The statuses are listed, because SQLite uses the index on (organization_id, status) only for a condition on
 * status.
 */
export const undelivered: readonly Condition[] = [
  sql`d.delivered_at IS NULL`,
  sql`d.status IN (${sql.join(undeliveredStatuses)})`,
];

/** Undelivered deliveries with one stored status, in the form that lets SQLite use their index. */
export const undeliveredWith = (status: DeliveryStatus | undefined): Condition[] => [
  sql`d.delivered_at IS NULL`,
  sql`d.status = ${status}`,
];

export const notInFlight = (status: DeliveryStatus | undefined, inFlight: ReadonlySet<string>): Condition[] =>
  status === 'pending' || status === 'retrying' ? [sql`d.id NOT IN ${listOf(inFlight)}`] : [];

/** SQL that computes the same status as `statusUnder`. */
const presentStatus = sql`CASE ${sql.join(
  sweepNames.map(
    (sweep) => sql`
      WHEN ${unreachedSweep} = ${sweep} AND d.status IN (${sql.join(sweptStatuses[sweep])}) THEN ${statusAfter[sweep]}`,
  ),
  sql` `,
)} ELSE d.status END`;

/** Conditions on the status that readers see. No index is used for them. */
export function statusConditions(
  status: DeliveryStatus | undefined,
  { inFlight, isSwept }: { inFlight: ReadonlySet<string>; isSwept: boolean },
): Condition[] {
  if (status === undefined) return [];
  if (status === 'delivered') return [sql`${withoutIndex('d.delivered_at')} IS NOT NULL`];
  const seen = isSwept ? presentStatus : withoutIndex('d.status');
  if (status === 'delivering') {
    return [sql`${seen} IN ('pending', 'retrying')`, sql`${withoutIndex('d.id')} IN ${listOf(inFlight)}`];
  }
  return [sql`${seen} = ${status}`, ...notInFlight(status, inFlight)];
}
