import { type RawBuilder, sql } from 'kysely';
import type { Queryable } from '../../db/transaction.ts';
import { countNames, type Figures, latencyBuckets } from './figures.ts';
import type { OffsetSpan } from './steps.ts';

export const groupings = ['agent', 'campaign', 'edition', 'number', 'hour', 'weekday', 'direction', 'none'] as const;
export type Grouping = (typeof groupings)[number];

export type FigureFilter = {
  agentId?: string;
  campaignId?: string;
  edition?: number;
  direction?: 'outbound' | 'inbound';
};

/** Whose figures are read, and of when. */
type FigureRange = { orgId: string; filter: FigureFilter; by: Grouping; span: { from: number; to: number } };

/** What is read of one stretch with one UTC offset: for each group and local step, its figures. */
export type FigureQuery = FigureRange & {
  span: OffsetSpan;
  unit: { ms: number; shiftMs: number };
  /** The groups that are told apart; all others are one, `other`. Default: all. */
  groups?: readonly string[] | undefined;
};
export type GroupFigures = { key: string; localStep: number; figures: Figures };

const names = [...countNames, ...Array.from({ length: latencyBuckets }, (_, bucket) => `latency_${bucket}`)];

/** A bound number is a fraction for SQLite, and would make a division one. */
const whole = (value: number): RawBuilder<unknown> => sql`cast(${value} AS INTEGER)`;

/** Keys of the groupings by who or what took part in a call. The others are by when it began. */
const thingKeys: Readonly<Partial<Record<Grouping, RawBuilder<unknown>>>> = {
  agent: sql`agent_id`,
  campaign: sql`campaign_id`,
  edition: sql`agent_id || ':' || edition`,
  number: sql`phone_number_id`,
  direction: sql`direction`,
};

/** The rows of the span, which is a range of the primary key. */
function rowsOf({ orgId, filter, span }: FigureRange): RawBuilder<unknown> {
  const conditions = [
    sql`organization_id = ${orgId} AND quarter >= ${span.from} AND quarter < ${span.to}`,
    ...(filter.agentId === undefined ? [] : [sql`agent_id = ${filter.agentId}`]),
    ...(filter.campaignId === undefined ? [] : [sql`campaign_id = ${filter.campaignId}`]),
    ...(filter.edition === undefined ? [] : [sql`edition = ${filter.edition}`]),
    ...(filter.direction === undefined ? [] : [sql`direction = ${filter.direction}`]),
  ];
  return sql`FROM call_figures WHERE ${sql.join(conditions, sql` AND `)}`;
}

const sums = sql.join(names.map((name) => sql`sum(${sql.ref(name)}) AS ${sql.ref(name)}`));

/**
 * The keys of the groups with most calls; undefined where there are at most `maxGroups` groups, as they always are of hours, weekdays and
 * directions.
 */
export async function largestGroups(
  db: Queryable,
  range: FigureRange,
  maxGroups: number,
): Promise<string[] | undefined> {
  const key = thingKeys[range.by];
  if (!key || range.by === 'direction') return undefined;
  const { rows } = await sql<{ group_key: string }>`SELECT ${key} AS group_key ${rowsOf(range)}
    GROUP BY 1 ORDER BY sum(calls) DESC, 1 LIMIT ${maxGroups + 1}`.execute(db);
  return rows.length <= maxGroups ? undefined : rows.slice(0, maxGroups).map(({ group_key: found }) => found);
}

function keyOf({ by, span: { offsetMs }, groups }: FigureQuery): RawBuilder<unknown> {
  const thing = thingKeys[by];
  if (thing) return groups ? sql`CASE WHEN ${thing} IN (${sql.join(groups)}) THEN ${thing} ELSE 'other' END` : thing;
  if (by === 'hour') return sql`cast((quarter + ${whole(offsetMs)}) % 86400000 / 3600000 AS TEXT)`;
  if (by === 'weekday') return sql`cast(((quarter + ${whole(offsetMs)}) / 86400000 + 3) % 7 + 1 AS TEXT)`;
  return sql`'all'`;
}

/** Groups by time first: so the rows come, and are sorted a third faster. */
export async function figuresOf(db: Queryable, query: FigureQuery): Promise<GroupFigures[]> {
  const { span, unit } = query;
  const { rows } = await sql<Record<string, number> & { group_key: string; local_step: number }>`
    SELECT ${keyOf(query)} AS group_key, (quarter + ${whole(span.offsetMs + unit.shiftMs)}) / ${whole(unit.ms)} AS local_step, ${sums}
    ${rowsOf(query)} GROUP BY 2, 1`.execute(db);
  return rows.map((row) => ({
    key: row.group_key,
    localStep: row.local_step,
    figures: {
      ...(Object.fromEntries(countNames.map((name) => [name, row[name]!])) as Omit<Figures, 'latencies'>),
      latencies: Array.from({ length: latencyBuckets }, (_, bucket) => row[`latency_${bucket}`]!),
    },
  }));
}
