import type { CampaignHour } from '../../client.ts';
import { Table } from '../../parts/table.tsx';
import { campaigns } from '../../text/campaigns.ts';
import { common } from '../../text/en.ts';
import { number, percent } from '../../text/plural.ts';
import { hoursOfDay, type Window } from './week.ts';

type Props = { hours: readonly CampaignHour[]; window: Window };

/** When people answer: a row for each weekday and a column for each hour of the window, in the campaign's zone. */
export function Hours({ hours, window }: Props) {
  const called = hours.filter(({ calls }) => calls > 0).map(({ hour }) => hour);
  if (called.length === 0) return null;
  // Contacts with a zone of their own are called at other hours, too.
  const columns = [...new Set([...hoursOfDay(window), ...called])].toSorted((a, b) => a - b);
  const days = campaigns.dayNames.map((name, index) => ({
    name,
    hours: new Map(hours.filter(({ weekday }) => weekday === index + 1).map((each) => [each.hour, each])),
  }));
  return (
    <section class="hours">
      <h2>{campaigns.byHour}</h2>
      <p class="quiet">{campaigns.byHourText}</p>
      <Table
        caption={campaigns.byHour}
        stacks={false}
        rows={days}
        rowKey={({ name }) => name}
        columns={[
          { name: campaigns.weekday, cell: ({ name }) => name },
          ...columns.map((hour) => ({
            name: campaigns.hourOfDay(hour),
            cell: (day: (typeof days)[number]) => rateOf(day.hours.get(hour)),
            numeric: true,
          })),
        ]}
      />
    </section>
  );
}

/** Steps of colour; the figure beside it says the same. */
const steps = 4;

function rateOf(hour: CampaignHour | undefined) {
  if (!hour || hour.calls === 0) return <span class="quiet">{common.none}</span>;
  const rate = hour.answered / hour.calls;
  return (
    <span class={`heat heat-${Math.round(rate * steps)}`} title={campaigns.rate(hour.answered, hour.calls)}>
      {percent(rate)} <span class="quiet">{campaigns.ofCalls(number(hour.calls))}</span>
    </span>
  );
}
