import { invalid } from '../../base/errors.ts';
import { isoOf } from '../../base/clock.ts';
import type { App } from '../../kernel/app.ts';
import { instantIn } from '../../kernel/filters.ts';
import { namesOf } from '../calls/names.ts';
import { organizationOf } from '../organizations/service.ts';
import { sumFigures } from './background-tasks.ts';
import { addTo, type Figures, noFigures } from './figures.ts';
import { addDays, localUnits, nextStep, spansBetween, startOfStep, type Step, stepsBetween } from './steps.ts';
import { type FigureFilter, figuresOf, type Grouping } from './store.ts';

/** Figures of calls over time, from kept counters (docs/api/calls.md, "Analytics"). */

const maxBuckets = 400;
const maxRows = 50;

export type Question = {
  /** ISO 8601; without an offset local to the time zone. */
  from?: string;
  to?: string;
  step: Step;
  timezone?: string;
  by: Grouping;
  filter: FigureFilter;
};

export type Row = { key: string; name: string | null; totals: Figures; series: Figures[] };
export type Analytics = { from: number; to: number; step: Step; timezone: string; buckets: number[]; rows: Row[] };

/** @throws invalid when the span is no whole number of steps, or has more than 400 */
export async function analyticsOf(app: App, orgId: string, question: Question): Promise<Analytics> {
  const { step, by, filter } = question;
  const timezone = question.timezone ?? (await organizationOf(app.db, orgId)).timezone;
  const today = startOfStep(app.clock.now(), 'day', timezone);
  const from = instantIn('from', question.from, timezone) ?? startOfStep(addDays(today, -6, timezone), step, timezone);
  const to = instantIn('to', question.to, timezone) ?? endOfStep(addDays(today, 1, timezone), step, timezone);
  requireWhole({ from, to }, step, timezone);
  const buckets = stepsBetween({ from, to, step, timezone }, maxBuckets);
  if (!buckets) throw invalid(both(`at most ${maxBuckets} steps`));
  const rows = new Map<string, Row>();
  const unit = localUnits[step];
  const summation = { orgId, filter, by, unit, spans: spansBetween(from, to, timezone), maxGroups: maxRows };
  for (const { key, localStep, figures, span } of await app.background.run(sumFigures, summation, orgId)) {
    const local = localStep * unit.ms - unit.shiftMs - span.offsetMs;
    const bucket = bucketOf(buckets, Math.max(local, span.from));
    const row = rows.get(key) ?? emptyRow(key, buckets.length);
    rows.set(key, row);
    addTo(row.totals, figures);
    addTo(row.series[bucket]!, figures);
  }
  return {
    from,
    to,
    step,
    timezone,
    buckets,
    rows: await named(app, orgId, question, inOrder([...rows.values()], by)),
  };
}

const emptyRow = (key: string, buckets: number): Row => ({
  key,
  name: null,
  totals: noFigures(),
  series: Array.from({ length: buckets }, noFigures),
});

const both = (message: string) => ['from', 'to'].map((path) => ({ path, message }));

/** The end of the step that contains the last instant before `at`. */
function endOfStep(at: number, step: Step, timezone: string): number {
  const start = startOfStep(at, step, timezone);
  return start === at ? at : nextStep(start, step, timezone);
}

function requireWhole(span: { from: number; to: number }, step: Step, timezone: string): void {
  if (span.from >= span.to) throw invalid(both('from must be before to'));
  const faults = Object.entries(span).flatMap(([path, at]) => {
    const start = startOfStep(at, step, timezone);
    const message = `must be the beginning of ${step === 'hour' ? 'an' : 'a'} ${step} in ${timezone}, such as ${isoOf(start)}`;
    return start === at ? [] : [{ path, message }];
  });
  if (faults.length > 0) throw invalid(faults);
}

/** The last bucket that begins at or before an instant. */
function bucketOf(buckets: readonly number[], at: number): number {
  let [low, high] = [0, buckets.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (buckets[middle]! <= at) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** By the clock, or those with most calls first; `other` comes last. */
function inOrder(rows: readonly Row[], by: Grouping): Row[] {
  const isClock = by === 'hour' || by === 'weekday';
  const isOther = ({ key }: Row): number => Number(key === 'other');
  return rows.toSorted((a, b) =>
    isClock
      ? Number(a.key) - Number(b.key)
      : isOther(a) - isOther(b) || b.totals.calls - a.totals.calls || (a.key < b.key ? -1 : 1),
  );
}

async function named(app: App, orgId: string, { by, filter }: Question, rows: Row[]): Promise<Row[]> {
  const kind = by === 'edition' ? 'agent' : by;
  if (kind !== 'agent' && kind !== 'campaign' && kind !== 'number')
    return rows.map((row) => ({ ...row, name: row.key === 'other' ? 'Other' : (fixedNames[row.key] ?? row.key) }));
  const idOf = ({ key }: Row): string => (by === 'edition' ? key.split(':')[0]! : key);
  const names = await namesOf(app.db, orgId, kind, rows.map(idOf));
  return rows.map((row) => {
    const [id, edition] = row.key.split(':');
    const name = row.key === 'other' ? 'Other' : (names.get(id!) ?? null);
    if (by === 'edition' && edition !== undefined)
      return {
        ...row,
        key: filter.agentId === undefined ? row.key : edition,
        name: `${name ?? 'Deleted agent'} ${edition}`,
      };
    return row.key === '' ? { ...row, key: 'none', name: 'No campaign' } : { ...row, name };
  });
}

const fixedNames: Readonly<Record<string, string>> = { all: 'All calls' };

export type Day = { date: string; totals: Figures; hours: Array<{ hour: number } & Figures> };
/** `name` is null for a deleted agent; `calls` has one number for each hour from midnight. */
export type AgentDay = { id: string; name: string | null; totals: Figures; calls: number[] };
export type Today = Day & { timezone: string; agents: AgentDay[]; weekBefore: Day };

const maxAgents = 6;

/** The figures of the present day in the organization's zone, by hour and by agent, and of the same weekday a week before. */
export async function todayOf(app: App, orgId: string): Promise<Today> {
  const { timezone } = await organizationOf(app.db, orgId);
  const start = startOfStep(app.clock.now(), 'day', timezone);
  const before = addDays(start, -7, timezone);
  const found = await hoursOf(app, orgId, 'agent', start, timezone);
  return {
    timezone,
    ...dayOf(found, start, timezone),
    agents: await agentsOf(app, orgId, found),
    weekBefore: dayOf(await hoursOf(app, orgId, 'none', before, timezone), before, timezone),
  };
}

/** Figures of one hour of the wall clock; `key` is that of the group. */
type HourFigures = { key: string; hour: number; figures: Figures };

/** The figures of each group in each hour of the day that begins at `from`. */
async function hoursOf(app: App, orgId: string, by: Grouping, from: number, timezone: string): Promise<HourFigures[]> {
  const hours: HourFigures[] = [];
  for (const span of spansBetween(from, addDays(from, 1, timezone), timezone)) {
    const query = { orgId, filter: {}, by, span, unit: localUnits.hour };
    for (const { key, localStep, figures } of await figuresOf(app.db, query))
      hours.push({ key, hour: localStep % 24, figures });
  }
  return hours;
}

function dayOf(found: readonly HourFigures[], from: number, timezone: string): Day {
  const totals = noFigures();
  const hours = Array.from({ length: 24 }, (_, hour) => ({ hour, ...noFigures() }));
  for (const { hour, figures } of found) {
    addTo(totals, figures);
    addTo(hours[hour]!, figures);
  }
  const date = Temporal.Instant.fromEpochMilliseconds(from).toZonedDateTimeISO(timezone).toPlainDate().toString();
  return { date, totals, hours };
}

/** The agents that called most. */
async function agentsOf(app: App, orgId: string, found: readonly HourFigures[]): Promise<AgentDay[]> {
  const agents = new Map<string, AgentDay>();
  for (const { key: id, hour, figures } of found) {
    const agent = agents.get(id) ?? {
      id,
      name: null,
      totals: noFigures(),
      calls: Array.from({ length: 24 }, () => 0),
    };
    agents.set(id, agent);
    addTo(agent.totals, figures);
    agent.calls[hour]! += figures.calls;
  }
  const order = (a: AgentDay, b: AgentDay): number => b.totals.calls - a.totals.calls || (a.id < b.id ? -1 : 1);
  const shown = [...agents.values()].toSorted(order).slice(0, maxAgents);
  const names = await namesOf(
    app.db,
    orgId,
    'agent',
    shown.map(({ id }) => id),
  );
  return shown.map((agent) => ({ ...agent, name: names.get(agent.id) ?? null }));
}
