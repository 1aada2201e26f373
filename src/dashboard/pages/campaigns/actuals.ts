import { api, type Campaign, type CampaignActivity, type CampaignPlan, getCampaignActivity } from '../../client.ts';
import { isoOf } from '../../parts/wall-clock.ts';
import { knownNow } from '../../state/clock.ts';
import { stepsOfCourse } from './course.ts';
import { openSince } from './week.ts';

/** How the calls ended in the opening that is under way, by steps of time from its beginning, or from the campaign's, to the present. */
export type Actuals = { sinceMs: number; nowMs: number; steps: readonly CampaignActivity[] };

const hourSec = 3600;

/** A list that is done within one opening is drawn by parts of it. */
export const isWithinOpening = ({ openings, course }: CampaignPlan): boolean =>
  openings.length === 1 && course.length > 0;

/** Undefined where nothing can have happened: the campaign does not run, or its hours are closed. */
export async function loadActuals(
  { id, status, startedAt, schedule }: Campaign,
  plan: CampaignPlan,
  signal: AbortSignal,
): Promise<Actuals | undefined> {
  if (status !== 'active' || startedAt === null || plan.openings.length === 0) return undefined;
  const nowMs = knownNow();
  const opened = openSince(schedule, nowMs);
  if (opened === undefined) return undefined;
  const sinceMs = Math.max(opened, Date.parse(startedAt));
  const step = isWithinOpening(plan) ? stepsOfCourse(plan, sinceMs).stepSec : hourSec;
  const stepMs = step * 1000;
  const from = isWithinOpening(plan) ? Math.floor(sinceMs / stepMs) * stepMs : sinceMs;
  const to = from + Math.max(1, Math.ceil((nowMs + 1 - from) / stepMs)) * stepMs;
  const query = { step, from: isoOf(from), to: isoOf(to) };
  const { data: steps } = await getCampaignActivity(api, { params: { id }, query, signal });
  return { sinceMs, nowMs, steps };
}
