import { invalid } from '../../../base/errors.ts';
import type { App } from '../../../kernel/app.ts';
import * as store from './activity-store.ts';
import { countCalls, countHours } from '../background-tasks.ts';
import { type CountedHours, type HourCounts, weekOf } from './hours.ts';
import { getCampaign } from '../service.ts';

export const maxSteps = 500;
const defaultStepMs = 3_600_000;
/** Steps that one background task counts, so that the task of a large campaign ends within a tenth of a second. */
const stepsPerTask = 25;

export type ActivityQuery = { from: number | null; to: number | null; stepMs: number | null };
export type ActivityStep = store.PeriodCounts & { at: number };

/**
 * Counts a campaign's calls in consecutive steps from the first call to the last, or from `from` to `to`. Empty when there are no calls and
 * one of these bounds is missing.
 * @throws notFound when the organization has no such campaign; invalid for an empty range or more than 500 steps
 */
export async function activityOf(app: App, orgId: string, id: string, query: ActivityQuery): Promise<ActivityStep[]> {
  await getCampaign(app, orgId, id);
  const live = await store.liveCalls(app.db, id);
  const range = await rangeOf(app, id, query, live);
  if (range === null) return [];
  const { from, to } = range;
  const stepMs = stepFor(query, to - from);
  const bounds = Array.from({ length: Math.ceil((to - from) / stepMs) }, (_, step) => from + step * stepMs);
  const steps: ActivityStep[] = [];
  for (let first = 0; first < bounds.length; first += stepsPerTask) {
    const starts = bounds.slice(first, first + stepsPerTask);
    const end = bounds[first + stepsPerTask] ?? to;
    const counts = await app.background.run(countCalls, { campaignId: id, bounds: [...starts, end] }, orgId);
    steps.push(...counts.map((count, index) => ({ at: starts[index]!, ...count })));
  }
  for (const { startedAt } of live) {
    const step = startedAt < to ? steps[Math.floor((startedAt - from) / stepMs)] : undefined;
    if (step) step.started += 1;
  }
  return steps;
}

type Range = { from: number; to: number };

async function rangeOf(
  app: App,
  id: string,
  { from, to }: ActivityQuery,
  live: readonly store.LiveCall[],
): Promise<Range | null> {
  const starts = [await store.firstStartFrom(app.db, id, 0), ...live.map(({ startedAt }) => startedAt)];
  const first = from ?? Math.min(...starts.map((at) => at ?? Infinity));
  const ends = [await store.lastEnd(app.db, id), ...live.map(({ startedAt }) => startedAt)];
  const last = to ?? Math.max(...ends.map((at) => at ?? -Infinity)) + 1;
  if (!Number.isFinite(first) || !Number.isFinite(last)) return null;
  if (first < last) return { from: first, to: last };
  if (from === null || to === null) return null;
  throw invalid([
    { path: 'from', message: 'must be before to' },
    { path: 'to', message: 'must be after from' },
  ]);
}

/** The given step; without one, an hour or, for a range of more than 500 hours, the fewest whole hours that give at most 500 steps. */
function stepFor({ stepMs }: ActivityQuery, lengthMs: number): number {
  if (stepMs === null) return Math.ceil(lengthMs / maxSteps / defaultStepMs) * defaultStepMs;
  if (lengthMs / stepMs <= maxSteps) return stepMs;
  const message = `makes more than ${maxSteps} steps; use at least ${Math.ceil(lengthMs / maxSteps / 1000)} for this range`;
  throw invalid([{ path: 'step', message }]);
}

/**
 * The calls of a campaign by the weekday and hour, in the campaign's time zone, in which they started: all 168 hours of a week.
 * @throws notFound when the organization has no such campaign
 */
export async function hoursOf(app: App, orgId: string, id: string): Promise<HourCounts[]> {
  const { timezone } = (await getCampaign(app, orgId, id)).schedule;
  const parts: CountedHours[] = [];
  for (let from: number | null = 0; from !== null;) {
    const part: CountedHours = await app.background.run(countHours, { campaignId: id, timezone, from }, orgId);
    parts.push(part);
    from = part.next;
  }
  return weekOf(parts);
}
