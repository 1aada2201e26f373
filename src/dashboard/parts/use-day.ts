import { useEffect } from 'preact/hooks';
import { api, type Call, listCalls } from '../client.ts';
import { serverNow } from '../state/clock.ts';
import { useLive } from '../state/live.ts';
import { zone } from '../state/preferences.ts';
import { useResource } from '../state/resource.ts';
import type { Day } from './day.tsx';
import { addTotals, noTotals, type Totals } from './totals.ts';
import { hourOfWeek, instantOf, isoOf, wallClockOf } from './wall-clock.ts';

/** While calls go on, the day is asked for again after this time. */
const reloadEveryMs = 10_000;
const maxCalls = 500;

const totalsOf = ({
  status,
  state,
  duration_sec: seconds,
  cost_total: cost,
  post_call_analysis: analysis,
}: Call): Totals =>
  state !== 'ended'
    ? noTotals
    : {
        ...noTotals,
        calls: 1,
        answered: status === 'completed' ? 1 : 0,
        voicemail: status === 'voicemail' ? 1 : 0,
        no_answer: status === 'no_answer' ? 1 : 0,
        busy: status === 'busy' ? 1 : 0,
        failed: status === 'failed' ? 1 : 0,
        goals_met: analysis?.goals_met ? 1 : 0,
        goals_judged: analysis ? 1 : 0,
        talk_sec: seconds,
        cost,
      };

/** When the present day of the server's clock began in a zone. */
const startOfDay = (now: number, timeZone: string): string =>
  instantOf(`${wallClockOf(isoOf(now), timeZone).slice(0, 10)}T00:00`, timeZone)!;

async function loadDay(signal: AbortSignal): Promise<Day> {
  const [now, timeZone] = [serverNow() ?? 0, zone.peek()];
  const { data, meta } = await listCalls(api, {
    query: { since: startOfDay(now, timeZone), limit: maxCalls, after: '' },
    signal,
  });
  const hours: Totals[] = Array.from({ length: 24 }, () => noTotals);
  for (const call of data) {
    const { hour } = hourOfWeek(timeZone, Date.parse(call.started_at ?? call.created_at));
    hours[Math.floor(hour)] = addTotals(hours[Math.floor(hour)]!, totalsOf(call));
  }
  return {
    hour: Math.floor(hourOfWeek(timeZone, now).hour),
    weekday: '',
    totals: hours.reduce(addTotals),
    hours,
    ...(meta.next === null ? {} : { latest: maxCalls }),
  };
}

/** The day as it goes on, from its latest calls. */
export function useDay(): Day | undefined {
  const day = useResource(`day ${zone.value}`, loadDay);
  const isBusy = (useLive<{ in_flight: number }>('overview')?.in_flight ?? 0) > 0;
  useEffect(() => {
    if (!isBusy) return undefined;
    const timer = setInterval(day.reload, reloadEveryMs);
    return () => {
      clearInterval(timer);
      day.reload();
    };
  }, [isBusy]);
  return day.data;
}
