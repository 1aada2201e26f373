import { type CompiledQuery, type RawBuilder, type Selectable, sql } from 'kysely';
import { idsFrom } from '../../base/ids.ts';
import { countRowsOf, type List, type Position, readList, readRows } from '../../db/pages.ts';
import { readInBackground } from '../../db/long-reads.ts';
import { prepared } from '../../db/prepared.ts';
import type { CallsTable } from '../../db/schema.generated.ts';
import {
  contains,
  containsFolded,
  entriesOf,
  firstRowsOf,
  fromIndex,
  jsonFlag,
  jsonText,
  withoutIndex,
} from '../../db/sql.ts';
import type { Queryable } from '../../db/transaction.ts';
import { type Page, type Paged, pagedOf } from '../../kernel/paging.ts';
import { type Call, type CallState, type CallStatus, callStatuses } from './call.ts';
import { callOf, countLive } from './store.ts';

export type CallFilter = {
  agentId?: string;
  campaignId?: string;
  contactId?: string;
  /** Ended calls with one of these. */
  statuses?: readonly CallStatus[];
  /** `live`: all but ended ones. */
  state?: CallState | 'live';
  /** Created at or after `since`, and before `until`. */
  since?: number;
  until?: number;
  /** Part of the phone number that was called. */
  phone?: string;
  channel?: Call['channel'];
  agentEdition?: number;
  minDurationSec?: number;
  /** What the analysis of the conversation says. */
  dispositions?: readonly string[];
  goalsMet?: boolean;
};

type Condition = RawBuilder<unknown>;

/** One SELECT of the list, which one index answers in the order of the list, newest first. `from` names the index that SQLite must use. */
type Branch = { where: readonly Condition[]; from?: Condition };

/**
 * Calls, newest first. The calls of a contact or of the whole organization come from one index. Otherwise the list merges several reads: of
 * ended calls, one for each status from the index of the agent, campaign or organization; of live calls, one from that of all live ones.
 * Reads that cannot contain a match are left out.
 */
export async function listCalls(db: Queryable, orgId: string, filter: CallFilter, page: Page): Promise<Paged<Call>> {
  const counts = await endedCounts(db, orgId, filter);
  const branches = branchesOf(orgId, filter, counts);
  const list: List<Selectable<CallsTable>> = {
    rows: (after, range) => pageQuery(db, orgId, branches, residualOf(filter, after), range),
    positionOf: (row) => [row.id],
    total: () => totalOf(db, orgId, filter, { counts, branches }),
    maxSkipped: await skippedIn(db, orgId, filter, counts),
  };
  return pagedOf(await readList(db, list, page), callOf);
}

/** A page of an export ends at this size: parsing what was said in its calls takes a few milliseconds. */
const maxExportBytes = 1_048_576;

/** The next calls of an export, newest first, read on the background thread; empty at the end. */
export async function callsForExport(
  db: Queryable,
  orgId: string,
  filter: CallFilter,
  { after, limit }: { after: string | null; limit: number },
): Promise<Call[]> {
  const branches = branchesOf(orgId, filter, await endedCounts(db, orgId, filter));
  const query = pageQuery(db, orgId, branches, residualOf(filter, after === null ? null : [after]), {
    limit,
    offset: 0,
  });
  return (await readInBackground(db, query, { owner: orgId, maxBytes: maxExportBytes })).rows.map(callOf);
}

/** Calls whose metadata one step reads. */
const callsPerStep = 500;

/** The keys in the metadata of the next calls of an export, in the order in which they first appear; `last` is null at the end. */
export async function metadataKeysOf(
  db: Queryable,
  orgId: string,
  filter: CallFilter,
  after: string | null,
): Promise<{ keys: string[]; last: string | null }> {
  const branches = branchesOf(orgId, filter, await endedCounts(db, orgId, filter));
  const step = newestOf(branches, residualOf(filter, after === null ? null : [after]), { limit: callsPerStep });
  const query = sql<{ key: string | null; last: string | null }>`
    SELECT NULL AS key, min(id) AS last FROM (${step}) AS found UNION ALL
    SELECT key, NULL FROM (
      SELECT entry.key, max(calls.id) AS newest, min(entry.id) AS place FROM calls, ${entriesOf('calls.metadata')} AS entry
      WHERE calls.id IN (SELECT id FROM (${step}) AS found) AND ${withoutIndex('organization_id')} = ${orgId} AND metadata <> '{}'
      GROUP BY entry.key ORDER BY newest DESC, place) AS found`.compile(db);
  const { rows } = await readInBackground(db, query, { owner: orgId });
  const keys = rows.map(({ key }) => key).filter((key) => key !== null);
  return { keys, last: rows.find(({ last }) => last !== null)?.last ?? null };
}

/** A search reads this many of the newest calls: weeks of calls in most organizations, read in 20 ms on the background thread. */
const maxSearched = 10_000;

/** Of the newest 10,000 calls, those whose called number or called person's name contains `text` (folded), newest first. */
export async function searchCalls(db: Queryable, orgId: string, text: string, limit: number): Promise<Call[]> {
  const newest = sql`SELECT id, to_phone, caller_name FROM calls WHERE organization_id = ${orgId}
    ORDER BY id DESC LIMIT ${maxSearched}`;
  const ids = sql`SELECT id FROM (${newest}) AS found WHERE ${containsFolded(['to_phone', 'caller_name'], text)} LIMIT ${limit}`;
  const query = sql<Selectable<CallsTable>>`
    SELECT * FROM calls WHERE id IN (${ids}) AND ${withoutIndex('organization_id')} = ${orgId} ORDER BY id DESC`;
  const walked = Math.min(maxSearched, sumOf(await endedCounts(db, orgId, {})));
  const { rows } = await readRows(db, query.compile(db), walked, { limit, offset: 0, owner: orgId });
  return rows.map(callOf);
}

/** The campaign, agent or organization whose ended calls a branch reads. */
const scopeOf = (orgId: string, { agentId, campaignId }: CallFilter): Condition => {
  if (campaignId !== undefined) return sql`campaign_id = ${campaignId}`;
  if (agentId !== undefined) return sql`agent_id = ${agentId}`;
  return sql`organization_id = ${orgId}`;
};

type Counts = ReadonlyMap<string, number>;

const selectCounts = prepared((db, p: { orgId: string; agentId: string; campaignId: string }) =>
  db
    .selectFrom('call_counts')
    .select(['status', 'calls'])
    .where('organization_id', '=', p.orgId)
    .where('agent_id', '=', p.agentId)
    .where('campaign_id', '=', p.campaignId),
);

/** How many ended calls have each status, of all calls of the organization or only of the given agent, campaign or both. */
async function endedCounts(
  db: Queryable,
  orgId: string,
  { agentId = '', campaignId = '' }: CallFilter,
): Promise<Counts> {
  const { rows } = await selectCounts(db, { orgId, agentId, campaignId });
  return new Map(rows.map(({ status, calls }) => [status, calls]));
}

const wantsLive = ({ statuses, state }: CallFilter): boolean => statuses === undefined && state !== 'ended';
const wantsEnded = ({ state }: CallFilter): boolean => state === undefined || state === 'ended';

function branchesOf(orgId: string, filter: CallFilter, counts: Counts): Branch[] {
  const { agentId, campaignId, contactId, statuses } = filter;
  if (contactId !== undefined) return [ofContact(orgId, contactId, filter)];
  const isOfAll = agentId === undefined && campaignId === undefined && wantsLive(filter) && wantsEnded(filter);
  if (isOfAll) return [{ where: [sql`organization_id = ${orgId}`] }];
  const wanted = wantsEnded(filter) ? (statuses ?? callStatuses).filter((status) => (counts.get(status) ?? 0) > 0) : [];
  // An agent or campaign of another organization has no counts here, so its index is never walked.
  const ended = wanted.map((status) => ({
    where: [scopeOf(orgId, filter), sql`status = ${status}`, ...agentIn(filter)],
  }));
  return [...ended, ...(wantsLive(filter) ? [liveBranch(orgId, filter)] : [])];
}

function liveBranch(orgId: string, { agentId, campaignId, state }: CallFilter): Branch {
  const where = [sql`organization_id = ${orgId}`, sql`status IS NULL`];
  if (agentId !== undefined) where.push(sql`agent_id = ${agentId}`);
  if (campaignId !== undefined) where.push(sql`campaign_id = ${campaignId}`);
  if (state !== undefined && state !== 'live') where.push(sql`state = ${state}`);
  return { where, from: fromIndex('calls', 'calls_live') };
}

/** The condition on the agent, for a branch that reads the calls of a campaign. */
const agentIn = ({ agentId, campaignId }: CallFilter): Condition[] =>
  agentId === undefined || campaignId === undefined ? [] : [sql`agent_id = ${agentId}`];

function ofContact(orgId: string, contactId: string, { agentId, campaignId, statuses, state }: CallFilter): Branch {
  const conditions = [sql`contact_id = ${contactId}`, sql`${withoutIndex('organization_id')} = ${orgId}`];
  if (agentId !== undefined) conditions.push(sql`${withoutIndex('agent_id')} = ${agentId}`);
  if (campaignId !== undefined) conditions.push(sql`${withoutIndex('campaign_id')} = ${campaignId}`);
  if (statuses !== undefined) conditions.push(sql`${withoutIndex('status')} IN (${sql.join(statuses)})`);
  if (state === 'live') conditions.push(sql`${withoutIndex('status')} IS NULL`);
  else if (state !== undefined) conditions.push(sql`state = ${state}`);
  return { where: conditions, from: fromIndex('calls', 'calls_of_contact') };
}

/** Conditions on every branch. Times become bounds on ids, which sort by them. */
function residualOf(filter: CallFilter, after: Position | null): Condition[] {
  const { since, until } = filter;
  const conditions = unindexedOf(filter);
  if (after !== null) conditions.push(sql`id < ${after[0]}`);
  if (since !== undefined) conditions.push(sql`id >= ${idsFrom(since)}`);
  if (until !== undefined) conditions.push(sql`id < ${idsFrom(until)}`);
  return conditions;
}

/** Conditions for which there is no index, so that a page may read and drop many calls. */
function unindexedOf(filter: CallFilter): Condition[] {
  const { phone, channel, agentEdition, minDurationSec, dispositions, goalsMet } = filter;
  const conditions: Condition[] = [];
  if (channel !== undefined) conditions.push(sql`channel = ${channel}`);
  if (agentEdition !== undefined) conditions.push(sql`agent_edition = ${agentEdition}`);
  if (minDurationSec !== undefined) conditions.push(sql`duration_sec >= ${minDurationSec}`);
  if (phone !== undefined) conditions.push(contains('to_phone', phone));
  if (dispositions) conditions.push(sql`${jsonText('analysis', 'disposition')} IN (${sql.join(dispositions)})`);
  if (goalsMet !== undefined) conditions.push(sql`${jsonFlag('analysis', 'goals_met')} = ${goalsMet ? 1 : 0}`);
  return conditions;
}

const idsIn = ({ where, from = sql`calls` }: Branch, residual: readonly Condition[]): Condition =>
  sql`SELECT id FROM ${from} WHERE ${sql.join([...where, ...residual], sql` AND `)}`;

const unionOf = (branches: readonly Branch[], residual: readonly Condition[]): Condition =>
  branches.length === 0
    ? sql`SELECT NULL AS id WHERE false`
    : sql.join(
        branches.map((branch) => idsIn(branch, residual)),
        sql` UNION ALL `,
      );

/** The ids of the newest calls, newest first. */
function newestOf(
  branches: readonly Branch[],
  residual: readonly Condition[],
  range: { limit: number; offset?: number },
): Condition {
  if (branches.length === 0) return unionOf(branches, residual);
  const order = sql`id DESC`;
  return firstRowsOf(
    branches.map((branch) => ({ select: idsIn(branch, residual), order })),
    order,
    range,
  );
}

function pageQuery(
  db: Queryable,
  orgId: string,
  branches: readonly Branch[],
  residual: readonly Condition[],
  { limit, offset }: { limit: number; offset: number },
): CompiledQuery<Selectable<CallsTable>> {
  const ids = newestOf(branches, residual, { limit, offset });
  return sql<Selectable<CallsTable>>`
    SELECT * FROM calls WHERE id IN (SELECT id FROM (${ids}) AS found) AND ${withoutIndex('organization_id')} = ${orgId} ORDER BY id DESC`.compile(
    db,
  );
}

/** The stored counts give the total, unless the filter has a condition that they do not distinguish. */
async function totalOf(
  db: Queryable,
  orgId: string,
  filter: CallFilter,
  { counts, branches }: { counts: Counts; branches: readonly Branch[] },
): Promise<number> {
  const isCounted = filter.contactId === undefined && residualOf(filter, null).length === 0;
  if (!isCounted) {
    const walked = unindexedOf(filter).length === 0 ? 0 : sumOf(counts);
    return countRowsOf(db, unionOf(branches, residualOf(filter, null)), orgId, walked);
  }
  return (wantsLive(filter) ? await countLiveIn(db, orgId, filter) : 0) + endedIn(filter, counts);
}

/** How many live calls match. Their number is stored for the whole organization alone; those of an agent, campaign or state are counted here. */
async function countLiveIn(db: Queryable, orgId: string, filter: CallFilter): Promise<number> {
  const { agentId, campaignId, state = 'live' } = filter;
  if (agentId === undefined && campaignId === undefined && state === 'live') return countLive(db, orgId);
  return countRowsOf(db, idsIn(liveBranch(orgId, { ...filter, state }), []), orgId);
}

function endedIn(filter: CallFilter, counts: Counts): number {
  if (!wantsEnded(filter)) return 0;
  return (filter.statuses ?? callStatuses).reduce((sum, status) => sum + (counts.get(status) ?? 0), 0);
}

/**
 * How many rows a page may read and drop: live calls that do not match; with a condition without index, all calls of the list; with an agent and a campaign,
 * the campaign's calls by other agents.
 */
async function skippedIn(db: Queryable, orgId: string, filter: CallFilter, counts: Counts): Promise<number> {
  const { campaignId, agentId } = filter;
  const live = await countLive(db, orgId);
  if (unindexedOf(filter).length > 0) return live + sumOf(counts);
  if (campaignId === undefined || agentId === undefined) return live;
  return live + sumOf(await endedCounts(db, orgId, { campaignId })) - sumOf(counts);
}

const sumOf = (counts: Counts): number => [...counts.values()].reduce((sum, calls) => sum + calls, 0);
