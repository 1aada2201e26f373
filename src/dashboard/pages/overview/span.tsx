import { type Analytics, api, getAnalytics } from '../../client.ts';
import { Chart } from '../../parts/chart.tsx';
import { Figures, outcomeSeries } from '../../parts/day.tsx';
import { spanIn, spanOf } from '../../parts/span.ts';
import { stepText } from '../../parts/time.tsx';
import { noTotals, outcomeValues, sumOf, type Totals } from '../../parts/totals.ts';
import { query } from '../../state/location.ts';
import { zone } from '../../state/preferences.ts';
import { useResource } from '../../state/resource.ts';
import { day as texts } from '../../text/day.ts';

export const spans = ['1', '7', '30'] as const;
export const usualSpan = '1';
export const chosenSpan = () => spanIn(query.value, spans, usualSpan);

const daySec = 86_400;

/** Whole days to the end of today, and as many before them, in one answer. Nothing is asked for today, which is live. */
async function loadDays(days: number, signal: AbortSignal): Promise<Analytics | undefined> {
  if (days === 1) return undefined;
  return (await getAnalytics(api, { query: { ...spanOf(2 * days), by: 'none', step: 'day' }, signal })).data;
}

export const useDays = (days: number) =>
  useResource(`days ${days} ${zone.value}`, async (signal) => ({ days, figures: await loadDays(days, signal) }));

type Props = { days: number; figures: Analytics | undefined };

/** The days of the span, and those before it. */
function halvesOf({ days, figures }: Props): [readonly Totals[], readonly Totals[]] | undefined {
  if (!figures) return undefined;
  const series: readonly Totals[] = figures.rows[0]?.series ?? Array.from({ length: 2 * days }, () => noTotals);
  return [series.slice(-days), series.slice(0, -days)];
}

/** The five figures of the chosen days, compared with as many days before. */
export function SpanFigures(props: Props) {
  const { days } = props;
  const halves = halvesOf(props);
  const compared = halves && {
    totals: sumOf(halves[0]),
    steps: halves[0],
    before: { totals: sumOf(halves[1]), steps: halves[1] },
    than: texts.daysBefore(days),
  };
  return <Figures of={compared} name={texts.spanFigures(days)} calls={texts.spanCalls} />;
}

/** How the calls of each day ended, with the days before as a shadow. */
export function ByDay(props: Props) {
  const { days, figures } = props;
  const [shown = [], before = []] = halvesOf(props) ?? [];
  const last = shown.length - 1;
  return (
    <Chart
      name={texts.byDay}
      series={outcomeSeries}
      stepName={texts.dayStep}
      ghost={texts.ghostBefore(days)}
      totals
      least={days}
      steps={shown.map((totals, index) => ({
        ...stepText(Date.parse(figures!.buckets[days + index]!), daySec, figures!.timezone),
        key: figures!.buckets[days + index]!,
        values: outcomeValues(totals),
        ghost: before[index]?.calls ?? 0,
        isNow: index === last,
      }))}
    />
  );
}
