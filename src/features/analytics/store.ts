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

/** What is read of one stretch with one UTC offset: for each group and local step, its figures. */
export type FigureQuery = {
  orgId: string;
  filter: FigureFilter;
  by: Grouping;
  span: OffsetSpan;
  unit: { ms: number; shiftMs: number };
};
export type GroupFigures = { key: string; localStep: number; figures: Figures };

const names = [...countNames, ...Array.from({ length: latencyBuckets }, (_, bucket) => `latency_${bucket}`)];

/** A bound number is a fraction for SQLite, and would make a division one. */
const whole = (value: number): RawBuilder<unknown> => sql`cast(${value} AS INTEGER)`;

const keyOf = ({ by, span: { offsetMs } }: FigureQuery): RawBuilder<unknown> => {
  switch (by) {
    case 'agent':
      return sql`agent_id`;
    case 'campaign':
      return sql`campaign_id`;
    case 'edition':
      return sql`agent_id || ':' || edition`;
    case 'number':
      return sql`phone_number_id`;
    case 'direction':
      return sql`direction`;
    case 'hour':
      return sql`cast((quarter + ${whole(offsetMs)}) % 86400000 / 3600000 AS TEXT)`;
    case 'weekday':
      return sql`cast(((quarter + ${whole(offsetMs)}) / 86400000 + 3) % 7 + 1 AS TEXT)`;
    case 'none':
      return sql`'all'`;
  }
};

/** Reads only the rows of the span, which is a range of the primary key. */
export async function figuresOf(db: Queryable, query: FigureQuery): Promise<GroupFigures[]> {
  const { orgId, filter, span, unit } = query;
  const conditions = [
    sql`organization_id = ${orgId} AND quarter >= ${span.from} AND quarter < ${span.to}`,
    ...(filter.agentId === undefined ? [] : [sql`agent_id = ${filter.agentId}`]),
    ...(filter.campaignId === undefined ? [] : [sql`campaign_id = ${filter.campaignId}`]),
    ...(filter.edition === undefined ? [] : [sql`edition = ${filter.edition}`]),
    ...(filter.direction === undefined ? [] : [sql`direction = ${filter.direction}`]),
  ];
  const sums = names.map((name) => sql`sum(${sql.ref(name)}) AS ${sql.ref(name)}`);
  const { rows } = await sql<Record<string, number> & { group_key: string; local_step: number }>`
    SELECT ${keyOf(query)} AS group_key, (quarter + ${whole(span.offsetMs + unit.shiftMs)}) / ${whole(unit.ms)} AS local_step,
      ${sql.join(sums)}
    FROM call_figures WHERE ${sql.join(conditions, sql` AND `)} GROUP BY 1, 2`.execute(db);
  return rows.map((row) => ({
    key: row.group_key,
    localStep: row.local_step,
    figures: {
      ...(Object.fromEntries(countNames.map((name) => [name, row[name]!])) as Omit<Figures, 'latencies'>),
      latencies: Array.from({ length: latencyBuckets }, (_, bucket) => row[`latency_${bucket}`]!),
    },
  }));
}
