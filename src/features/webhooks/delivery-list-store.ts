import { type CompiledQuery, type RawBuilder, sql } from 'kysely';
import { idsFrom } from '../../base/ids.ts';
import { countRowsOf, type Position, readList, readRows } from '../../db/pages.ts';
import { prepared } from '../../db/prepared.ts';
import { firstRowsOf, joinInOrder, listOf, withoutIndex } from '../../db/sql.ts';
import type { Queryable } from '../../db/transaction.ts';
import { type Page, type Paged, pagedOf } from '../../kernel/paging.ts';
import type { EndpointStatus, Sweep } from '../endpoints/endpoint.ts';
import { isSweeping } from '../endpoints/service.ts';
import {
  type Attempt,
  type Delivery,
  type DeliveryStatus,
  isScheduled,
  scheduleOf,
  statusUnder,
  type StoredStatus,
} from './delivery.ts';
import { notInFlight, statusConditions, undelivered, undeliveredWith } from './delivery-conditions.ts';
import { unreachedSweep } from './delivery-store.ts';

const deliveryQuery = (db: Queryable) =>
  db
    .selectFrom('webhook_deliveries as d')
    .innerJoin('webhook_endpoints as p', 'p.id', 'd.endpoint_id')
    .innerJoin('webhook_events as e', 'e.id', 'd.event_id')
    .select([
      'd.id',
      'd.event_id as eventId',
      'd.endpoint_id as endpointId',
      'p.agent_id as agentId',
      'p.url',
      'e.event',
      'd.status as stored',
      unreachedSweep.as('sweep'),
      'd.attempt_count as attemptCount',
      'd.next_attempt_at as nextAttemptAt',
      'd.failures',
      'p.status as endpointStatus',
      'p.removed_at as endpointRemovedAt',
      'd.created_at as createdAt',
      'd.delivered_at as deliveredAt',
    ]);

type StoredDelivery = Omit<Delivery, 'status' | 'schedule'> & {
  stored: StoredStatus;
  sweep: Sweep | null;
  failures: number;
  endpointStatus: EndpointStatus;
  endpointRemovedAt: number | null;
};

/** Facts that are not in the row: the deliveries with a running attempt, and the present time. */
export type Moment = { inFlight: ReadonlySet<string>; now: number };

/** A delivery with a running attempt is shown as `delivering`, which is never stored. */
function deliveryOf(stored: StoredDelivery, { inFlight, now }: Moment): Delivery {
  const { stored: storedStatus, sweep, failures, endpointStatus, endpointRemovedAt, ...row } = stored;
  const status = statusUnder(sweep, storedStatus);
  const isRunning = inFlight.has(row.id) && isScheduled(status);
  const state = { status, failures, endpointStatus, endpointRemoved: endpointRemovedAt !== null };
  const nextAttemptAt = status === storedStatus ? row.nextAttemptAt : null;
  const schedule = scheduleOf({ ...state, nextAttemptAt }, { now, isRunning });
  if (isRunning) return { ...row, status: 'delivering', nextAttemptAt: null, schedule };
  return { ...row, status, nextAttemptAt, schedule };
}

export type DeliveryFilter = {
  status?: DeliveryStatus;
  endpointId?: string;
  agentId?: string;
  eventId?: string;
  /** Created at or after `since`, and before `until`. */
  since?: number;
  until?: number;
};

/** A page of an organization's deliveries, newest first. */
export async function deliveryPage(
  db: Queryable,
  orgId: string,
  filter: DeliveryFilter,
  page: Page,
  moment: Moment,
): Promise<Paged<Delivery>> {
  const { bound, counts, branches, maxSkipped } = await pathTo(db, orgId, filter, moment);
  const list = {
    rows: (after: Position | null, range: Range) =>
      pageQuery(db, idsInOrder(selectsOf(branches, residualOf(filter, after), bound.isSwept), sql`1 DESC`, range)),
    positionOf: (row: StoredDelivery) => [row.id],
    total: () => totalOf(db, bound, branches, counts),
    maxSkipped,
  };
  return pagedOf(await readList(db, list, page), (row) => deliveryOf(row, moment));
}

/** The ids of deliveries that a filter finds, between `after` and `before`, both excluded, in ascending order. */
export async function deliveryIdsBetween(
  db: Queryable,
  orgId: string,
  filter: DeliveryFilter,
  { after, before, limit }: { after: string; before: string; limit: number },
  moment: Moment,
): Promise<string[]> {
  const { bound, branches, maxSkipped } = await pathTo(db, orgId, filter, moment);
  const range = [...residualOf(filter, null), sql`d.id > ${after}`, sql`d.id < ${before}`];
  const selects = selectsOf(branches, range, bound.isSwept);
  const query = sql<{ id: string }>`${idsInOrder(selects, sql`1`, { limit })}`;
  const { rows } = await readRows(db, query.compile(db), maxSkipped, { limit, offset: 0, owner: orgId });
  return rows.map(({ id }) => id);
}

async function pathTo(db: Queryable, orgId: string, filter: DeliveryFilter, { inFlight }: Moment) {
  const endpointIds = await endpointsIn(db, orgId, filter);
  const { status } = filter;
  const isSwept = status !== undefined && status !== 'delivered' && (await isSweeping(db, orgId));
  const bound: Bound = { orgId, filter, inFlight, endpointIds, isSwept };
  const counts = await deliveryCounts(db, orgId, endpointIds);
  return { bound, counts, ...pathOf(bound, counts) };
}

type Condition = RawBuilder<unknown>;
/** A filter with the facts that its queries need. `endpointIds` are the endpoints that it allows; undefined if it allows all. */
type Bound = {
  orgId: string;
  filter: DeliveryFilter;
  inFlight: ReadonlySet<string>;
  endpointIds: readonly string[] | undefined;
  /** Whether sweeps under way may change which deliveries have the status that the filter asks for. */
  isSwept: boolean;
};
type Range = { limit: number; offset: number };

/** The conditions of one SELECT of the list. One index answers them in the order of the list, newest first. */
type Branch = readonly Condition[];

const selectEndpointsOfAgent = prepared((db, p: { orgId: string; agentId: string }) =>
  db
    .selectFrom('webhook_endpoints')
    .select('id')
    .where('agent_id', '=', p.agentId)
    .where(sql<boolean>`${withoutIndex('organization_id')} = ${p.orgId}`),
);

async function endpointsIn(
  db: Queryable,
  orgId: string,
  { endpointId, agentId }: DeliveryFilter,
): Promise<readonly string[] | undefined> {
  if (agentId === undefined) return endpointId === undefined ? undefined : [endpointId];
  const ids = (await selectEndpointsOfAgent(db, { orgId, agentId })).rows.map(({ id }) => id);
  return endpointId === undefined ? ids : ids.filter((id) => id === endpointId);
}

type Counts = Record<StoredStatus | 'total', number>;

const countColumns = ['total', 'retrying', 'held', 'delivered', 'exhausted', 'cancelled'] as const;
const sums = sql.join(countColumns.map((column) => sql`coalesce(sum(${sql.ref(column)}), 0) AS ${sql.ref(column)}`));

const selectCounts = prepared(
  (_db, p: { orgId: string }) =>
    sql<Omit<Counts, 'pending'>>`SELECT ${sums} FROM delivery_counts WHERE organization_id = ${p.orgId}`,
);
const selectCountsOf = prepared(
  (_db, p: { orgId: string; ids: readonly string[] }) =>
    sql<Omit<Counts, 'pending'>>`SELECT ${sums} FROM delivery_counts
      WHERE organization_id = ${p.orgId} AND endpoint_id IN ${listOf(p.ids)}`,
);

/** Stored counts by status: of all deliveries of the organization, and of those whose endpoint the filter allows. */
async function deliveryCounts(db: Queryable, orgId: string, ids: readonly string[] | undefined) {
  const withPending = (counts: Omit<Counts, 'pending'>): Counts => ({
    ...counts,
    pending: 2 * counts.total - countColumns.reduce((sum, column) => sum + counts[column], 0),
  });
  const all = withPending((await selectCounts(db, { orgId })).rows[0]!);
  return { all, filtered: ids === undefined ? all : withPending((await selectCountsOf(db, { orgId, ids })).rows[0]!) };
}

/**
 * How many deliveries of an organization have each status. A delivery that a sweep under way has not reached yet counts under its earlier
 * status.
 */
export async function countsByStatus(
  db: Queryable,
  orgId: string,
  inFlight: ReadonlySet<string>,
): Promise<Record<DeliveryStatus, number>> {
  const { total: _, ...counts } = (await deliveryCounts(db, orgId, undefined)).all;
  const sending = inFlight.size === 0 ? [] : (await selectSending(db, { orgId, ids: [...inFlight] })).rows;
  const shown: Record<DeliveryStatus, number> = { ...counts, delivering: 0 };
  for (const { status, n } of sending) {
    shown[status] -= n;
    shown.delivering += n;
  }
  return shown;
}

/** How many deliveries with a running attempt have each stored status. */
const selectSending = prepared(
  (_db, p: { orgId: string; ids: readonly string[] }) => sql<{ status: 'pending' | 'retrying'; n: number }>`
    SELECT d.status, count(*) AS n FROM webhook_deliveries d
    WHERE d.id IN ${listOf(p.ids)} AND ${withoutIndex('d.organization_id')} = ${p.orgId}
      AND ${withoutIndex('d.status')} IN ('pending', 'retrying') GROUP BY d.status`,
);

/** With more endpoints than this, merging the deliveries of each endpoint would cost more than it saves. */
const maxBranches = 10;

/** The conditions to query by, which decide the index, and how many of its entries the filter may drop. */
function pathOf(bound: Bound, { all, filtered }: { all: Counts; filtered: Counts }) {
  const { orgId, filter, inFlight, endpointIds, isSwept } = bound;
  const { status, eventId } = filter;
  const withStatus = statusConditions(status, bound);
  const ofOrg = sql`${withoutIndex('d.organization_id')} = ${orgId}`;
  const ofEndpoints =
    endpointIds === undefined ? [] : [sql`${withoutIndex('d.endpoint_id')} IN ${listOf(endpointIds)}`];
  if (eventId !== undefined || status === 'delivering') {
    const first = eventId === undefined ? sql`d.id IN ${listOf(inFlight)}` : sql`d.event_id = ${eventId}`;
    return { branches: [[first, ofOrg, ...ofEndpoints, ...withStatus]], maxSkipped: 0 };
  }
  // While a sweep runs, which takes seconds, the stored status that the index holds is not always the one that readers see.
  if (isSwept)
    return { branches: [[sql`d.organization_id = ${orgId}`, ...withStatus, ...ofEndpoints]], maxSkipped: all.total };
  const matching = status === undefined ? filtered.total : filtered[status];
  const byEndpoint = {
    branches: (endpointIds ?? []).map((id) => [sql`d.endpoint_id = ${id}`, ofOrg, ...withStatus]),
    maxSkipped: filtered.total - matching,
  };
  const byStatus = {
    branches: [
      [sql`d.organization_id = ${orgId}`, ...undeliveredWith(status), ...ofEndpoints, ...notInFlight(status, inFlight)],
    ],
    maxSkipped: status === undefined ? Number.POSITIVE_INFINITY : all[status] - matching,
  };
  const byOrg = {
    branches: [[sql`d.organization_id = ${orgId}`, ...ofEndpoints, ...withStatus]],
    maxSkipped: all.total - matching,
  };
  const paths = [
    ...(status === undefined || status === 'delivered' ? [byOrg] : [byStatus]),
    ...(endpointIds !== undefined && endpointIds.length <= maxBranches ? [byEndpoint] : []),
  ];
  return paths.reduce((best, path) => (path.maxSkipped < best.maxSkipped ? path : best));
}

/** Conditions on every branch. Times become bounds on ids, which sort by them. */
function residualOf({ since, until }: DeliveryFilter, after: Position | null): Condition[] {
  const conditions: Condition[] = [];
  if (after !== null) conditions.push(sql`d.id < ${after[0]}`);
  if (since !== undefined) conditions.push(sql`d.id >= ${idsFrom(since)}`);
  if (until !== undefined) conditions.push(sql`d.id < ${idsFrom(until)}`);
  return conditions;
}

const selectsOf = (branches: readonly Branch[], residual: readonly Condition[], isSwept: boolean): Condition[] =>
  branches.map(
    (branch) =>
      sql`SELECT d.id FROM webhook_deliveries d ${isSwept ? withEndpoint : sql``} WHERE ${sql.join([...branch, ...residual], sql` AND `)}`,
  );

const noIds = sql`SELECT NULL AS id WHERE false`;

const unionOf = (...given: Parameters<typeof selectsOf>): Condition =>
  given[0].length === 0 ? noIds : sql.join(selectsOf(...given), sql` UNION ALL `);

const idsInOrder = (
  selects: readonly Condition[],
  order: Condition,
  range: { limit: number; offset?: number },
): Condition =>
  selects.length === 0
    ? noIds
    : firstRowsOf(
        selects.map((select) => ({ select, order })),
        order,
        range,
      );

const withEndpoint = sql`${joinInOrder} webhook_endpoints p ON p.id = d.endpoint_id`;

function pageQuery(db: Queryable, ids: Condition): CompiledQuery<StoredDelivery> {
  return deliveryQuery(db)
    .where(sql<boolean>`d.id IN (SELECT id FROM (${ids}) AS found)`)
    .orderBy('d.id', 'desc')
    .compile();
}

/**
 * The number of deliveries that a list has. It comes from the stored counts; rows are counted only if the filter names an event, a time,
 * `delivering`, or a status that sweeps are changing. Attempts in progress are subtracted from the count of their stored status.
 */
async function totalOf(
  db: Queryable,
  bound: Bound,
  branches: readonly Branch[],
  { all, filtered }: { all: Counts; filtered: Counts },
): Promise<number> {
  const { orgId, filter, inFlight, isSwept } = bound;
  const { status, eventId, since, until } = filter;
  if (eventId !== undefined || since !== undefined || until !== undefined || status === 'delivering') {
    return countRowsOf(db, unionOf(branches, residualOf(filter, null), isSwept), orgId);
  }
  if (status === undefined) return filtered.total;
  if (isSwept) {
    const counted = branches.map((branch) => [...branch, ...undelivered]);
    return countRowsOf(db, unionOf(counted, [], isSwept), orgId, all.total - all.delivered);
  }
  if (!isScheduled(status) || inFlight.size === 0) return filtered[status];
  return filtered[status] - (await countSending(db, bound, status));
}

/** The number of deliveries with this stored status that are shown as `delivering`. */
function countSending(db: Queryable, { orgId, inFlight, endpointIds }: Bound, status: StoredStatus): Promise<number> {
  const ofEndpoints =
    endpointIds === undefined ? sql`true` : sql`${withoutIndex('d.endpoint_id')} IN ${listOf(endpointIds)}`;
  const sending = sql`SELECT d.id FROM webhook_deliveries d WHERE d.id IN ${listOf(inFlight)}
    AND ${withoutIndex('d.organization_id')} = ${orgId} AND ${withoutIndex('d.status')} = ${status} AND ${ofEndpoints}`;
  return countRowsOf(db, sending, orgId);
}

export async function deliveryById(
  db: Queryable,
  orgId: string,
  id: string,
  moment: Moment,
): Promise<Delivery | undefined> {
  const row = await deliveryQuery(db).where('d.organization_id', '=', orgId).where('d.id', '=', id).executeTakeFirst();
  return row && deliveryOf(row as StoredDelivery, moment);
}

export async function attemptsOf(db: Queryable, deliveryId: string): Promise<Attempt[]> {
  const rows = await db
    .selectFrom('webhook_attempts')
    .select([
      'number',
      'at',
      'duration_ms as durationMs',
      'status_code as statusCode',
      'error',
      'response_body as responseBody',
      'request_headers as requestHeaders',
      'response_headers as responseHeaders',
    ])
    .where('delivery_id', '=', deliveryId)
    .orderBy('number')
    .execute();
  return rows.map(({ requestHeaders, responseHeaders, ...row }) => ({
    ...row,
    requestHeaders: headersIn(requestHeaders),
    responseHeaders: headersIn(responseHeaders),
  }));
}

const headersIn = (json: string | null): Attempt['requestHeaders'] =>
  json === null ? null : (JSON.parse(json) as Attempt['requestHeaders']);
