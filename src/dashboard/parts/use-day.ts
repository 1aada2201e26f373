import { useLive } from '../state/live.ts';
import type { AgentDay, Day } from './day.tsx';
import { noTotals, type Totals } from './totals.ts';
import { hourOfWeek } from './wall-clock.ts';

type DayFigures = { date: string; totals: Totals; hours: ReadonlyArray<Totals & { hour: number }> };

/** The live topic `today`: the day in the organization's zone, its hours, its agents, and the same weekday a week before. */
type Today = DayFigures & { now: string; timezone: string; agents: readonly AgentDay[]; week_before: DayFigures };

function byHour({ hours }: DayFigures): Totals[] {
  const day: Totals[] = Array.from({ length: 24 }, () => noTotals);
  for (const { hour, ...totals } of hours) day[hour] = totals;
  return day;
}

/** The day as it goes on; undefined before the first event. */
export function useDay(): Day | undefined {
  const today = useLive<Today>('today');
  if (!today) return undefined;
  const { now, timezone, totals, agents, week_before: before } = today;
  return {
    hour: Math.floor(hourOfWeek(timezone, Date.parse(now)).hour),
    weekday: new Intl.DateTimeFormat('en-GB', { timeZone: timezone, weekday: 'long' }).format(Date.parse(now)),
    totals,
    hours: byHour(today),
    agents,
    before: { totals: before.totals, hours: byHour(before) },
  };
}
