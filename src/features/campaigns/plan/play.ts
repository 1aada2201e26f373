import type { Queryable } from '../../../db/transaction.ts';
import type { ContactRules } from '../../organizations/contact-rules.ts';
import type { Campaign } from '../campaign.ts';
import type { Pace } from '../dialing/capacity.ts';
import type { CallingWindow } from '../schedule/window.ts';
import { type Cohort, type Forecast, forecast, type ForecastRules, type Span, type Waiting } from './forecast.ts';
import { againAfter, lengthsIn, paceOf, type Past, pastOfOrganization } from './past.ts';
import type { Group } from './store.ts';

/** A group with the hours in which its contacts may be called. Limits count the days of `personZone`. */
export type OpenGroup = Group & Hours & { personZone: string };
/** `isNever`: the guard hours never let the campaign call. */
export type Hours = { windows: CallingWindow[]; openings: Span[]; isNever: boolean };

export type ForecastQuestion = Pick<Campaign, 'orgId' | 'schedule' | 'retryOn'> & {
  /** The campaign's own calls. */
  own: Past;
  groups: readonly OpenGroup[];
  rules: ContactRules | null;
  limits: Omit<Pace, 'meanCallSec'>;
  now: number;
  withCourse: boolean;
};

/** Assumes that calls go as the campaign's own calls went, or before there are any, as those of the organization. */
export async function forecastOf(db: Queryable, question: ForecastQuestion): Promise<Forecast & { pace: Pace }> {
  const { orgId, own, groups, rules, schedule, now } = question;
  const past = own.length > 0 ? own : await pastOfOrganization(db, orgId);
  const pace = paceOf(question.limits, past);
  const gapMin = Math.max(schedule.retryGapMin, rules?.limits?.minGapMin ?? 0);
  const limits = rules?.limits ?? null;
  const play = {
    pace,
    again: againAfter(past, question),
    lengths: lengthsIn(past, pace),
    gapMs: gapMin * 60_000,
    limits,
  };
  return { ...forecast(cohortsOf(groups, play, now), play, question.withCourse), pace };
}

/** Contacts with the same hours together. Of those on the phone, some are called again. */
function cohortsOf(groups: readonly OpenGroup[], { again, gapMs, limits, pace }: ForecastRules, now: number): Cohort[] {
  const cohorts = new Map<string, Cohort & { waiting: Waiting[] }>();
  for (const { openings, personZone: timezone, isLive, isNever, ...group } of groups) {
    if (isNever) continue;
    const key = `${limits === null ? '' : timezone} ${openings.map(({ opensAt, closesAt }) => `${opensAt}-${closesAt}`).join()}`;
    const cohort = cohorts.get(key) ?? { openings, timezone, waiting: [] };
    cohorts.set(key, cohort);
    const { count, attempt, notBefore, today = 0, thisWeek = 0 } = group;
    if (!isLive) cohort.waiting.push({ count, attempt, notBefore, today, thisWeek });
    const due = Math.max(now, (notBefore ?? now) + pace.meanCallSec * 1000) + gapMs;
    const calledAgain = count * (again[attempt] ?? 0);
    if (isLive && calledAgain > 0) cohort.waiting.push({ count: calledAgain, attempt: attempt + 1, notBefore: due });
  }
  return [...cohorts.values()];
}
