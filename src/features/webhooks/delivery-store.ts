import { sql } from 'kysely';
import { prepared } from '../../db/prepared.ts';
import type { WebhookDeliveriesTable } from '../../db/schema.generated.ts';
import type { Queryable, Tx } from '../../db/transaction.ts';
import { joinInOrder, listOf, rowsOf, withoutIndex } from '../../db/sql.ts';
import { type Attempt, isScheduled, type DeliveryState, type StoredStatus } from './delivery.ts';

/** The contact or, where there is none, the phone number that an event is about. */
type EventSubject = { subject: string };

export type NewEvent = {
  id: string;
  orgId: string;
  agentId: string;
  event: string;
  body: string;
  createdAt: number;
} & EventSubject;

const addEvent = prepared((db, event: NewEvent) =>
  db.insertInto('webhook_events').values({
    id: event.id,
    organization_id: event.orgId,
    agent_id: event.agentId,
    event: event.event,
    body: event.body,
    subject: event.subject,
    created_at: event.createdAt,
  }),
);

export async function insertEvent(tx: Tx, event: NewEvent): Promise<void> {
  await addEvent(tx, event);
}

export type NewDelivery = {
  id: string;
  orgId: string;
  eventId: string;
  endpointId: string;
  status: StoredStatus;
  nextAttemptAt: number | null;
  createdAt: number;
};

const addDelivery = prepared((db, delivery: NewDelivery) =>
  db.insertInto('webhook_deliveries').values({
    id: delivery.id,
    organization_id: delivery.orgId,
    event_id: delivery.eventId,
    endpoint_id: delivery.endpointId,
    status: delivery.status,
    next_attempt_at: delivery.nextAttemptAt,
    created_at: delivery.createdAt,
  }),
);

export async function insertDelivery(tx: Tx, delivery: NewDelivery): Promise<void> {
  await addDelivery(tx, delivery);
}

/** A delivery with everything that an attempt needs. */
export type OutgoingDelivery = {
  id: string;
  status: StoredStatus;
  eventId: string;
  /** The exact text whose bytes are signed and sent. */
  body: string;
  agentId: string;
  url: string;
  encryptedSecret: string | null;
  encryptedPreviousSecret: string | null;
  previousExpiresAt: number | null;
};

const selectOutgoing = prepared(
  (_db, p: { ids: readonly string[] }) => sql<OutgoingDelivery>`
    SELECT d.id, d.status, d.event_id AS "eventId", e.body, p.agent_id AS "agentId", p.url,
      s.secret_sealed AS "encryptedSecret", s.previous_secret_sealed AS "encryptedPreviousSecret",
      s.previous_expires_at AS "previousExpiresAt"
    FROM ${rowsOf(p.ids)} AS wanted
    ${joinInOrder} webhook_deliveries d ON d.id = wanted.value
    ${joinInOrder} webhook_endpoints p ON p.id = d.endpoint_id
    ${joinInOrder} webhook_events e ON e.id = d.event_id
    LEFT JOIN webhook_secrets s ON s.agent_id = p.agent_id`,
);

/** Deliveries to send, by id. */
export const outgoingDeliveries = async (
  db: Queryable,
  ids: readonly string[],
): Promise<Map<string, OutgoingDelivery>> =>
  new Map((await selectOutgoing(db, { ids })).rows.map((row) => [row.id, row]));

/** A delivery and the current state of its endpoint. */
export type DeliveryWithEndpoint = DeliveryState & {
  id: string;
  orgId: string;
  endpointId: string;
  agentId: string;
  url: string;
  attemptCount: number;
  nextAttemptAt: number | null;
  subject: string | null;
  endpointError: string | null;
};

const selectWithEndpoint = prepared((db, p: { id: string }) =>
  db
    .selectFrom('webhook_deliveries as d')
    .innerJoin('webhook_endpoints as p', 'p.id', 'd.endpoint_id')
    .innerJoin('webhook_events as e', 'e.id', 'd.event_id')
    .select([
      'd.id',
      'e.subject',
      'd.organization_id as orgId',
      'd.endpoint_id as endpointId',
      'd.status',
      'd.failures',
      'd.attempt_count as attemptCount',
      'd.next_attempt_at as nextAttemptAt',
      'p.agent_id as agentId',
      'p.url',
      'p.status as endpointStatus',
      'p.last_error as endpointError',
      'p.removed_at',
    ])
    .where('d.id', '=', p.id),
);

export async function deliveryWithEndpoint(tx: Tx, id: string): Promise<DeliveryWithEndpoint | undefined> {
  const [row] = (await selectWithEndpoint(tx, { id })).rows;
  if (!row) return undefined;
  const { removed_at, ...delivery } = row;
  return { ...delivery, endpointRemoved: removed_at !== null };
}

const addAttempt = prepared((db, attempt: Attempt & { deliveryId: string }) =>
  db.insertInto('webhook_attempts').values({
    delivery_id: attempt.deliveryId,
    number: attempt.number,
    at: attempt.at,
    duration_ms: attempt.durationMs,
    status_code: attempt.statusCode,
    error: attempt.error,
    response_body: attempt.responseBody,
  }),
);

export async function insertAttempt(tx: Tx, deliveryId: string, attempt: Attempt): Promise<void> {
  await addAttempt(tx, { ...attempt, deliveryId });
}

export type DeliveryChange = {
  status: StoredStatus;
  nextAttemptAt: number | null;
  attemptCount?: number;
  failures?: number;
};

/** The columns that follow from the status: `settled_at` is set once it is final, `delivered_at` once it is `delivered`. */
const statusColumns = (status: StoredStatus, nextAttemptAt: number | null, now: number) =>
  ({
    status,
    next_attempt_at: nextAttemptAt,
    settled_at: isScheduled(status) || status === 'held' ? null : now,
    delivered_at: status === 'delivered' ? now : null,
  }) satisfies Partial<WebhookDeliveriesTable>;

type DeliveryColumns = ReturnType<typeof statusColumns> & {
  id: string;
  attempt_count: number | null;
  failures: number | null;
};

const changeDelivery = prepared((db, row: DeliveryColumns) =>
  db
    .updateTable('webhook_deliveries')
    .set({
      status: row.status,
      next_attempt_at: row.next_attempt_at,
      settled_at: row.settled_at,
      delivered_at: row.delivered_at,
      attempt_count: sql<number>`coalesce(${row.attempt_count}, attempt_count)`,
      failures: sql<number>`coalesce(${row.failures}, failures)`,
    })
    .where('id', '=', row.id),
);

export async function updateDelivery(tx: Tx, id: string, change: DeliveryChange, now: number): Promise<void> {
  await changeDelivery(tx, {
    id,
    ...statusColumns(change.status, change.nextAttemptAt, now),
    attempt_count: change.attemptCount ?? null,
    failures: change.failures ?? null,
  });
}

const updateDelivered = prepared(
  (_db, p: { ids: readonly string[]; now: number }) => sql<{ id: string; attemptCount: number }>`
    UPDATE webhook_deliveries SET status = 'delivered', next_attempt_at = NULL, settled_at = ${p.now},
      delivered_at = ${p.now}, attempt_count = attempt_count + 1, failures = 0
    WHERE id IN ${listOf(p.ids)} AND status = 'pending' AND EXISTS (
      SELECT 1 FROM webhook_endpoints p
      WHERE p.id = webhook_deliveries.endpoint_id AND p.status = 'delivering' AND p.last_error IS NULL
    ) RETURNING id, attempt_count AS "attemptCount"`,
);

/**
 * Marks pending deliveries as delivered in one statement, where the endpoint is delivering and has no error to clear, so that nothing
 * else changes. Skips all others. Returns the number of the successful attempt by delivery id.
 */
export async function markDelivered(tx: Tx, ids: readonly string[], now: number): Promise<Map<string, number>> {
  const { rows } = await updateDelivered(tx, { ids, now });
  return new Map(rows.map((row) => [row.id, row.attemptCount]));
}

/**
 * Undelivered deliveries of an endpoint with these statuses. They are found in the index of the organization's undelivered ones; an
 * index on endpoint_id would walk everything ever delivered to the endpoint.
 */
const unfinishedOf = (endpointId: string, statuses: readonly StoredStatus[]) => sql<boolean>`
  organization_id = (SELECT p.organization_id FROM webhook_endpoints p WHERE p.id = ${endpointId})
  AND delivered_at IS NULL AND status IN (${sql.join(statuses)}) AND ${withoutIndex('endpoint_id')} = ${endpointId}`;

/** Holds all scheduled deliveries of an endpoint except its probe. Returns how many. */
export async function holdScheduled(tx: Tx, endpointId: string, probeId: string): Promise<number> {
  const result = await tx
    .updateTable('webhook_deliveries')
    .set({ status: 'held', next_attempt_at: null })
    .where(unfinishedOf(endpointId, ['pending', 'retrying']))
    .where('id', '!=', probeId)
    .executeTakeFirst();
  return Number(result.numUpdatedRows);
}

/** Cancels all deliveries that wait for an endpoint. */
export async function cancelWaiting(tx: Tx, endpointId: string, now: number): Promise<void> {
  await tx
    .updateTable('webhook_deliveries')
    .set({ status: 'cancelled', next_attempt_at: null, settled_at: now })
    .where(unfinishedOf(endpointId, ['pending', 'retrying', 'held']))
    .execute();
}

/** Restarts the schedule of all undelivered deliveries of an endpoint. Returns their ids. */
export async function restartUndelivered(tx: Tx, endpointId: string, now: number): Promise<string[]> {
  const rows = await tx
    .updateTable('webhook_deliveries')
    .set({ status: 'pending', failures: 0, next_attempt_at: now, settled_at: null })
    .where(unfinishedOf(endpointId, ['pending', 'retrying', 'held', 'exhausted']))
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
}

export type FailedDelivery = { id: string; status: StoredStatus };

/** An endpoint's deliveries that were created from `since` to `until` (inclusive) and whose last attempt failed. */
export async function failedDeliveries(
  tx: Tx,
  endpointId: string,
  range: { since: number | null; until: number | null },
): Promise<FailedDelivery[]> {
  let query = tx
    .selectFrom('webhook_deliveries')
    .select(['id', 'status'])
    .where(unfinishedOf(endpointId, ['retrying', 'held', 'exhausted']))
    .where('attempt_count', '>', 0);
  if (range.since !== null) query = query.where('created_at', '>=', range.since);
  if (range.until !== null) query = query.where('created_at', '<=', range.until);
  return query.execute();
}

/** Ids of endpoints that were removed before an instant and have no deliveries left. */
export async function endpointsWithoutDeliveries(tx: Tx, removedBefore: number): Promise<string[]> {
  const rows = await tx
    .selectFrom('webhook_endpoints as p')
    .select('p.id')
    .where('p.removed_at', '<', removedBefore)
    .where((eb) =>
      eb.not(eb.exists(eb.selectFrom('webhook_deliveries as d').select('d.id').whereRef('d.endpoint_id', '=', 'p.id'))),
    )
    .execute();
  return rows.map(({ id }) => id);
}

/** Restarts the schedule of these deliveries. */
export async function restart(tx: Tx, ids: readonly string[], now: number): Promise<void> {
  await tx
    .updateTable('webhook_deliveries')
    .set({ ...statusColumns('pending', now, now), failures: 0 })
    .where('id', 'in', listOf(ids))
    .execute();
}

/** Deletes up to `limit` deliveries that were settled before an instant, with their attempts, and events left without a delivery. */
export async function deleteSettled(tx: Tx, before: number, limit: number): Promise<number> {
  const { rows } = await sql<{ event_id: string }>`
    DELETE FROM webhook_deliveries WHERE id IN (
      SELECT id FROM webhook_deliveries WHERE settled_at < ${before} ORDER BY settled_at LIMIT ${limit}
    ) RETURNING event_id`.execute(tx);
  await sql`
    DELETE FROM webhook_events WHERE id IN ${listOf(new Set(rows.map((row) => row.event_id)))}
    AND NOT EXISTS (SELECT 1 FROM webhook_deliveries d WHERE d.event_id = webhook_events.id)
  `.execute(tx);
  return rows.length;
}
