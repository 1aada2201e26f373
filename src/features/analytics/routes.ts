import { isoOf } from '../../base/clock.ts';
import { given } from '../../base/given.ts';
import { operation } from '../../kernel/route.ts';
import {
  id,
  integer,
  list,
  nullable,
  number,
  object,
  oneOf,
  optional,
  timestamp,
  timeZone,
  Type,
} from '../../kernel/schema.ts';
import { callDirections } from '../calls/call.ts';
import { csvLine } from '../contacts/csv/cells.ts';
import { type Analytics, analyticsOf } from './analytics.ts';
import { countNames, presentFigures } from './figures.ts';
import { stepNames } from './steps.ts';
import { groupings } from './store.ts';

const figuresSchema = object(
  {
    calls: integer(),
    answered: integer(),
    completed: integer(),
    voicemail: integer(),
    no_answer: integer(),
    busy: integer(),
    failed: integer(),
    goals_met: integer(),
    goals_judged: integer({ description: 'Calls whose analysis says whether the goals were met' }),
    talk_sec: integer(),
    cost: number(),
    latency: object({
      count: integer(),
      p50_ms: nullable(integer()),
      p95_ms: nullable(integer()),
      buckets: list(integer(), { description: 'Calls below 200 ms, by 100 ms up to 2,000, and beyond' }),
    }),
  },
  { title: 'CallFigures' },
);

const instant = (description: string) => optional(Type.String({ format: 'local-date-or-time', description }));

const analyticsSchema = object(
  {
    from: timestamp(),
    to: timestamp(),
    step: oneOf(stepNames),
    timezone: Type.String(),
    buckets: list(timestamp(), { description: 'The beginnings of the steps' }),
    rows: list(
      object({
        key: Type.String(),
        name: nullable(Type.String({ description: 'Null for what was deleted' })),
        totals: figuresSchema,
        series: list(figuresSchema, { description: 'One for each bucket' }),
      }),
    ),
  },
  { title: 'Analytics' },
);

const present = ({ from, to, step, timezone, buckets, rows }: Analytics) => ({
  from: isoOf(from),
  to: isoOf(to),
  step,
  timezone,
  buckets: buckets.map(isoOf),
  rows: rows.map(({ key, name, totals, series }) => ({
    key,
    name,
    totals: presentFigures(totals),
    series: series.map(presentFigures),
  })),
});

/** A line for each row and bucket in which a call began. */
function* csvOf({ buckets, rows }: ReturnType<typeof present>): Generator<string> {
  yield csvLine(['key', 'name', 'from', ...countNames, 'latency_count', 'latency_p50_ms', 'latency_p95_ms']);
  for (const { key, name, series } of rows) {
    for (const [index, { latency, ...figures }] of series.entries()) {
      if (figures.calls === 0) continue;
      const counts = countNames.map((column) => String(figures[column]));
      const latencies = [latency.count, latency.p50_ms ?? '', latency.p95_ms ?? ''].map(String);
      yield csvLine([key, name ?? '', buckets[index]!, ...counts, ...latencies]);
    }
  }
}

export const getAnalytics = operation({
  operationId: 'getAnalytics',
  tag: 'Calls',
  summary: 'Count calls, outcomes, goals, minutes, cost and latency over time; test calls do not count',
  query: object({
    from: instant('Beginning of a step; without an offset local to `timezone`. Default: six days before today'),
    to: instant('End of a step. Default: the end of today'),
    step: optional(oneOf(stepNames, { default: 'day', description: 'At most 400 steps' })),
    timezone: optional(timeZone("IANA time zone; default: the organization's")),
    by: optional(
      oneOf(groupings, { default: 'none', description: 'One row for each; more than 50 are summed as `other`' }),
    ),
    agent_id: optional(id('agent')),
    campaign_id: optional(id('campaign')),
    edition: optional(integer({ minimum: 1, description: 'Only calls that were made with this edition of an agent' })),
    direction: optional(oneOf(callDirections, { description: 'Only calls in this direction' })),
  }),
  data: analyticsSchema,
  csv: { fileName: 'analytics.csv', linesOf: (data) => csvOf(data as ReturnType<typeof present>) },
  message: 'Figures fetched.',
  async handle(app, { caller, query }) {
    const {
      from,
      to,
      timezone,
      step = 'day',
      by = 'none',
      agent_id: agentId,
      campaign_id: campaignId,
      ...rest
    } = query;
    const { edition, direction } = rest;
    const filter = given({ agentId, campaignId, edition, direction });
    return {
      data: present(await analyticsOf(app, caller.orgId, { ...given({ from, to, timezone }), step, by, filter })),
    };
  },
});
