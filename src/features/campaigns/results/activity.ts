import { invalid } from '../../../base/errors.ts';
import type { App } from '../../../kernel/app.ts';
import * as store from './activity-store.ts';
import { countCallsOfHours, countCallsOfQuarters, countCallsOfSteps, readLastEnd } from '../background-tasks.ts';
import type { HourCounts } from './hours.ts';
import { getCampaign } from '../service.ts';

export const maxSteps = 500;
const defaultStepMs = 3_600_000;

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
  const range = await rangeOf(app, orgId, id, query, live);
  if (range === null) return [];
  const { from, to } = range;
  const stepMs = stepFor(query, to - from);
  const steps = Array.from({ length: Math.ceil((to - from) / stepMs) }, (_, step) => emptyStep(from + step * stepMs));
  for (const { step, outcome, began, ended } of await countsOf(app, orgId, query, {
    campaignId: id,
    from,
    to,
    stepMs,
  })) {
    steps[step]!.started += began;
    steps[step]![outcome] += ended;
  }
  for (const { startedAt } of live) {
    const step = startedAt < to ? steps[Math.floor((startedAt - from) / stepMs)] : undefined;
    if (step) step.started += 1;
  }
  return steps;
}

const emptyStep = (at: number): ActivityStep => ({
  at,
  started: 0,
  completed: 0,
  no_answer: 0,
  busy: 0,
  voicemail: 0,
  failed: 0,
});

/** The counts of ended calls: those kept by the quarter of an hour if they give the steps, else those of the calls themselves. */
async function countsOf(
  app: App,
  orgId: string,
  query: ActivityQuery,
  steps: store.Steps,
): Promise<readonly store.StepCounts[]> {
  const bounds = [steps.from, steps.stepMs, query.to ?? 0]; // by default the last step ends after the last call
  if (bounds.every((ms) => ms % store.quarterMs === 0)) return app.background.run(countCallsOfQuarters, steps, orgId);
  const counts: store.StepCounts[] = [];
  // Calls that started before the range may have ended in it.
  for (let after: number | null = 0; after !== null;) {
    const part: Awaited<ReturnType<typeof store.countCalls>> = await app.background.run(
      countCallsOfSteps,
      { ...steps, after },
      orgId,
    );
    counts.push(...part.counts);
    after = part.next;
  }
  return counts;
}

type Range = { from: number; to: number };

async function rangeOf(
  app: App,
  orgId: string,
  id: string,
  { from, to }: ActivityQuery,
  live: readonly store.LiveCall[],
): Promise<Range | null> {
  const starts = [await store.firstStart(app.db, id), ...live.map(({ startedAt }) => startedAt)];
  const first = from ?? Math.min(...starts.map((at) => at ?? Infinity));
  const ends = [await app.background.run(readLastEnd, id, orgId), ...live.map(({ startedAt }) => startedAt)];
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
  return app.background.run(countCallsOfHours, { campaignId: id, timezone }, orgId);
}
