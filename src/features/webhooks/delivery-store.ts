import { sql } from 'kysely';
import { insertRowsInto, prepared, sent } from '../../db/prepared.ts';
import type { WebhookDeliveriesTable } from '../../db/schema.generated.ts';
import type { Queryable, Tx } from '../../db/transaction.ts';
import { joinInOrder, listOf, rowsOf } from '../../db/sql.ts';
import type { WebhookEventName } from '../agents/agent.ts';
import type { Sweep } from '../endpoints/endpoint.ts';
import type { EndpointSweep } from '../endpoints/service.ts';
import { type Attempt, isScheduled, type DeliveryState, statusUnder, type StoredStatus } from './delivery.ts';

/** The contact or, where there is none, the phone number that an event is about. */
type EventSubject = { subject: string };

export type NewEvent = {
  id: string;
  orgId: string;
  agentId: string;
  event: string;
  /** The exact text whose bytes are signed and sent. */
  body: string;
  createdAt: number;
  /** The agent has no URL: only those who follow the organization's events see it. */
  forFollowers?: boolean;
} & EventSubject;

const addEvent = sent((db, event: Omit<NewEvent, 'forFollowers'> & { forFollowers: number }) =>
  db.insertInto('webhook_events').values({
    id: event.id,
    organization_id: event.orgId,
    agent_id: event.agentId,
    event: event.event,
    body: event.body,
    subject: event.subject,
    created_at: event.createdAt,
    for_followers: event.forFollowers,
  }),
);

export async function insertEvent(tx: Tx, event: NewEvent): Promise<void> {
  await addEvent(tx, { ...event, forFollowers: Number(event.forFollowers ?? false) });
}

const selectEventNames = prepared((db, p: { agentId: string }) =>
  db.selectFrom('agents').select('webhook_events as names').where('id', '=', p.agentId),
);

/** The events that the agent's webhooks receive. */
export async function eventNamesOf(tx: Tx, agentId: string): Promise<WebhookEventName[]> {
  const [row] = (await selectEventNames(tx, { agentId })).rows;
  return JSON.parse(row?.names ?? '[]') as WebhookEventName[];
}

const selectBody = prepared((db, p: { id: string }) =>
  db.selectFrom('webhook_events').select('body').where('id', '=', p.id),
);

export const bodyOf = async (db: Queryable, eventId: string): Promise<string> =>
  (await selectBody(db, { id: eventId })).rows[0]!.body;

export type NewDelivery = {
  id: string;
  orgId: string;
  eventId: string;
  endpointId: string;
  status: StoredStatus;
  nextAttemptAt: number | null;
  createdAt: number;
  /** The number of the endpoint's present or last sweep, which will not change the delivery; 0 if the present sweep is to change it. */
  swept: number;
};

const addDelivery = sent((db, delivery: NewDelivery) =>
  db.insertInto('webhook_deliveries').values({
    id: delivery.id,
    organization_id: delivery.orgId,
    event_id: delivery.eventId,
    endpoint_id: delivery.endpointId,
    status: delivery.status,
    next_attempt_at: delivery.nextAttemptAt,
    created_at: delivery.createdAt,
    swept: delivery.swept,
  }),
);

export async function insertDelivery(tx: Tx, delivery: NewDelivery): Promise<void> {
  await addDelivery(tx, delivery);
}

/** The sweep of endpoint `p` that has not reached its delivery `d` yet; null if there is none. */
export const unreachedSweep = sql<Sweep | null>`CASE WHEN d.swept <> p.sweeps THEN p.sweep END`;

/** The number of the present or last sweep of a delivery's endpoint. */
const presentSweep = sql<number>`(SELECT p.sweeps FROM webhook_endpoints p WHERE p.id = webhook_deliveries.endpoint_id)`;

type UnsweptRow = { stored: StoredStatus; sweep: Sweep | null };

/** The status that readers see, and whether the endpoint's count of held deliveries includes this one. */
const withStatus = <R extends UnsweptRow>({ stored, ...row }: R) => ({
  ...row,
  status: statusUnder(row.sweep, stored),
  isCountedAsHeld: stored === 'held' && row.sweep === null,
});

/** A delivery with everything that an attempt needs. */
export type OutgoingDelivery = {
  id: string;
  status: StoredStatus;
  /** The sweep that will decide whether the delivery is sent, and then enqueue it. */
  sweep: Sweep | null;
  eventId: string;
  createdAt: number;
  attemptCount: number;
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
    SELECT d.id, d.status, ${unreachedSweep} AS sweep, d.event_id AS "eventId", e.body,
      d.created_at AS "createdAt", d.attempt_count AS "attemptCount",
      p.agent_id AS "agentId", p.url,
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
  sweep: Sweep | null;
  /** Number of the endpoint's present or last sweep. */
  sweeps: number;
  isCountedAsHeld: boolean;
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
      'd.status as stored',
      unreachedSweep.as('sweep'),
      'p.sweeps',
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
  return { ...withStatus(delivery), endpointRemoved: removed_at !== null };
}

const addAttempts = insertRowsInto('webhook_attempts', [
  'delivery_id',
  'number',
  'at',
  'duration_ms',
  'status_code',
  'error',
  'response_body',
  'request_headers',
  'response_headers',
]);

/** An attempt to store. The headers are JSON. */
export type NewAttempt = Omit<Attempt, 'requestHeaders' | 'responseHeaders'> & {
  requestHeaders: string;
  responseHeaders: string | null;
};

export type AttemptOfDelivery = { deliveryId: string; number: number; attempt: Omit<NewAttempt, 'number'> };

export const insertAttempts = (tx: Tx, attempts: readonly AttemptOfDelivery[]): Promise<void> =>
  addAttempts(
    tx,
    attempts.map(({ deliveryId, number, attempt }) => ({
      delivery_id: deliveryId,
      number,
      at: attempt.at,
      duration_ms: attempt.durationMs,
      status_code: attempt.statusCode,
      error: attempt.error,
      response_body: attempt.responseBody,
      request_headers: attempt.requestHeaders,
      response_headers: attempt.responseHeaders,
    })),
  );

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

const changeDelivery = sent((db, row: DeliveryColumns) =>
  db
    .updateTable('webhook_deliveries')
    .set({
      status: row.status,
      next_attempt_at: row.next_attempt_at,
      settled_at: row.settled_at,
      delivered_at: row.delivered_at,
      attempt_count: sql<number>`coalesce(${row.attempt_count}, attempt_count)`,
      failures: sql<number>`coalesce(${row.failures}, failures)`,
      swept: presentSweep,
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

// Not EXISTS, for which PostgreSQL may scan all endpoints and probe every id for each of them.
const updateDelivered = prepared(
  (_db, p: { ids: readonly string[]; now: number }) => sql<{ id: string; attemptCount: number }>`
    UPDATE webhook_deliveries SET status = 'delivered', next_attempt_at = NULL, settled_at = ${p.now},
      delivered_at = ${p.now}, attempt_count = attempt_count + 1, failures = 0
    WHERE id IN ${listOf(p.ids)} AND status = 'pending' AND (
      SELECT p.status = 'delivering' AND p.last_error IS NULL FROM webhook_endpoints p WHERE p.id = webhook_deliveries.endpoint_id
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
 * A batch reads at most this many of the organization's deliveries per status, whichever endpoint they belong to: 1 ms for the four statuses
 * of a release. One batch changes at most 100 of them.
 */
const maxScanned = 250;

export type WaitingBatch = {
  ids: string[];
  /** The cursor of the next batch; null when there is none. */
  next: string | null;
};

/**
 * The next undelivered deliveries of an endpoint with these statuses, oldest first: at most `limit` with ids after the cursor. Reads the
 * index of the organization's undelivered deliveries, and at most `maxScanned` rows per status, so it may find fewer before the end.
 */
export async function waitingAfter(
  tx: Tx,
  { id, orgId }: Pick<EndpointSweep, 'id' | 'orgId'>,
  { statuses, after, limit, unlessSwept = -1 }: WaitingQuery,
): Promise<WaitingBatch> {
  const scans = statuses.map(
    (status) => sql`
      SELECT * FROM (
        SELECT id, status, endpoint_id, swept FROM webhook_deliveries
        WHERE organization_id = ${orgId} AND delivered_at IS NULL AND status = ${status} AND id > ${after}
        ORDER BY id LIMIT ${maxScanned}
      ) AS found`,
  );
  const { rows } = await sql<{ seen: string | null; id: string | null }>`
    WITH scanned AS MATERIALIZED (${sql.join(scans, sql` UNION ALL `)}),
    bound AS (
      SELECT min(last) AS seen FROM (
        SELECT max(id) AS last FROM scanned GROUP BY status HAVING count(*) = ${maxScanned}
      ) AS found
    )
    SELECT seen, scanned.id FROM bound LEFT JOIN scanned
    ON endpoint_id = ${id} AND swept <> ${unlessSwept} AND (seen IS NULL OR scanned.id <= seen)
    ORDER BY scanned.id LIMIT ${limit}`.execute(tx);
  const ids = rows.flatMap((row) => row.id ?? []);
  return { ids, next: ids.length === limit ? ids.at(-1)! : (rows[0]?.seen ?? null) };
}

export type WaitingQuery = {
  statuses: readonly StoredStatus[];
  after: string;
  limit: number;
  /** Leaves out deliveries that the sweep with this number has reached. */
  unlessSwept?: number;
};

/** Sets deliveries to `held`, and records that the sweep with this number has reached them. */
export async function hold(tx: Tx, ids: readonly string[], sweep: number): Promise<void> {
  await tx
    .updateTable('webhook_deliveries')
    .set({ status: 'held', next_attempt_at: null, swept: sweep })
    .where('id', 'in', listOf(ids))
    .execute();
}

/** Sets deliveries to `cancelled`, and records that the sweep with this number has reached them. */
export async function cancel(tx: Tx, ids: readonly string[], sweep: number, now: number): Promise<void> {
  await tx
    .updateTable('webhook_deliveries')
    .set({ ...statusColumns('cancelled', null, now), swept: sweep })
    .where('id', 'in', listOf(ids))
    .execute();
}

/** Sets deliveries to `pending` with a new schedule, and records that the sweep with this number has reached them. */
export async function restart(tx: Tx, ids: readonly string[], sweep: number, now: number): Promise<void> {
  await tx
    .updateTable('webhook_deliveries')
    .set({ ...statusColumns('pending', now, now), failures: 0, swept: sweep })
    .where('id', 'in', listOf(ids))
    .execute();
}

/** Marks a delivery as already reached by its endpoint's present sweep, so that the sweep leaves it unchanged. */
export async function markSwept(tx: Tx, id: string): Promise<void> {
  await tx.updateTable('webhook_deliveries').set({ swept: presentSweep }).where('id', '=', id).execute();
}

export type FailedDelivery = Pick<DeliveryWithEndpoint, 'id' | 'status' | 'isCountedAsHeld'>;

/**
 * Of the given deliveries, those that were created from `since` to `until` (inclusive), whose last attempt failed, and that are waiting or
 * exhausted.
 */
export async function failedAmong(
  tx: Tx,
  ids: readonly string[],
  { since, until }: { since: number | null; until: number | null },
): Promise<FailedDelivery[]> {
  const { rows } = await sql<UnsweptRow & { id: string }>`
    SELECT d.id, d.status AS stored, ${unreachedSweep} AS sweep
    FROM webhook_deliveries d JOIN webhook_endpoints p ON p.id = d.endpoint_id
    WHERE d.id IN ${listOf(ids)} AND d.attempt_count > 0
      AND d.created_at BETWEEN ${since ?? 0} AND ${until ?? Number.MAX_SAFE_INTEGER}
    ORDER BY d.id`.execute(tx);
  return rows.map(withStatus).filter(({ status }) => status !== 'pending' && status !== 'cancelled');
}

export type RetriedDelivery = FailedDelivery & {
  endpoint: Pick<DeliveryWithEndpoint, 'endpointId' | 'endpointStatus' | 'sweeps'>;
};

/** Deliveries by id with the facts that a retry needs, oldest first. */
export async function deliveriesToRetry(tx: Tx, ids: readonly string[]): Promise<RetriedDelivery[]> {
  const { rows } = await sql<
    UnsweptRow & {
      id: string;
      endpointId: string;
      endpointStatus: DeliveryState['endpointStatus'];
      sweeps: number;
    }
  >`
    SELECT d.id, d.status AS stored, ${unreachedSweep} AS sweep, p.id AS "endpointId", p.status AS "endpointStatus", p.sweeps
    FROM ${rowsOf(ids)} AS wanted
    ${joinInOrder} webhook_deliveries d ON d.id = wanted.value
    ${joinInOrder} webhook_endpoints p ON p.id = d.endpoint_id
    WHERE EXISTS (SELECT 1 FROM webhook_events e WHERE e.id = d.event_id AND e.body <> '')
    ORDER BY d.id`.execute(tx);
  return rows.map(({ endpointId, endpointStatus, sweeps, ...row }) => ({
    ...withStatus(row),
    endpoint: { endpointId, endpointStatus, sweeps },
  }));
}

/** Ids of up to `limit` endpoints that were removed before an instant and have no deliveries left. */
export async function endpointsWithoutDeliveries(tx: Tx, removedBefore: number, limit: number): Promise<string[]> {
  const rows = await tx
    .selectFrom('webhook_endpoints as p')
    .select('p.id')
    .where('p.removed_at', '<', removedBefore)
    .where((eb) =>
      eb.not(eb.exists(eb.selectFrom('webhook_deliveries as d').select('d.id').whereRef('d.endpoint_id', '=', 'p.id'))),
    )
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/**
 * Deletes up to `limit` deliveries that were settled before an instant, with their attempts, and deletes events that have no delivery left.
 */
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
